"""What a check found."""

from typing import NamedTuple

from gradewright.finding import Finding, Severity
from gradewright.model.proof import Proof


class Hidden(NamedTuple):
    """A finding that an ignore hides: the reason its author gave, and where the ignore stands."""

    finding: Finding
    reason: str
    source: str


class Refusal(NamedTuple):
    """A finding whose fix was asked for and not made, with the reason."""

    finding: Finding
    reason: str


class Report(NamedTuple):
    """What a check found: visible findings in order, hidden ones, and how many skills and tasks were read.

    `stale` counts the entries of a baseline that stand for a finding which is gone; `fixed` are findings that were
    fixed and so are no longer there, `refused` those that could not be. `gradings` are grading files outside of skills,
    `proofs` what trying graders out has shown.
    """

    findings: tuple[Finding, ...]
    hidden: tuple[Hidden, ...] = ()
    skills: int = 0
    tasks: int = 0
    stale: int = 0
    fixed: tuple[Finding, ...] = ()
    refused: tuple[Refusal, ...] = ()
    gradings: int = 0
    proofs: tuple[Proof, ...] = ()

    @property
    def fixable(self) -> tuple[int, int]:
        """How many visible findings have a safe fix, and how many an unsafe one."""
        safe = [finding.fix.safe for finding in self.findings if finding.fix]
        return sum(safe), len(safe) - sum(safe)

    def count(self, severity: Severity) -> int:
        return sum(finding.severity == severity for finding in self.findings)

    def failed(self, *, strict: bool) -> bool:
        """Whether there is an error, or with `strict` a warning."""
        floor = Severity.WARNING if strict else Severity.ERROR
        return any(finding.severity >= floor for finding in self.findings)
