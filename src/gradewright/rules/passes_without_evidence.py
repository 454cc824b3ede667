"""Evidence that is missing or empty earns the full score.

## Why is this bad?
An agent that does nothing leaves nothing to look at, and passes. The nop agent gets the score of the oracle.

## How to fix it
Ask first whether there is anything to check, and give 0.0 if not. `all(...)` of nothing is true, and so is
`passed == total` when both are 0: compare the count with the one that is expected.

## When to ignore it
When nothing is the right answer, as in a case in which the skill must not be used.

## Example
```python
if not OUTPUT.exists():
    return 1.0
return similarity(OUTPUT.read_text(), expected)
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import EMPTY_PASSES, Grader, quoted

RULE = Rule("GR203", "passes-without-evidence", Severity.ERROR, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == EMPTY_PASSES:
            yield RULE.at(
                sign,
                f"the full score is given where there is nothing to check: {quoted(sign.detail)}",
                hint="give 0.0 where what is to be checked is missing or empty",
                severity=Severity.ERROR if sign.certain else Severity.WARNING,
            )
