"""An entry does not say what good work looks like.

## Why is this bad?
Without `expected_output` the platform's own metrics have nothing to compare with. Where there are assertions this is
only a note: they are judged one by one.

## How to fix it
Describe the result that a good run leaves behind. For a case in which the skill must stay out of the way, write
`"expected_skill": null`.

## When to ignore it
When your own grader decides about the entry and needs no description.

## Example
```json
{"id": "case-001", "prompt": "Convert orders.csv to JSON."}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case

RULE = Rule("DS203", "missing-expected-output", Severity.WARNING, Case)


def check(case: Case) -> Iterator[Finding]:
    negative = "expected_skill" in case.fields and case.expected_skill is None
    value = case.expected_output
    if negative or not (value is None or (isinstance(value, str) and not value.strip())):
        return
    judged = bool(case.assertions or case.expectations)
    yield RULE.at(
        case.expected_output_at,
        f"{case.label} has no `expected_output`",
        hint="describe the result that a good run leaves behind",
        severity=Severity.NOTE if judged else Severity.WARNING,
    )
