"""A verdict is neither `true` nor `false`.

## Why is this bad?
There is no partial credit, and readers ask only whether the value is true: the text `"no"` is, and so is `"false"`.
What was a failure is shown as passed.

## How to fix it
Write `true` if the evidence shows that the expectation is met, else `false`.

## When to ignore it
Hardly ever: no reader knows another value.

## Example
```json
{"text": "The total is right", "passed": "no", "evidence": "It says 421.50"}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Grading, quoted

RULE = Rule("GJ005", "non-boolean-verdict", Severity.ERROR, Grading)
MOST = 20


def check(grading: Grading) -> Iterator[Finding]:
    odd = [verdict for verdict in grading.verdicts if verdict.judged and not isinstance(verdict.passed, bool)]
    for verdict in odd[:MOST]:
        message = f"the verdict is {quoted(verdict.passed)}, neither `true` nor `false`"
        at = verdict.at.within("passed") if "passed" in verdict.fields else verdict.at
        yield RULE.at(at, message, hint="write `true` only if the evidence shows it, else `false`")
