"""From a report to a report: what can be fixed below some paths is fixed, and what is left is found again."""

from collections.abc import Sequence
from typing import NamedTuple

from gradewright.baseline import compare
from gradewright.check import check_roots
from gradewright.finding import Finding, RenameFile
from gradewright.fix.rounds import Fixes, fixes, recovered, without, write
from gradewright.model import Problem, Report
from gradewright.read.discover import Root, discover, merged
from gradewright.settings import Settings
from gradewright.write import WriteError

_STAGES = 3
"""What a file holds that gets the name under which it is read is only seen after that."""

Failure = tuple[str, WriteError]
"""A root that was left as it is, and why."""


class Session(NamedTuple):
    """What `paths` stand for, and how it is checked; findings that `baseline` knows are left alone."""

    paths: list[str]
    items: list[Root | Problem]
    settings: Settings
    baseline: str

    def known(self, report: Report) -> Report:
        """The report without what the baseline knows; raises BaselineError."""
        return compare(report, self.baseline, self.paths, self.settings) if self.baseline else report


def session(paths: Sequence[str], settings: Settings, baseline: str | None = None) -> Session:
    """A session for `paths`; `baseline` is preferred to that of the settings."""
    items = merged(item for path in paths for item in discover(path))
    return Session(list(paths), items, settings, baseline or settings.baseline or "")


def planned(report: Report, of: Session, *, unsafe: bool) -> Fixes:
    """What fixing the visible findings of `report` comes to; nothing is written. Raises BaselineError."""
    settings = of.settings._replace(jobs=1, seconds=None)
    return fixes(
        of.known(report),
        [item for item in of.items if isinstance(item, Root)],
        lambda roots: of.known(check_roots(roots, settings)),
        unsafe=unsafe,
    )


def carried_out(report: Report, of: Session, *, unsafe: bool) -> tuple[Report, list[Failure]]:
    """The report after everything was fixed that could be, and what could not be written. Raises BaselineError."""
    fixed: list[Finding] = []
    if recovered(of.items):
        report = check_roots(of.items, of.settings)
    for _ in range(_STAGES):
        found = planned(report, of, unsafe=unsafe)
        failures = write(found)
        if found.changes:
            report = check_roots(of.items, of.settings)
        found = without(found, failures)
        fixed += found.fixed
        if failures or not any(finding.fix and isinstance(finding.fix.remedy, RenameFile) for finding in found.fixed):
            break
    return report._replace(fixed=tuple(fixed), refused=found.refused), failures
