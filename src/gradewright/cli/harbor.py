"""What `validate --with-harbor-lint` adds to a report before it is delivered."""

from gradewright.cli.delivery import Delivery, deliver
from gradewright.cli.fixing import Fixing
from gradewright.cli.output import fail
from gradewright.model import Report
from gradewright.settings import Settings


def lint_and_deliver(report: Report, paths: list[str], settings: Settings, delivery: Delivery, fixing: Fixing) -> int:
    """Deliver the report together with what Harbor's linter finds; the exit code."""
    from gradewright.harbor.lint import INSTALL, HarborMissingError, with_harbor_lint

    if fixing.fix or fixing.diff:
        return fail("--with-harbor-lint does not go with --fix or --diff", "fix first, then run it again")
    try:
        report = with_harbor_lint(report, paths, settings)
    except HarborMissingError as error:
        return fail(str(error), f"install it with `{INSTALL}`")
    return deliver(report, paths, settings, delivery)
