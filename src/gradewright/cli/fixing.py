"""What `validate` does with fixes: show them as a diff, or make them and check again."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from gradewright.check import check_roots
from gradewright.cli.delivery import Delivery, deliver
from gradewright.cli.output import fail, write_output
from gradewright.model import Problem, Report
from gradewright.read.discover import Root, discover, merged
from gradewright.settings import Settings

if TYPE_CHECKING:
    from gradewright.fix.rounds import Fixes


class Fixing(NamedTuple):
    """What the person at the keyboard wants fixed: `--fix`, `--unsafe-fixes`, `--diff`."""

    fix: bool = False
    unsafe: bool = False
    diff: bool = False

    @property
    def misuse(self) -> str:
        """What does not go together, or an empty text."""
        alone = self.unsafe and not (self.fix or self.diff)
        return "--unsafe-fixes goes with --fix or --diff" if alone else ""


def fix_and_deliver(report: Report, paths: list[str], settings: Settings, delivery: Delivery, fixing: Fixing) -> int:
    """Make the fixes of the report's visible findings and deliver what is left, or show them; the exit code."""
    from gradewright.baseline import BaselineError
    from gradewright.fix.rounds import without, write

    baseline = delivery.baseline or settings.baseline
    try:
        items, found = _fixes(report, paths, settings, baseline, fixing)
    except BaselineError as error:
        return fail(str(error))
    if fixing.diff:
        text = _diff(found)
        return write_output(text, delivery.output) or int(bool(text) and not delivery.exit_zero)
    failures = write(found)
    if found.changes:
        report = check_roots(items, settings)
    found = without(found, failures)
    code = deliver(report._replace(fixed=found.fixed, refused=found.refused), paths, settings, delivery)
    for root, failure in failures:
        code = fail(f"{root}: nothing was fixed: {failure.message}", failure.hint)
    return code


def _diff(found: "Fixes") -> str:
    """The changes, with paths from the working folder where they lie in it."""
    from gradewright.write.diff import unified

    here = os.getcwd()
    text = ""
    for root, changes in found.changes.items():
        inside = os.path.relpath(root, here)
        if inside.startswith(os.pardir):
            text += unified(root, changes)
        else:
            text += unified(here, [one._replace(path=os.path.normpath(f"{inside}/{one.path}")) for one in changes])
    return text


def _fixes(
    report: Report, paths: Sequence[str], settings: Settings, baseline: str | None, fixing: Fixing
) -> tuple[list[Root | Problem], "Fixes"]:
    """What `paths` stand for, and what is to be fixed there; a finding that the baseline knows is left as it is."""
    from gradewright.baseline import compare
    from gradewright.fix.rounds import fixes

    def known(current: Report) -> Report:
        return compare(current, baseline, list(paths), settings) if baseline else current

    items = merged(item for path in paths for item in discover(path))
    found = fixes(
        known(report),
        [item for item in items if isinstance(item, Root)],
        lambda roots: known(check_roots(roots, settings._replace(jobs=1))),
        unsafe=fixing.unsafe,
    )
    return items, found
