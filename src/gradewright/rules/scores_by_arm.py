"""The score depends on whether the agent had the skill.

## Why is this bad?
`has_skill` tells the grader which arm of the comparison it grades. A score that depends on it makes the two arms differ
by the grader's own doing: the difference that the evaluation reports is no longer the skill's.

## How to fix it
Score the work by the same rules in both arms. `has_skill` may be noted under `details`.

## When to ignore it
When nobody compares the two arms by this metric.

## Example
```python
if entry["has_skill"]:
    score += 0.2
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import READS_ARM, Grader, quoted

RULE = Rule("GR213", "scores-by-arm", Severity.ERROR, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == READS_ARM:
            yield RULE.at(
                sign,
                f"the score depends on {quoted(sign.detail)}, which tells the two arms of the comparison apart",
                hint="score both arms by the same rules, and note the arm under `details` at most",
                severity=Severity.ERROR if sign.certain else Severity.WARNING,
            )
