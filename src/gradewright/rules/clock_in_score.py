"""The score depends on the time.

## Why is this bad?
Work that earned a score today earns another one tomorrow, or on a slower machine: a date that is compared with the
agent's goes wrong at midnight and in a replay, and a duration measures the machine and its load.

## How to fix it
Take dates from the task or from the agent's own files, and keep durations under `details`. If speed is what the task is
about, compare with a measurement made on the same machine in the same run, and leave a wide margin.

## When to ignore it
When the task is about speed or about the present day, and the margin is wide.

## Example
```python
if datetime.date.today().isoformat() in report:
    score = 1.0
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import CLOCK, Grader, quoted

RULE = Rule("GR215", "clock-in-score", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == CLOCK:
            yield RULE.at(
                sign,
                f"the score depends on {quoted(sign.detail)}, which differs from run to run",
                hint="take dates from the task, and keep durations under `details`",
            )
