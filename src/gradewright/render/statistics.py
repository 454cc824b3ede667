"""How often each rule found something."""

from collections import Counter
from typing import NamedTuple

from gradewright.finding import Rule, Severity
from gradewright.model import Report


class Tally(NamedTuple):
    """The findings of a rule: shown ones, hidden ones, and the highest severity among them all."""

    rule: Rule
    severity: Severity
    shown: int
    hidden: int


def tallies(report: Report) -> list[Tally]:
    """All rules that found something, the most frequent first."""
    shown = Counter(finding.rule for finding in report.findings)
    hidden = Counter(one.finding.rule for one in report.hidden)
    worst: dict[Rule, Severity] = {}
    for finding in [*report.findings, *(one.finding for one in report.hidden)]:
        worst[finding.rule] = max(finding.severity, worst.get(finding.rule, Severity.NOTE))
    found = [Tally(rule, severity, shown[rule], hidden[rule]) for rule, severity in worst.items()]
    return sorted(found, key=lambda tally: (-tally.shown, -tally.hidden, tally.rule.code))
