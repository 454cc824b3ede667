"""A verdict names no evidence.

## Why is this bad?
The burden of proof is on the expectation: it passes only with evidence that can be looked up, and counts as failed
without. A verdict of `true` with nothing behind it may be a guess, and nobody can check it.

## How to fix it
Quote what shows it: a line of the transcript, the content of a file.

## When to ignore it
When a script made the verdicts, and its output is kept elsewhere. A verdict of `false` without evidence is only a note.

## Example
```json
{"text": "The row count is given", "passed": true, "evidence": ""}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Grading, quoted

RULE = Rule("GJ008", "missing-evidence", Severity.WARNING, Grading)
MOST = 20


def check(grading: Grading) -> Iterator[Finding]:
    bare = [verdict for verdict in grading.verdicts if verdict.judged and _is_blank(verdict.evidence)]
    for verdict in bare[:MOST]:
        at = verdict.at.within("evidence") if "evidence" in verdict.fields else verdict.at
        what = f"the verdict {quoted(verdict.passed)}" if isinstance(verdict.passed, bool) else "the verdict"
        severity = Severity.NOTE if verdict.passed is False else RULE.severity
        yield RULE.at(at, f"{what} has no evidence", hint="quote what shows it", severity=severity)


def _is_blank(evidence: object) -> bool:
    return not (evidence.strip() if isinstance(evidence, str) else evidence)
