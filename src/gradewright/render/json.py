"""A report for programs: the stable, versioned document that `gradewright schema report` describes."""

import json
from typing import Any

from gradewright import __version__
from gradewright.finding import Finding, Location, Severity
from gradewright.model import Report

VERSION = 1


def render(report: Report) -> str:
    """The report as JSON in ASCII, so that no locale can break it."""
    document = {
        "version": VERSION,
        "tool": {"name": "gradewright", "version": __version__},
        "summary": {
            "errors": report.count(Severity.ERROR),
            "warnings": report.count(Severity.WARNING),
            "notes": report.count(Severity.NOTE),
            "hidden": len(report.hidden),
            "skills": report.skills,
            "tasks": report.tasks,
        },
        "findings": [_finding(finding) for finding in report.findings],
        "hidden": [{**_finding(h.finding), "reason": h.reason, "source": h.source} for h in report.hidden],
    }
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
    }


def _place(at: Location) -> dict[str, Any]:
    return {"path": at.path, "line": at.line or None, "column": at.column or None}
