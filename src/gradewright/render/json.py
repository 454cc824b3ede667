"""A report for programs: the stable, versioned document that `gradewright schema report` describes."""

import json
from typing import Any

from gradewright import __version__
from gradewright.finding import Finding, Location, Severity
from gradewright.model import Report
from gradewright.render import PLAIN, Style

VERSION = 1


def render(report: Report, style: Style = PLAIN) -> str:
    """The report as JSON in ASCII, so that no locale can break it."""
    document: dict[str, Any] = {
        "version": VERSION,
        "tool": {"name": "gradewright", "version": __version__},
        "summary": {
            "errors": report.count(Severity.ERROR),
            "warnings": report.count(Severity.WARNING),
            "notes": report.count(Severity.NOTE),
            "hidden": len(report.hidden),
            "skills": report.skills,
            "tasks": report.tasks,
            "gradings": report.gradings,
            "stale": report.stale,
            "fixable": {"safe": report.fixable[0], "unsafe": report.fixable[1]},
            "fixed": len(report.fixed),
        },
        "findings": [_finding(finding) for finding in report.findings],
        "hidden": [{**_finding(h.finding), "reason": h.reason, "source": h.source} for h in report.hidden],
        "fixed": [_finding(finding) for finding in report.fixed],
        "refused": [{**_finding(finding), "reason": reason} for finding, reason in report.refused],
    }
    if report.proofs:
        from gradewright.render import proofs

        document["proofs"] = [proofs.document(proof) for proof in report.proofs]
    if style.statistics:
        from gradewright.render.statistics import tallies

        document["statistics"] = [
            {
                "code": tally.rule.code,
                "name": tally.rule.name,
                "severity": tally.severity.label,
                "count": tally.shown,
                "hidden": tally.hidden,
            }
            for tally in tallies(report)
        ]
    return json.dumps(document, indent=2) + "\n"


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.rule.code,
        "name": finding.rule.name,
        "severity": finding.severity.label,
        **_place(finding.at),
        "message": finding.message,
        "hint": finding.hint or None,
        "url": finding.rule.url,
        "related": [_place(place) for place in finding.related],
        "fix": {"title": finding.fix.title, "safe": finding.fix.safe} if finding.fix else None,
    }


def _place(at: Location) -> dict[str, Any]:
    return {"path": at.path, "line": at.line or None, "column": at.column or None}
