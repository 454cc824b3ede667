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

    def within(self, *keys: str | int) -> "Location":
        """The value found by following `keys` from this one."""
        return self._replace(keys=self.keys + keys)


class Located(Protocol):
    """Every node of the model knows where it stands."""

    @property
    def at(self) -> Location: ...


class Edit(NamedTuple):
    """Replace the bytes `start` to `end` of `path` (0-based, end exclusive) by `text`."""

    path: str
    start: int
    end: int
    text: str


class Fix(NamedTuple):
    """How a finding could be mended; `safe` means it cannot change what a grader measures."""

    title: str
    safe: bool
    edits: tuple[Edit, ...]


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
