"""An error, or a check that could not run, earns a good score.

## Why is this bad?
Work that breaks the check is graded like work that passes it: a missing file, invalid JSON, a program that crashes. The
worst results get the best scores, and nothing in the report shows it.

## How to fix it
Let every failure end in 0.0: start from 0.0 and raise the score only after a check has passed, and write 0.0 where an
error is caught.

## When to ignore it
When the error is what the check waits for: a program that has to refuse its input, a file that must be gone.

## Example
```python
try:
    score = compare(json.loads(OUTPUT.read_text()), expected)
except Exception:
    score = 1.0
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import FAILS_OPEN, Grader, quoted

RULE = Rule("GR202", "fails-open", Severity.ERROR, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == FAILS_OPEN:
            yield RULE.at(
                sign,
                f"a failure earns a good score here: {quoted(sign.detail)}",
                hint="let failures end in 0.0, and give a score only after a check has passed",
                severity=Severity.ERROR if sign.certain else Severity.WARNING,
            )
