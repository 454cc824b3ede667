"""The scripts that take part in grading: facts, not trees."""

from typing import NamedTuple

from gradewright.finding import Location
from gradewright.model.sign import Sign

PYTHON = "python"

SHELL = "shell"


class Metric(NamedTuple):
    """A metric name a grader writes; `nested` under `custom_metrics`, else at the top level of the reward."""

    name: str
    nested: bool
    at: Location


class Write(NamedTuple):
    """A place where a grader puts text into a file.

    `path` is the file with the documented variables replaced by their defaults, `None` where it cannot be told;
    `shape` is `flat`, `nested`, `text` or `unknown`. `bad` are literals that are no valid reward: pairs of the reason
    (`non-finite`, `non-numeric`, `boolean`, `out-of-range`, `not-json`) and the place of the literal; `certain` tells
    that nothing else can be written there. `conditional` writes may be skipped.
    """

    path: str | None
    shape: str
    at: Location
    bad: tuple[tuple[str, str, Location], ...] = ()
    certain: bool = False
    conditional: bool = False


class Run(NamedTuple):
    """A program or script that a script starts: its words, with known variables filled in (`None` = not known).

    `script` is the script file that it starts, as a path in the container (`/tests/check.py`), `environment` the
    variables set for it alone; `inline` tells that the code is given on the spot (`python3 -c`, a here-document).
    A `conditional` run may be skipped; without an `optional` one (in a branch, or in a chain with `||`) the script goes
    its way as well. `asked` tells that it stands in a condition, or before `&& exit`. Programs that only start another
    (`timeout 60`, `sudo`) are left out of `words`. `cwd` is the folder that Python code starts it in, None if unknown.
    """

    words: tuple[str | None, ...]
    at: Location
    script: str | None = None
    environment: tuple[str, ...] = ()
    inline: bool = False
    conditional: bool = False
    optional: bool = False
    asked: bool = False
    cwd: str | None = None

    @property
    def is_pytest(self) -> bool:
        """Whether pytest is started, be it as a module or by a runner such as `uvx`."""
        program = (self.words[0] or "").rsplit("/", 1)[-1] if self.words else ""
        if program in ("uvx", "pipx"):
            return "pytest" in self.words
        if "-m" in self.words[1:]:
            return self.words[self.words.index("-m") + 1 :][:1] == ("pytest",)
        return program in ("pytest", "py.test")


class Gap(NamedTuple):
    """A command after whose failure errexit ends a shell script before it has written any reward.

    `status_read` tells that the script goes on to look at the command's exit status, which it will never see;
    `constant` that all the rewards it goes on to write are one and the same literal.
    """

    run: Run
    status_read: bool
    constant: bool
    at: Location


class Stub(NamedTuple):
    """Text of a scaffold that nobody has replaced yet; `what` is one of the constants below."""

    what: str
    at: Location


EMPTY = "empty"
"""Nothing but comments, a docstring, `pass`."""

UNWRITTEN_CHECK = "unwritten-check"
"""A check of our own scaffold that says it is not written."""

PEER_SCAFFOLD = "peer-scaffold"
"""What another tool's scaffold tells the author to replace, beside a score that is the same whatever happens."""

PEER_TEXT = "peer-text"
"""The same text in a script whose score is no constant."""

MARKED_SCORE = "marked-score"
"""A score that is the same whatever happens, beside a mark such as TODO."""


class Import(NamedTuple):
    """A module that a Python script imports on every run, by the first part of its name.

    `searched` tells that the script may change where modules are looked for.
    """

    module: str
    at: Location
    searched: bool = False


class ContractBlock(NamedTuple):
    """The part of a scaffolded grader that is not to be edited: the version it names, and whether it is intact.

    `start` and `end` are the bytes where it begins and where its last line ends; `end` is 0 where that line is gone.
    `current` tells that it bears the stamp of the block that is scaffolded today.
    """

    version: str
    intact: bool
    at: Location
    start: int = 0
    end: int = 0
    current: bool = True


class Grader(NamedTuple):
    """A script that takes part in grading: the grader itself, a task's `test.sh`, or a helper beside them.

    `role` is `grader`, `test` (a task's own test script) or `helper`. `opaque` tells that something started or
    imported here cannot be followed, so that an absent fact proves nothing. `python` is the version that the image
    brings (`3.10`, or empty), `digest` tells apart graders of different content. `in_skill` is false for the scripts
    of a bare Harbor task. `alone` tells that nobody but this script can write the reward: no test script starts it;
    `started` that something is known to start it: a helper may just as well be data. `foreign` tells that another
    script takes it as text, or that an interpreter other than Python 3 or bash is given it.
    """

    language: str
    role: str
    native: bool
    size: int
    metrics: tuple[Metric, ...]
    writes: tuple[Write, ...]
    runs: tuple[Run, ...]
    reads: tuple[str, ...]
    stubs: tuple[Stub, ...]
    contract: ContractBlock | None
    opaque: bool
    at: Location
    names_reward: bool = True
    gaps: tuple[Gap, ...] = ()
    python: str = ""
    digest: str = ""
    in_skill: bool = True
    alone: bool = True
    started: bool = True
    foreign: bool = False
    signs: tuple[Sign, ...] = ()
    imports: tuple[Import, ...] = ()

    @property
    def may_write_reward(self) -> bool:
        """Whether a reward may come from here, be it under a slightly wrong name or from code that is not followed."""
        return self.opaque or any(write.path is None or "reward" in write.path.lower() for write in self.writes)
