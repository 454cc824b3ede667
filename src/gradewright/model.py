"""The nodes that rules are written about. Plain records: facts, not trees.

Paths in a `Location` are as the user gave them (the root they named, then `/`-separated parts below it).
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NamedTuple

from gradewright.contract import TASK_SOURCES
from gradewright.finding import Finding, Location, Severity
from gradewright.visible import visible

PYTHON = "python"
SHELL = "shell"


class Problem(NamedTuple):
    """A file, or a part of one, that a reader could not take in. Rules turn problems into findings.

    `kind` is one of the constants below, `role` names what the file is for (`dataset`, `config`, `grader`, `script`,
    `task`, `manifest`, `skill`, `instruction`, `dockerfile`, `fixture`, `reward`, `trajectory`) or is `entry` for an
    entry of the dataset; `subject` is the key or name concerned, `detail` says what is wrong in the reader's own words,
    `nearest` is a known name that may have been meant.
    """

    kind: str
    role: str
    at: Location
    detail: str = ""
    subject: str = ""
    nearest: str = ""
    cure: str = ""


# kinds of Problem: the file cannot be opened or decoded
UNREADABLE = "unreadable"
NOT_UTF8 = "not-utf8"
OVERSIZED = "oversized"
IRREGULAR = "irregular"
LINK_LOOP = "link-loop"
LINK_ESCAPES = "link-escapes"
LINK_DANGLES = "link-dangles"
TOO_DEEP = "too-deep"
# the text does not parse
SYNTAX = "syntax"
BOM = "bom"
CRLF = "crlf"
COMMENT = "comment"
TRAILING_COMMA = "trailing-comma"
DUPLICATE_KEY = "duplicate-key"
UNDEFINED_NAME = "undefined-name"
SHELL_SYNTAX = "shell-syntax"
NO_SHEBANG = "no-shebang"
NOT_CHECKED = "not-checked"
NEWER_SYNTAX = "newer-syntax"
NOT_CLOSED = "not-closed"
IGNORE_WITHOUT_REASON = "ignore-without-reason"
# the values do not fit their schema
UNKNOWN_KEY = "unknown-key"
MISSING_KEY = "missing-key"
WRONG_TYPE = "wrong-type"
WRONG_VALUE = "wrong-value"
# the result of a run is not what its reader takes; `EMPTY` (below) too: a file, or a reward, with nothing in it
NON_FINITE = "non-finite"
NON_NUMERIC = "non-numeric"
BOOLEAN = "boolean"
OUT_OF_RANGE = "out-of-range"
NESTED = "nested"
NOT_AN_OBJECT = "not-an-object"
DISAGREEMENT = "disagreement"


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
    A `conditional` run may be skipped. Programs that only start another (`timeout 60`, `sudo`) are left out of `words`.
    """

    words: tuple[str | None, ...]
    at: Location
    script: str | None = None
    environment: tuple[str, ...] = ()
    inline: bool = False
    conditional: bool = False

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


class ContractBlock(NamedTuple):
    """The part of a scaffolded grader that is not to be edited: the version it names, and whether it is intact."""

    version: str
    intact: bool
    at: Location


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

    @property
    def may_write_reward(self) -> bool:
        """Whether a reward may come from here, be it under a slightly wrong name or from code that is not followed."""
        return self.opaque or any(write.path is None or "reward" in write.path.lower() for write in self.writes)


class Fixture(NamedTuple):
    """One path of an entry's `files`, resolved as SkillEvaluator stages it (from `evals/`).

    `state` is `found`, `missing`, `absolute`, `escapes`, `backslash`, `uri`, `link`, `evaluator` (a file of the
    evaluation itself: answer key, grader, SKILL.md), `blank` or `not-text`; `elsewhere` is a file of that name which is
    there, seen from `evals/`: with `../` it lies in the skill's root, where no spelling reaches it.
    """

    path: str
    state: str
    at: Location
    elsewhere: str = ""


class Case(NamedTuple):
    """One entry of the dataset. Values are as they stand in the file; `id` is None when there is none.

    `fixtures` is None where the entry has no `files` at all: the whole of `evals/files/` is then staged. `fields` are
    the keys that are there; `expectations` is a list that skill-creator reads and SkillEvaluator drops.
    """

    id: Any
    prompt: Any
    expected_output: Any
    assertions: Any
    expected_skill: Any
    fixtures: tuple[Fixture, ...] | None
    fields: frozenset[str]
    at: Location
    expectations: Any = None

    @property
    def label(self) -> str:
        """What the entry is called in a message."""
        return "an entry without id" if self.id is None else quoted(self.id)

    @property
    def prompt_at(self) -> Location:
        return self._place("prompt", "question")

    @property
    def expected_output_at(self) -> Location:
        return self._place("expected_output", "ground_truth")

    @property
    def assertions_at(self) -> Location:
        return self._place("assertions", "expected_behavior")

    def _place(self, name: str, legacy: str) -> Location:
        return self.at.within(legacy if legacy in self.fields and name not in self.fields else name)


class Dataset(NamedTuple):
    """`evals/evals.*`; `ignored` are further dataset files beside the one that is read.

    `shape` is `agentskills`, `legacy` (an array), `lines` (JSONL), `cases`, `single` (one bare entry), or `unreadable`
    where the entries could not be had: there are then no cases, and nothing follows from that.
    """

    shape: str
    skill_name: Any
    cases: tuple[Case, ...]
    ignored: tuple[Location, ...]
    at: Location


class Policy(NamedTuple):
    """`evals/config.*`, with the platform's defaults where the file is silent.

    `written` are the keys it has, dotted (`grading.mode`). A file that could not be read has None for every value:
    nothing can be told from it.
    """

    mode: Any
    task_source: Any
    pass_threshold: Any
    written: frozenset[str]
    ignored: tuple[Location, ...]
    exists: bool
    at: Location


class Listed(NamedTuple):
    """An entry of `[[tasks]]` in `dataset.toml`."""

    name: Any
    digest: Any
    at: Location


class Manifest(NamedTuple):
    """`dataset.toml`: the dataset's name and the tasks it lists; nothing follows from one that is not `readable`."""

    name: Any
    tasks: tuple[Listed, ...]
    at: Location
    readable: bool = True


class Step(NamedTuple):
    """One of `[[steps]]`: the text of its instruction, and the scripts in its own `tests/`, the test script first."""

    name: Any
    instruction: str | None
    scripts: tuple[Grader, ...]
    at: Location


class Source(NamedTuple):
    """A local path that a Dockerfile copies into the image, as it is written there.

    `found` is False only where the build certainly fails because the build context has no such path; `elsewhere` is
    then a path of the context that may have been meant. `holds` are files of the task that the image would get with it
    although the agent must not see them: such as `solution/solve.sh`, relative to the task.
    """

    path: str
    at: Location
    found: bool = True
    elsewhere: str = ""
    holds: tuple[str, ...] = ()


class Image(NamedTuple):
    """What a task's environment is built from.

    `kind` is `dockerfile`, `compose`, `docker_image` or `none`; `base` the reference after the last FROM, `python`
    the Python version it names, such as `3.10`. `sources` are local paths copied in, each with its place. `based` is
    False for a Dockerfile that has instructions and no FROM. An image that will not be built has no sources.
    """

    kind: str
    base: str | None
    python: str | None
    sources: tuple[Source, ...]
    at: Location
    based: bool = True


class Task(NamedTuple):
    """A native Harbor task: a folder with `task.toml`. `entry_id` falls back to the folder's name.

    `test_script` is the `test.sh` at the root of `tests/` (a `test.bat` is not read); `present` names the files and
    folders of the task that exist, relative to it, and `links` the symbolic links among them. `missing` are the
    instructions and test scripts that Harbor asks for and that are not there; it is empty where the configuration
    cannot be read. `environment_header` is a table header that is not written plainly as `[environment]`.
    """

    folder: str
    entry_id: Any
    entry_id_at: Location
    config: dict[str, Any] | None
    steps: tuple[Step, ...]
    instruction: str | None
    grader: Grader | None
    test_script: Grader | None
    helpers: tuple[Grader, ...]
    solution: str | None
    image: Image
    in_skill: bool
    present: frozenset[str]
    at: Location
    missing: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    environment_header: Location | None = None

    @property
    def config_at(self) -> Location:
        """`task.toml` as a whole; follow the keys of a value with `within`."""
        return Location(f"{self.folder}/task.toml")

    @property
    def instructions(self) -> tuple[tuple[str, str], ...]:
        """The path and the text of every instruction that the agent is given: one for each step, else the task's."""
        named = [(f"steps/{step.name}/instruction.md", step.instruction) for step in self.steps]
        named = named or [("instruction.md", self.instruction)]
        return tuple((f"{self.folder}/{name}", text) for name, text in named if text is not None)

    def script(self, path: str) -> "Grader | None":
        """The grader, test script or helper of this task that lies at `path` in the container."""
        if not path.startswith("/tests/"):
            return None
        here = self.folder + path
        found = (self.grader, self.test_script, *self.helpers)
        return next((script for script in found if script and script.at.path == here), None)


class Brief(NamedTuple):
    """What a skill-wide rule may know of a native task: it has been read, checked and dropped.

    `scripts` are the ones of `tests/` that could grade it: `grader.py`, `grader.sh`, `test.sh`, `test.bat`.
    """

    folder: str
    entry_id: Any
    name: Any
    at: Location
    entry_id_at: Location
    scripts: tuple[str, ...] = ()


class FrontMatter(NamedTuple):
    """The YAML head of SKILL.md, with the lines where its values stand."""

    name: Any
    description: Any
    at: Location
    name_at: Location
    description_at: Location


class Skill(NamedTuple):
    """A skill with what its evaluation needs, known in full only after everything below it was read.

    `graders` are the top-level ones (`evals/grader.*`), with their sizes only in `Grader` nodes of their own;
    `has_evals` tells whether there is an `evals/` folder, `skill_md` the name under which SKILL.md was found. `present`
    names what lies in the skill's root, in `evals/` and (files only) in `evals/harbor/`, relative to the root;
    `fixtures` are the files below `evals/files/`, relative to `evals/`.
    """

    name: str
    skill_md: str | None
    front_matter: FrontMatter | None
    has_evals: bool
    dataset: Dataset | None
    policy: Policy
    graders: tuple[Grader, ...]
    tasks: tuple[Brief, ...]
    manifest: Manifest | None
    fixtures: tuple[str, ...]
    at: Location
    complete: bool = True
    present: frozenset[str] = frozenset()
    named: bool = True

    @property
    def source(self) -> str:
        """Where SkillEvaluator takes the tasks from: `evals_json`, `native_harbor`, or empty if that cannot be told."""
        wanted = self.policy.task_source
        if wanted != "auto":
            return wanted if isinstance(wanted, str) and wanted in TASK_SOURCES else ""
        if self.dataset:
            return "evals_json"
        return "native_harbor" if self.tasks else ""


class RewardState(StrEnum):
    """What came out of a grading: four answers that are never counted as one another.

    `INVALID` is a file that its reader refuses, or one whose numbers it would bend into range; `NONE` is no reward at
    all: no file, or none with a number in it.
    """

    SCORE = "score"
    ZERO = "zero"
    INVALID = "invalid"
    NONE = "none"


class Reward(NamedTuple):
    """What a grader left in the verifier's folder, as one platform reads it, judged before any clamp.

    `overall` is None unless the state is `SCORE` or `ZERO`, and where the file has metrics and no number for the whole.
    `metrics` are the values that count; `keys` are all keys at the top level of `reward.json`, a metric that is not
    among them stands under `custom_metrics`. `shape` is `flat`, `nested`, `text` (of `reward.txt`) or empty. `at` is
    the file that decided, `reward.json` if there is none.
    """

    state: RewardState
    overall: float | None
    metrics: dict[str, float]
    details: dict[str, Any]
    at: Location
    shape: str = ""
    keys: tuple[str, ...] = ()


class ToolCall(NamedTuple):
    """A tool that the agent called; `arguments` are as recorded, usually a mapping."""

    name: str
    arguments: Any
    at: Location


class Trajectory(NamedTuple):
    """What an agent did, in the parts that matter for judging a grader.

    `final_text` is the text of the last agent step that has any; `observations` are what the tools answered, each cut
    to its first 4,096 characters. `complete` is false where more had to be left out to bound the memory.
    """

    steps: int
    agent_steps: int
    final_text: str
    calls: tuple[ToolCall, ...]
    observations: tuple[str, ...]
    at: Location
    complete: bool = True


Node = Problem | Grader | Case | Dataset | Policy | Manifest | Task | Skill | Reward | Trajectory


class Hidden(NamedTuple):
    """A finding that an ignore hides: the reason its author gave, and where the ignore stands."""

    finding: Finding
    reason: str
    source: str


class Report(NamedTuple):
    """What a check found: visible findings in order, hidden ones, and how many skills and tasks were read."""

    findings: tuple[Finding, ...]
    hidden: tuple[Hidden, ...] = ()
    skills: int = 0
    tasks: int = 0

    def count(self, severity: Severity) -> int:
        return sum(finding.severity == severity for finding in self.findings)

    def failed(self, *, strict: bool) -> bool:
        """Whether there is an error, or with `strict` a warning."""
        floor = Severity.WARNING if strict else Severity.ERROR
        return any(finding.severity >= floor for finding in self.findings)


def quoted(value: object) -> str:
    """How a value from a file stands in a message: in backticks, on one line, at most 60 characters of it."""
    if value is None or isinstance(value, bool):
        text = {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, int):
        text = str(value) if abs(value) < 10**60 else hex(value)
    elif isinstance(value, str | float):
        text = str(value) or '""'
    else:
        return type_name(value)
    if len(text) > 60:
        text = text[:59] + "…"
    return f"`{visible(text).replace('`', chr(39))}`"


def type_name(value: object) -> str:
    """What kind of value this is, in words that fit JSON, YAML and TOML."""
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "an integer", float: "a number", str: "text", list: "a list", dict: "a mapping"}
    return names.get(type(value), "a date" if hasattr(value, "isoformat") else "a value of another kind")


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The one of `known` that was most likely meant by `name`, or an empty text.

    Case, `-`, `_` and `.` make no difference; `cutoff` is the likeness (0 to 1) that is asked for otherwise. Of a very
    long list only the names of nearly the same length are compared.
    """
    from difflib import get_close_matches

    plain = {_plain(word): word for word in known}
    wanted = _plain(name[:128])
    if wanted in plain:
        return plain[wanted]
    if len(plain) > 200:
        plain = {key: word for key, word in plain.items() if key[:1] == wanted[:1] and abs(len(key) - len(wanted)) < 2}
    found = get_close_matches(wanted, list(plain)[:200], 1, cutoff)
    return plain[found[0]] if found else ""


def _plain(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "").replace(".", "")
