"""What `validate` does with fixes: show them as a diff, or make them and check again."""

import os
from typing import TYPE_CHECKING, NamedTuple

from gradewright.cli.delivery import Delivery, deliver
from gradewright.cli.output import fail, write_output
from gradewright.model import Report
from gradewright.settings import Settings

if TYPE_CHECKING:
    from gradewright.fix.rounds import Fixes


class Fixing(NamedTuple):
    """What the person at the keyboard wants fixed: `--fix`, `--unsafe-fixes`, `--diff`."""

    fix: bool = False
    unsafe: bool = False
    diff: bool = False

    def misuse(self, delivery: Delivery) -> str:
        """What does not go together, or an empty text."""
        if self.unsafe and not (self.fix or self.diff):
            return "--unsafe-fixes goes with --fix or --diff"
        if self.diff and (delivery.statistics or delivery.new_baseline or delivery.form != "text"):
            return "--diff shows no report, so --format, --statistics and --write-baseline do not go with it"
        return ""


def fix_and_deliver(report: Report, paths: list[str], settings: Settings, delivery: Delivery, fixing: Fixing) -> int:
    """Make the fixes of the report's visible findings and deliver what is left, or show them; the exit code."""
    from gradewright.baseline import BaselineError
    from gradewright.fix.session import carried_out, planned, session

    own = session(paths, settings, delivery.baseline)
    try:
        if fixing.diff:
            text = _diff(planned(report, own, unsafe=fixing.unsafe))
            return write_output(text, delivery.output) or int(bool(text) and not delivery.exit_zero)
        report, failures = carried_out(report, own, unsafe=fixing.unsafe)
    except BaselineError as error:
        return fail(str(error))
    code = deliver(report, paths, settings, delivery)
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
