"""Statements under `expectations` are dropped.

## Why is this bad?
skill-creator reads `expectations`, SkillEvaluator reads `assertions`. It loads the entry without a word and judges none
of the statements.

## How to fix it
Rename the key to `assertions`, or keep both where both tools are used.

## When to ignore it
When skill-creator alone reads the dataset.

## Example
```json
{"id": "case-001", "prompt": "Convert it.", "expectations": ["The result is an array."]}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Fix, RenameKey, Rule, Severity
from gradewright.model import Case

RULE = Rule("DS206", "expectations-not-read", Severity.WARNING, Case, targets=frozenset({"skillevaluator"}))


def check(case: Case) -> Iterator[Finding]:
    if not case.expectations or not case.fields.isdisjoint(("assertions", "expected_behavior")):
        return
    number = len(case.expectations) if isinstance(case.expectations, list) else 1
    what = "1 statement is" if number == 1 else f"{number} statements are"
    yield RULE.at(
        case.at.within("expectations"),
        f"`expectations` is not read, so {what} not graded in {case.label}",
        hint="copy the list to `assertions`",
        fix=Fix("rename the key to `assertions`", False, RenameKey(case.at.within("expectations"), "assertions")),
    )
