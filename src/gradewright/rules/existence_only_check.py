"""The full score is given for a file that is there, whatever is in it.

## Why is this bad?
Wrong content earns what right content earns. The grader tells an empty workspace from a full one, but not bad work from
good. This is a lead: `gradewright prove` with a bad sample shows whether it is so.

## How to fix it
Read the file and compare what is in it with what is right.

## When to ignore it
When making the file is all that is asked for.

## Example
```python
score = 1.0 if Path("/workspace/greeting.txt").exists() else 0.0
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import EXISTENCE_ONLY, Grader, quoted

RULE = Rule("GR204", "existence-only-check", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == EXISTENCE_ONLY:
            yield RULE.at(
                sign,
                f"a lead: all that counts is whether {quoted(sign.detail)} is there: wrong content passes",
                hint="compare the content too, or try a bad sample with `gradewright prove`",
            )
