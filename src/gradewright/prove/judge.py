"""Turn proofs into a report, by the same rules and ignores as any check."""

from collections.abc import Iterable, Iterator

from gradewright.catalogue import require_known
from gradewright.check import Checker
from gradewright.finding import Finding, Location, Severity
from gradewright.ignore import comments_in, hide, reasonless
from gradewright.model import Node, Report
from gradewright.prove.session import Proven
from gradewright.read.data.locate import locate_all
from gradewright.settings import Settings

_MOST_PLACES = 5
"""Samples that are named below one finding."""


def judged(proven: Iterable[Proven], settings: Settings) -> Report:
    """The report on proofs; raises `UnknownRuleError` for settings that name a rule we lack."""
    require_known([*settings.select, *(ignore.rule for ignore in settings.ignore)])
    proven = list(proven)
    checker = Checker(settings._replace(harbor_contract=True))
    findings = _merged(finding for one in proven for node in _nodes(one) for finding in checker.judge(node))
    findings = locate_all(findings)
    comments = comments_in({finding.at.path for finding in findings})
    findings += checker.judge_all(reasonless(comments))
    visible, hidden = hide(findings, comments, settings)
    return Report(tuple(visible), tuple(hidden), proofs=tuple(one.proof for one in proven))


def _nodes(proven: Proven) -> Iterator[Node]:
    """What the rules see: nothing follows from a trial that lacked something here."""
    yield from proven.problems
    yield from (trial for trial in proven.proof.trials if not trial.lacking)
    yield proven.proof


def _merged(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for the same fault at the same place, shown by the first of the samples and naming the others."""
    found: dict[tuple[str, Location, Severity, str], Finding] = {}
    for finding in findings:
        key = finding.rule.code, finding.at, finding.severity, finding.message
        first = found.setdefault(key, finding)
        places = tuple(dict.fromkeys((*first.related, *finding.related)))[:_MOST_PLACES]
        found[key] = first._replace(related=places)
    return list(found.values())
