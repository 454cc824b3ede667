"""A report for people: one finding after another with what to do, then the count."""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Severity
from gradewright.model import Report
from gradewright.render import PLAIN, Style
from gradewright.settings import BASELINE, COMMAND_LINE
from gradewright.visible import visible

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}


def render(report: Report, style: Style = PLAIN) -> str:
    """The report as text that is safe to print: control characters of untrusted files are escaped."""
    if style.statistics:
        lines = list(_statistics(report))
    else:
        lines = [line for finding in report.findings for line in _finding(finding, style.colour)]
    if not style.quiet:
        if not style.statistics:
            lines += _hidden(report)
            lines += _fixed(report)
            lines += _proofs(report)
        lines.append(summary(report))
    return "".join(line + "\n" for line in lines)


def place(at: Location) -> str:
    """`path:line:column`, as far as they are known."""
    parts = [visible(at.path)] + [str(number) for number in (at.line, at.column) if number]
    return ":".join(parts)


def _finding(finding: Finding, colour: bool) -> Iterator[str]:
    level = finding.severity.label
    if colour:
        level = f"\x1b[{_COLOURS[finding.severity]}m{level}\x1b[0m"
    mark = "" if finding.fix is None else "[fix] " if finding.fix.safe else "[unsafe fix] "
    yield f"{place(finding.at)}: {finding.rule.code} {level} {mark}{visible(finding.message)}"
    for other in finding.related:
        yield f"    see {place(other)}"
    if finding.hint:
        yield f"    {visible(finding.hint)}"


def _proofs(report: Report) -> Iterator[str]:
    if report.proofs:
        from gradewright.render import proofs

        yield from (visible(line) for line in proofs.lines(report))


def _statistics(report: Report) -> Iterator[str]:
    """A line for each rule that found something, the most frequent first."""
    from gradewright.render.statistics import tallies

    for tally in tallies(report):
        hidden = f" ({tally.hidden} hidden)" if tally.hidden else ""
        yield f"{tally.shown:>7}  {tally.rule.code} {tally.severity.label:7}  {tally.rule.name}{hidden}"


def _hidden(report: Report) -> Iterator[str]:
    """A line for each hidden finding; for what the reader has just chosen to hide the count is enough."""
    for hidden in report.hidden:
        if hidden.source in (COMMAND_LINE, BASELINE):
            continue
        finding = hidden.finding
        yield f"hidden: {place(finding.at)}: {finding.rule.code} {visible(hidden.reason)} ({visible(hidden.source)})"


def _fixed(report: Report) -> Iterator[str]:
    """A line for each finding that was fixed, as it stood there before, and for each that could not be."""
    for finding in report.fixed:
        yield f"fixed: {place(finding.at)}: {finding.rule.code} {visible(finding.fix.title if finding.fix else '')}"
    for finding, reason in report.refused:
        yield f"not fixed: {place(finding.at)}: {finding.rule.code} {visible(reason)}"


def _fixes(report: Report) -> str:
    """How many findings were fixed, and how many could be."""
    safe, unsafe = report.fixable
    refused = sum(finding.fix.safe for finding, _ in report.refused if finding.fix)
    counts = [
        (len(report.fixed), "fixed"),
        (max(safe - refused, 0), "fixable with --fix"),
        (max(unsafe - len(report.refused) + refused, 0), "fixable with --fix --unsafe-fixes"),
    ]
    return "".join(f"; {count} {what}" for count, what in counts if count)


def summary(report: Report) -> str:
    """One line: what was found, in how much, what is not shown, and what can be or was fixed."""
    counts = [(report.count(level), level.label) for level in sorted(Severity, reverse=True)]
    found = ", ".join(f"{count} {label}{'s' if count > 1 else ''}" for count, label in counts if count)
    read = [(report.skills, "skill"), (report.tasks, "task"), (report.gradings, "grading file")]
    read += [(len(report.proofs), "proof")]
    scope = " and ".join(f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in read if count)
    hidden = f"; {len(report.hidden)} hidden" if report.hidden else ""
    idle = sum(not proof.aspects()["good work"] for proof in report.proofs)
    hidden += f"; {idle} without good work" if idle else ""
    stale = f"; {report.stale} stale in the baseline" if report.stale else ""
    return f"{found or 'no findings'} in {scope or 'no skills'}{hidden}{stale}{_fixes(report)}"
