"""A native Harbor task."""

from typing import Any, NamedTuple

from gradewright.finding import Location
from gradewright.model.grader import Grader


class Withheld(NamedTuple):
    """A file, relative to the task, that a pattern of a `.harborignore` at `at` keeps from being sent."""

    path: str
    at: Location


class Answer(NamedTuple):
    """A text that a reference solution writes as it stands, or brings along, and where."""

    text: str
    at: Location


class Step(NamedTuple):
    """One of `[[steps]]`: the text of its instruction, and the scripts in its own `tests/`, the test script first.

    `solution` is the text of its own `solution/solve.sh`; `offline` is the setting that takes the network from its
    verifier.
    """

    name: Any
    instruction: str | None
    scripts: tuple[Grader, ...]
    at: Location
    solution: str | None = None
    offline: Location | None = None


class Source(NamedTuple):
    """A local path that a Dockerfile copies or mounts for a command, as it is written there.

    `found` is False only where the build certainly fails because the build context has no such path; `elsewhere` is
    then a path of the context that may have been meant. `ignored` tells that it is there, and that an ignore file
    leaves it out of the context. `context` is the folder that the path begins at, as the task sees it.
    """

    path: str
    at: Location
    found: bool = True
    elsewhere: str = ""
    ignored: bool = False
    context: str = "environment"


class Leak(NamedTuple):
    """A file that the agent gets to see although it belongs to the grading.

    `path` (relative to the task) is the file, `of` the file of the task that it is or has the content of, `kind` one of
    the constants below. `via` is what an instruction or a mount at `at` says to bring it in. `certain` is False where a
    command decides about it.
    """

    path: str
    of: str
    kind: str
    via: str
    at: Location
    certain: bool = True


LEAKS_SOLUTION = "solution"
"""The script that solves the task."""

LEAKS_SOLUTION_PART = "solution-part"
"""Another file of `solution/`, which may be one that the agent has anyway."""

LEAKS_GRADING = "grading"
"""The script that grades: `test.sh`, `grader.py`, `grader.sh`."""

LEAKS_TESTS = "tests"
"""Tests that the grading script runs, which some tasks show to the agent on purpose."""

LEAKS_ANSWER = "answer"
"""An expected result."""

LEAKS_SKILL = "skill"
"""The `SKILL.md` of the skill that is evaluated."""


class Packages(NamedTuple):
    """The Python packages that an image gets beyond the standard library, pip, setuptools and wheel.

    `names` are those that RUN lines install by name, as indexes compare them (`scikit-learn`); what these depend on
    comes with them and is not named. `files` are files of requirements that are installed, as the Dockerfile writes
    them. `complete` is True only if nothing else can bring a package: the base is a plain Python, Debian, Ubuntu or
    Alpine, and no line runs a program or copies something that might.
    """

    names: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()
    complete: bool = False


class Image(NamedTuple):
    """What a task's environment is built from.

    `kind` is `dockerfile`, `compose`, `docker_image` or `none`; `base` the reference after the last FROM, `python`
    the Python version it names, such as `3.10`. `sources` are local paths copied in, each with its place. `based` is
    False for a Dockerfile that has instructions and no FROM. An image that will not be built has no sources. `packages`
    are those of Python; nothing is known of them unless they are `complete`. `leaks` are files that the agent must not
    see, `missing` the Dockerfiles that a compose file builds from and that are not there. `overlooked` is a compose
    file with a name that Harbor does not look for.
    """

    kind: str
    base: str | None
    python: str | None
    sources: tuple[Source, ...]
    at: Location
    based: bool = True
    packages: Packages = Packages()
    leaks: tuple[Leak, ...] = ()
    missing: tuple[Source, ...] = ()
    overlooked: Location | None = None


class Task(NamedTuple):
    """A native Harbor task: a folder with `task.toml`. `entry_id` falls back to the folder's name.

    `test_script` is the `test.sh` at the root of `tests/` (a `test.bat` is not read); `present` names the files and
    folders of the task that exist, relative to it, and `links` the symbolic links among them. `missing` are the
    instructions and test scripts that Harbor asks for and that are not there; it is empty where the configuration
    cannot be read. `environment_header` is a table header that is not written plainly as `[environment]`. `answers` are
    texts that a right solution is known to leave behind: written as they stand by the reference solution, or expected
    by the dataset. `withheld` are files that are not sent to the container, `idle` the paths of solutions that do
    nothing. `verifier_image` is the one that the scripts of `tests/` run in: the agent's, unless the verifier has its
    own; None if that cannot be told. `offline` is the setting that takes the network from the verifier.
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
    withheld: tuple[Withheld, ...] = ()
    idle: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    verifier_image: Image | None = None
    offline: Location | None = None

    @property
    def config_at(self) -> Location:
        """`task.toml` as a whole; follow the keys of a value with `within`."""
        return Location(f"{self.folder}/task.toml")

    def table(self, *keys: str) -> dict[str, Any]:
        """The table at `keys` of the configuration, empty if there is none: Harbor need not have accepted it."""
        found: Any = self.config
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}

    @property
    def solutions(self) -> tuple[tuple[str, str], ...]:
        """The path and the text of every reference solution: of the task and of each step."""
        own = ((f"steps/{step.name}/solution/solve.sh", step.solution) for step in self.steps)
        named = [("solution/solve.sh", self.solution), *own]
        return tuple((f"{self.folder}/{name}", text) for name, text in named if text is not None)

    @property
    def scripts(self) -> tuple[Grader, ...]:
        """Every script that takes part in grading: the grader, the test script, what lies beside them, the steps'."""
        own = (self.grader, self.test_script, *self.helpers)
        return (*(script for script in own if script), *(script for step in self.steps for script in step.scripts))

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
