"""What a check reports: rules, findings and the places they point at."""

from collections.abc import Iterable
from enum import IntEnum
from typing import Any, NamedTuple, Protocol

DOCS_URL = "https://gradewright.readthedocs.io/en/latest/"
TARGETS = frozenset({"skillevaluator", "harbor"})


class Severity(IntEnum):
    """How much a finding matters; the names are the levels of SARIF 2.1.0."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        return self.name.lower()


class Location(NamedTuple):
    """A place in a file.

    `line` and `column` count from 1; line 0 is the whole file. `keys` names a value inside a data file
    (JSON, YAML, TOML) whose line is looked up only if a finding is reported there; see `read.positions`.
    """

    path: str
    line: int = 0
    column: int = 0
    keys: tuple[str | int, ...] = ()

    @property
    def name(self) -> str:
        """The name of the file or folder, without those that it lies in."""
        return self.path.replace("\\", "/").rpartition("/")[2]

    def within(self, *keys: str | int) -> "Location":
        """The value found by following `keys` from this one."""
        return self._replace(keys=self.keys + keys)


class Located(Protocol):
    """Every node of the model knows where it stands."""

    @property
    def at(self) -> Location: ...


class Edit(NamedTuple):
    """Replace the bytes `start` to `end` of `path` (0-based, end exclusive) by `text`, in UTF-8."""

    path: str
    start: int
    end: int
    text: str


class DropMark(NamedTuple):
    """Drop the byte order mark at the start of the file."""

    at: Location


class EndLines(NamedTuple):
    """End every line of the script with LF in place of CRLF."""

    at: Location


class DropCommas(NamedTuple):
    """Drop every comma behind the last item of a JSON list or object."""

    at: Location


class DropComments(NamedTuple):
    """Drop every comment of a JSON file."""

    at: Location


class RenameKey(NamedTuple):
    """Call the key at `at.keys` of a data file `to`, unless there is one of that name beside it."""

    at: Location
    to: str


class SetText(NamedTuple):
    """Write `to` in place of the text at `at.keys` of a data file."""

    at: Location
    to: str


class DropTwin(NamedTuple):
    """Delete the key at `at.keys` of a YAML file: the key `twin` beside it says the same."""

    at: Location
    twin: str


class AddTask(NamedTuple):
    """List a task of the name `name` in the `dataset.toml` at `at`."""

    at: Location
    name: str


class PlainHeader(NamedTuple):
    """Put the comment behind the TOML table header at `at.line` on a line of its own above it."""

    at: Location


class FirstLine(NamedTuple):
    """Make `text` the very first line of the script."""

    at: Location
    text: str


class RenameMetric(NamedTuple):
    """Call the metric `name` of a grader `to`, in every place that names it; not at all if they cannot all be told."""

    at: Location
    name: str
    to: str


class RedirectReward(NamedTuple):
    """Let the script write its reward to `to` in place of `path`, if there is one place that names that."""

    at: Location
    path: str
    to: str


class RenewContract(NamedTuple):
    """Put the current contract block of our scaffolds in place of the grader's own."""

    at: Location


class RenameFile(NamedTuple):
    """Give the file at `at` the name `to`, in the same folder."""

    at: Location
    to: str


Remedy = (
    DropMark
    | EndLines
    | DropCommas
    | DropComments
    | RenameKey
    | SetText
    | DropTwin
    | AddTask
    | PlainHeader
    | FirstLine
    | RenameMetric
    | RedirectReward
    | RenewContract
    | RenameFile
)
"""A change as a rule can name it, which sees no text; `fix` looks for the place when the change is asked for."""


class Fix(NamedTuple):
    """How a finding could be mended: `title` is an imperative, `safe` that it cannot change what a grader measures."""

    title: str
    safe: bool
    remedy: Remedy


class Rule(NamedTuple):
    """One kind of fault, judged on one type of node, for the platforms in `targets`."""

    code: str
    name: str
    severity: Severity
    on: type[Any]
    targets: frozenset[str] = TARGETS

    @property
    def url(self) -> str:
        return f"{DOCS_URL}rules/{self.name}/"

    def at(
        self,
        where: Location | Located,
        message: str,
        *,
        hint: str = "",
        fix: Fix | None = None,
        severity: Severity | None = None,
        related: Iterable[Location] = (),
    ) -> "Finding":
        """A finding of this rule. `severity` may lower the rule's own and never raises it."""
        at = where if isinstance(where, Location) else where.at
        level = self.severity if severity is None else min(severity, self.severity)
        return Finding(self, at, message, hint, level, fix, tuple(related))


class Finding(NamedTuple):
    """One fault at one place: what is wrong (`message`) and what to do (`hint`, an imperative)."""

    rule: Rule
    at: Location
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    fix: Fix | None = None
    related: tuple[Location, ...] = ()

    @property
    def order(self) -> tuple[Location, str, str]:
        """The sort key of every report: by place, then by rule."""
        return self.at, self.rule.code, self.message
