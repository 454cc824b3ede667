"""The score is a matter of chance.

## Why is this bad?
The same work gets another score on the next run. No comparison, no pass@k and no second attempt means anything.

## How to fix it
Compute the score from the work. Where chance is wanted, for test input or to break a tie, take
`random.Random(SEED)` with a fixed seed.

## When to ignore it
When the score only looks as if it depended on the random number, and never does.

## Example
```python
score = random.random()
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import RANDOM, Grader, quoted

RULE = Rule("GR214", "random-score", Severity.ERROR, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == RANDOM:
            yield RULE.at(
                sign,
                f"{quoted(sign.detail)} makes the score a matter of chance",
                hint="compute the score from the work, with a fixed seed where chance is wanted",
                severity=Severity.ERROR if sign.certain else Severity.WARNING,
            )
