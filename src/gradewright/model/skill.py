"""A skill and what its evaluation is made of."""

from typing import Any, NamedTuple

from gradewright.contract import TASK_SOURCES
from gradewright.finding import Location
from gradewright.model.grader import Grader
from gradewright.model.words import quoted


class Fixture(NamedTuple):
    """One path of an entry's `files`, resolved as SkillEvaluator stages it (from `evals/`).

    `state` is `found`, `missing`, `absolute`, `escapes`, `backslash`, `uri`, `link`, `evaluator` (a file of the
    evaluation itself: answer key, grader, SKILL.md), `blank`, `not-text`, or `unknown` where this user may not look;
    `elsewhere` is a file of that name which is there, seen from `evals/`: with `../` it lies in the skill's root, where
    no spelling reaches it.
    """

    path: str
    state: str
    at: Location
    elsewhere: str = ""


class Case(NamedTuple):
    """One entry of the dataset. Values are as they stand in the file; `id` is None when there is none.

    `fixtures` is None where the entry has no `files` at all: the whole of `evals/files/` is then staged. `fields` are
    the keys that are there; `expectations` is a list that skill-creator reads and SkillEvaluator drops. `entry` is the
    whole entry as it was parsed.
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
    entry: dict[Any, Any] = {}  # noqa: RUF012 - never changed

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
