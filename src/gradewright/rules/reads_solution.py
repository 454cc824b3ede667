"""The grader reads the reference solution.

## Why is this bad?
`/solution` is there only while the oracle agent runs. The grader passes its own test, and then breaks, or falls back to
something else, on every real trial.

## How to fix it
Keep what the grader needs to know beside it, in `tests/`: the expected values, or a copy of the reference file.

## When to ignore it
When the image of the task has a folder `/solution` of its own in which the agent works.

## Example
```python
expected = Path("/solution/expected.csv").read_text()
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import READS_SOLUTION, Grader, quoted

RULE = Rule("GR212", "reads-solution", Severity.ERROR, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == READS_SOLUTION:
            yield RULE.at(
                sign,
                f"{quoted(sign.detail)} is read, which is there only while the oracle runs",
                hint="keep what the grader needs in `tests/`",
                severity=Severity.ERROR if sign.certain else Severity.WARNING,
            )
