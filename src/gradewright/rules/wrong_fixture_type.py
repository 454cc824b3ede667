"""The `files` of an entry are not paths.

## Why is this bad?
SkillEvaluator takes one path or a list of paths and stops at anything else.

## How to fix it
Write `"files": ["files/input.csv"]`.

## When to ignore it
When only a tool of yours that takes such values reads the file.

## Example
```json
{"id": "case-001", "prompt": "Convert it.", "files": {"name": "files/orders.csv"}}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case

RULE = Rule("DS305", "wrong-fixture-type", Severity.ERROR, Case)


def check(case: Case) -> Iterator[Finding]:
    for fixture in case.fixtures or ():
        if fixture.state == "not-text":
            message = f"`files` of {case.label} must be paths, and this is no text"
            yield RULE.at(fixture, message, hint='write `"files": ["files/..."]`')
