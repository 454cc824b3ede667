"""A report as commands to the runner of GitHub Actions, which shows each finding beside its line.

https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions: a line `::error file=...::message`.
Text of files must neither end the line nor the part it stands in.
"""

from gradewright.baseline import Relative
from gradewright.finding import Finding, Severity
from gradewright.model import Report
from gradewright.render import PLAIN, Style, repository
from gradewright.render.text import place, summary
from gradewright.visible import visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_NEW_LINE = "%0A"


def render(report: Report, style: Style = PLAIN) -> str:
    """A line for each finding, in ASCII but for letters of other scripts, and the summary."""
    relative = Relative(repository())
    lines = [_command(finding, relative) for finding in report.findings]
    if not style.quiet:
        lines.append(summary(report))
    return "".join(f"{line}\n" for line in lines)


def _command(finding: Finding, relative: Relative) -> str:
    """The log shows the message only, so that it begins with the place."""
    at = finding.at._replace(path=relative.path(finding.at.path))
    properties = {"title": f"{finding.rule.code} {finding.rule.name}", "file": at.path}
    properties |= {key: str(number) for key, number in (("line", at.line), ("col", at.column)) if number}
    given = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    message = f"{place(at)}: {finding.rule.code} {finding.message}"
    parts = [message, *([finding.hint] if finding.hint else []), finding.rule.url]
    return f"::{_COMMANDS[finding.severity]} {given}::{_NEW_LINE.join(map(_data, parts))}"


def _data(text: str) -> str:
    """No line break is left, and no `%` that a runner could take for an escape."""
    return visible(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
