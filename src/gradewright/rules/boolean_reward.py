"""A grader writes true or false where a score belongs.

## Why is this bad?
SkillEvaluator ignores a score that is `true` or `false`: the metric is missing, and an overall score of this kind
counts for nothing. Harbor takes them for 1.0 and 0.0.

## How to fix it
Write `float(passed)`.

## When to ignore it
When the graders are run by plain Harbor only; `--target harbor` leaves this rule out altogether.

## Example
```python
reward = {"overall": total == 42}
```
"""

from collections.abc import Iterator

from gradewright.contract import REWARD_FILES
from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Grader, quoted

RULE = Rule("GR115", "boolean-reward", Severity.WARNING, Grader, targets=frozenset({"skillevaluator"}))


def check(grader: Grader) -> Iterator[Finding]:
    if not grader.in_skill:
        return
    found: dict[Location, Finding] = {}
    for write in grader.writes:
        for reason, literal, at in write.bad if write.path in REWARD_FILES else ():
            if reason == "boolean":
                message = f"{quoted(literal)} is true or false, and no score"
                found[at] = RULE.at(at, message, hint="write 1.0 or 0.0, for example by `float(...)`")
    yield from found.values()
