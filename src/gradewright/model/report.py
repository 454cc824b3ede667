"""What a check found."""

from typing import NamedTuple

from gradewright.finding import Finding, Severity


class Hidden(NamedTuple):
    """A finding that an ignore hides: the reason its author gave, and where the ignore stands."""

    finding: Finding
    reason: str
    source: str


class Report(NamedTuple):
    """What a check found: visible findings in order, hidden ones, and how many skills and tasks were read.

    `stale` counts the entries of a baseline that stand for a finding which is gone.
    """

    findings: tuple[Finding, ...]
    hidden: tuple[Hidden, ...] = ()
    skills: int = 0
    tasks: int = 0
    stale: int = 0

    def count(self, severity: Severity) -> int:
        return sum(finding.severity == severity for finding in self.findings)

    def failed(self, *, strict: bool) -> bool:
        """Whether there is an error, or with `strict` a warning."""
        floor = Severity.WARNING if strict else Severity.ERROR
        return any(finding.severity >= floor for finding in self.findings)
