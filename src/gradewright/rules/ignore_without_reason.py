"""An inline ignore gives no reason, so it is not honoured.

## Why is this bad?
A hidden finding that nobody can explain is worse than a visible one: the next reader cannot tell whether it was judged
or only silenced.

## How to fix it
Write the reason after the bracket: `# gradewright: ignore[GR111] the platform maps this name for us`.

## When to ignore it
Rather write the reason: it takes as long as another ignore.

## Example
```python
total = {"overall": score}  # gradewright: ignore[GR111]
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import IGNORE_WITHOUT_REASON, Problem, quoted

RULE = Rule("GW001", "ignore-without-reason", Severity.WARNING, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == IGNORE_WITHOUT_REASON:
        yield RULE.at(
            problem,
            f"the ignore of {quoted(problem.subject)} gives no reason and takes no effect",
            hint="write the reason after the closing bracket",
        )
