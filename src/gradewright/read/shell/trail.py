"""One way through a shell script: what was asked on it, how it was answered, and where values come from."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from gradewright.finding import Location
from gradewright.model import Write
from gradewright.read.shell.state import HOLE

SUCCESS = "0"
UNKNOWN_STATUS = re.compile(HOLE + r"\?(\d{1,6})\Z")
MAX_STATUSES = 5000

# what a question is about
TESTS = "tests"
"""Whether a test run, or a script of the task's tests, succeeds."""

PRESENCE = "presence"
"""Whether something exists, or has content."""

SEARCH = "search"
"""Whether a text is found in what the agent left."""

TOOL = "tool"
"""Whether a program is installed."""

COUNTED = "counted"
"""Whether the exit status of a test run is one of those that stand for no verdict; asked only when it is not zero."""

SETUP = "setup"
"""Whether something worked that is only done to prepare."""

OTHER = "other"


class Question(NamedTuple):
    """Something that only a run can answer. Questions with the same `key` have the same answer on one way.

    `subject` is the path or the program concerned.
    """

    kind: str
    key: tuple[str, ...]
    subject: str
    at: Location


class Status(NamedTuple):
    """An exit status: of a `question`, or `not`, `all`, `any` of other statuses."""

    how: str
    parts: tuple[str, ...] = ()
    question: Question | None = None


class Origin(NamedTuple):
    """Where a value comes from: `what` is a kind of `Sign`."""

    what: str
    detail: str
    at: Location | None


class Entry(NamedTuple):
    """What stands in a reward file: its text with HOLEs, where it is written, what it is made of.

    `order` tells before or after which runs of other programs it was written.
    """

    text: str
    at: Location
    origins: frozenset[Origin]
    order: int


class Trail:
    """The state of one way. `plan` answers the first questions; all further ones are answered with yes."""

    __slots__ = (
        "answers",
        "asked",
        "blind",
        "clock",
        "dependent",
        "entries",
        "exempt",
        "failed_at",
        "flow",
        "foreign",
        "given",
        "left_at",
        "left_by",
        "named",
        "origins",
        "plan",
        "programs",
        "runs",
        "staged",
        "statuses",
        "stdin",
        "substituted",
        "sum",
        "tested",
        "texts",
        "uncertain",
        "written",
    )  # fmt: skip

    def __init__(self, plan: list[bool], add_up: Callable[[Any, Any], str]) -> None:
        self.plan = plan
        self.sum = add_up
        self.asked: list[Question] = []
        self.answers: list[bool] = []
        self.given: dict[tuple[str, ...], bool] = {}
        self.statuses: list[Status] = []
        self.flow: set[Origin] = set()
        self.stdin: frozenset[Origin] = frozenset()
        self.origins: dict[str, frozenset[Origin]] = {}
        self.written: dict[str, frozenset[Origin]] = {}
        self.entries: dict[str, Entry] = {}
        self.substituted: str | None = None
        self.exempt = False
        self.blind = False
        self.uncertain = False
        self.failed_at: Question | None = None
        self.left_at: Location | None = None
        self.left_by = ""
        self.foreign = -1
        self.runs = 0
        self.clock = 0
        self.named: set[str] = set()
        self.texts: set[str] = set()
        self.programs: set[str] = set()
        self.staged: list[str] = []
        self.tested: frozenset[Origin] = frozenset()
        self.dependent: dict[tuple[str, ...], frozenset[Origin]] = {}

    @property
    def is_followed_blindly(self) -> bool:
        """Whether something has run that may have written a reward out of sight."""
        return self.runs > 0 or self.foreign >= 0 or self.uncertain

    def ask(self, question: Question) -> bool:
        """The answer to `question` on this way."""
        if question.key in self.given:
            return self.given[question.key]
        position = len(self.asked)
        answer = self.plan[position] if position < len(self.plan) else True
        self.asked.append(question)
        self.answers.append(answer)
        self.given[question.key] = answer
        return answer

    def status(self, how: str, *parts: str, question: Question | None = None) -> str:
        """The text that stands for an exit status which is not known yet."""
        if len(self.statuses) >= MAX_STATUSES:
            self.blind = True
            return SUCCESS
        self.statuses.append(Status(how, parts, question))
        return f"{HOLE}?{len(self.statuses) - 1}"

    def is_success(self, text: str, at: Location) -> bool:
        """Whether the status that `text` stands for is 0; asks if that is not known."""
        match = UNKNOWN_STATUS.match(text)
        if match is None:
            if text.strip().isdigit():
                return int(text) == 0
            return self.ask(Question(OTHER, ("status", str(at.line), str(at.column)), "", at))
        status = self.statuses[int(match[1])]
        if status.question is not None:
            return self.ask(status.question)
        answers = (self.is_success(part, at) for part in status.parts)
        if status.how == "not":
            return not next(answers)
        return all(answers) if status.how == "all" else any(answers)

    def depends(self, question: Question, origins: frozenset[Origin]) -> None:
        """Put down what the answer to `question` depends on."""
        if origins:
            self.dependent[question.key] = origins

    def question_of(self, text: str) -> Question | None:
        """The question that decides about a status, if it is a single one."""
        match = UNKNOWN_STATUS.match(text)
        return self.statuses[int(match[1])].question if match else None

    def enter(self) -> tuple[dict[str, frozenset[Origin]], set[Origin]]:
        """Begin a function, whose arguments come from wherever the words of its call do; gives what to `leave` with."""
        kept = self.origins, self.flow
        arguments = frozenset(self.flow)
        self.origins = self.origins | dict.fromkeys((*"123456789@*",), arguments)
        self.flow = set()
        return kept

    def leave(self, kept: tuple[dict[str, frozenset[Origin]], set[Origin]]) -> None:
        """End a function: its arguments are gone, what it has set stays."""
        outside, _ = kept
        self.origins.update({name: outside.get(name, frozenset()) for name in "123456789@*"})

    def wrote(self, write: Write, text: str, rewards: tuple[str, ...]) -> None:
        """Take in that a file is written."""
        if write.path is None:
            self.uncertain = True
        elif write.path in rewards:
            text = HOLE if write.conditional else text
            self.texts.add(" ".join(text.split()))
            self.entries[write.path] = Entry(text, write.at, frozenset(self.flow), self.clock)
        if write.path is not None:
            self.written[write.path] = frozenset(self.flow)
