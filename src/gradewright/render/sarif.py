"""A report as SARIF 2.1.0, for code scanning and the viewers of editors.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html, and what GitHub shows of it:
https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
"""

import json
import os
import sys
from itertools import groupby
from typing import Any
from urllib.parse import quote

from gradewright import __version__
from gradewright.baseline import Relative, fingerprints
from gradewright.catalogue import load
from gradewright.contract import MAX_DATASET
from gradewright.finding import DOCS_URL, Edit, Finding, Location, Rule
from gradewright.fix import edits
from gradewright.model import Report
from gradewright.read.files import read_bytes
from gradewright.render import PLAIN, Style, repository
from gradewright.settings import BASELINE, COMMAND_LINE
from gradewright.visible import visible

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"
_SCALE = {"error": "error", "warning": "warning", "note": "recommendation"}
"""The levels in GitHub's words."""


def render(report: Report, style: Style = PLAIN) -> str:
    """The report as JSON in ASCII, with paths relative to the repository: the same wherever that lies."""
    findings = [*report.findings, *(hidden.finding for hidden in report.hidden)]
    rules = sorted({finding.rule for finding in findings}, key=lambda rule: rule.code)
    run = {
        "tool": {"driver": _driver(rules)},
        "invocations": [{"executionSuccessful": True, "exitCode": style.exit_code}],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": _results(report, [rule.code for rule in rules]),
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _driver(rules: list[Rule]) -> dict[str, Any]:
    return {
        "name": "gradewright",
        "semanticVersion": __version__,
        "informationUri": DOCS_URL,
        "rules": [_rule(rule) for rule in rules],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    """The rule's docstring: its first line, the reason why it is there, and all of it."""
    text = (load(rule.name).__doc__ or "").strip()
    first, _, rest = text.partition("\n")
    level = rule.severity.label
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": first},
        "fullDescription": {"text": f"{first} {_reason(rest)}".strip()},
        "help": {"text": text, "markdown": text},
        "helpUri": rule.url,
        "defaultConfiguration": {"level": level},
        "properties": {"tags": sorted(rule.targets), "problem.severity": _SCALE[level]},
    }


def _reason(text: str) -> str:
    """The first paragraph below the heading that says why."""
    paragraphs = text.split("## Why is this bad?", 1)[-1].strip().split("\n\n")
    return " ".join(paragraphs[0].split())


def _results(report: Report, codes: list[str]) -> list[dict[str, Any]]:
    index = {code: number for number, code in enumerate(codes)}
    root = repository()
    prints = fingerprints(report, root)
    relative = Relative(root)
    hidden = [(one.finding, [_suppression(one.reason, one.source)]) for one in report.hidden]
    every = [*((finding, []) for finding in report.findings), *hidden]
    return [
        {
            "ruleId": finding.rule.code,
            "ruleIndex": index[finding.rule.code],
            "level": finding.severity.label,
            "message": {"text": _message(finding)},
            "locations": [_location(finding.at, relative)],
            **_related(finding, relative),
            **_fixes(finding, relative),
            "partialFingerprints": _fingerprints(finding, prints[finding]),
            "suppressions": suppressions,
        }
        for finding, suppressions in sorted(every, key=lambda pair: pair[0].order)
    ]


def _fingerprints(finding: Finding, ours: str) -> dict[str, str]:
    """GitHub heeds one key only and computes it from the lines around; where there is no line it takes ours."""
    return {"gradewright/v1": ours} | ({} if finding.at.line else {"primaryLocationLineHash": f"{ours}:1"})


def _suppression(reason: str, source: str) -> dict[str, Any]:
    inside = source not in ("settings", COMMAND_LINE, BASELINE)
    return {"kind": "inSource" if inside else "external", "status": "accepted", "justification": visible(reason)}


def _message(finding: Finding) -> str:
    """Sentences; brackets that would make a link of what a file says are escaped (section 3.11.6)."""
    text = " ".join(_sentence(visible(part)) for part in (finding.message, finding.hint) if part)
    return text.replace("[", "\\[").replace("]", "\\]") if "](" in text else text


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")


def _related(finding: Finding, relative: Relative) -> dict[str, Any]:
    places = [{"id": number, **_location(at, relative)} for number, at in enumerate(finding.related, 1)]
    return {"relatedLocations": [{**place, "message": {"text": "See here."}} for place in places]} if places else {}


def _fixes(finding: Finding, relative: Relative) -> dict[str, Any]:
    """How the finding can be mended, in characters: where the edits are known now and the file is text."""
    if finding.fix is None:
        return {}
    changes = [
        {"artifactLocation": _artifact(path, relative), "replacements": replacements}
        for path, group in groupby(edits(finding), key=lambda edit: edit.path)
        if (replacements := _replacements(path, list(group)))
    ]
    title = finding.fix.title if finding.fix.safe else f"{finding.fix.title} (this may change what is measured)"
    return {"fixes": [{"description": {"text": title}, "artifactChanges": changes}]} if changes else {}


def _replacements(path: str, group: list[Edit]) -> list[dict[str, Any]]:
    data = read_bytes(path, "fix", limit=MAX_DATASET)
    if not isinstance(data, bytes):
        return []
    return [
        {
            "deletedRegion": {
                "charOffset": _characters(data[: edit.start]),
                "charLength": _characters(data[edit.start : edit.end]),
            },
            "insertedContent": {"text": edit.text},
        }
        for edit in group
    ]


def _characters(data: bytes) -> int:
    return len(data.decode("utf-8", "replace"))


def _location(at: Location, relative: Relative) -> dict[str, Any]:
    region = {"startLine": at.line} | ({"startColumn": at.column} if at.column else {})
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(at.path, relative),
            **({"region": region} if at.line else {}),
        }
    }


def _artifact(path: str, relative: Relative) -> dict[str, str]:
    """The file's address from the root; one that lies elsewhere is named in full."""
    inside = relative.path(path)
    if inside == "..":
        inside = "../"
    if inside.startswith("../") or os.path.isabs(inside):
        return {"uri": f"file://{'/' if sys.platform == 'win32' else ''}{_encoded(os.path.abspath(path))}"}
    return {"uri": _encoded(inside), "uriBaseId": _ROOT}


def _encoded(path: str) -> str:
    path = path.replace(os.sep, "/")
    try:
        return quote(os.fsencode(path), safe="/")
    except UnicodeEncodeError:
        return quote(path, safe="/", errors="backslashreplace")
