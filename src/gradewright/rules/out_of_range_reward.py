"""A grader writes a score below 0.0 or above 1.0.

## Why is this bad?
SkillEvaluator clamps the overall score and the custom metrics to 0.0 to 1.0, so that 7.5 and 85 both become a full
score, and differences above 1.0 are lost.

## How to fix it
Divide by the highest score that can be reached.

## When to ignore it
When the grader is run by plain Harbor only, which takes any number; `--target harbor` says so for all rules.

## Example
```python
reward = {"overall": 85}
```
"""

from collections.abc import Iterator

from gradewright.contract import REWARD_FILES
from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Grader, quoted

RULE = Rule("GR114", "out-of-range-reward", Severity.ERROR, Grader, targets=frozenset({"skillevaluator"}))


def check(grader: Grader) -> Iterator[Finding]:
    if not grader.in_skill:
        return
    found: dict[Location, Finding] = {}
    for write in grader.writes:
        severity = Severity.ERROR if write.certain and not write.conditional else Severity.WARNING
        for reason, literal, at in write.bad if write.path in REWARD_FILES else ():
            if reason == "out-of-range" and (at not in found or severity > found[at].severity):
                message = f"{quoted(literal)} is not between 0.0 and 1.0, and is clamped"
                hint = "divide it by the highest score that can be reached"
                found[at] = RULE.at(at, message, hint=hint, severity=severity)
    yield from found.values()
