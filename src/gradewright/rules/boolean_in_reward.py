"""A graded sample got `true` or `false` in place of a number.

## Why is this bad?
Harbor takes `true` for 1.0. SkillEvaluator ignores it, so that the same run has a score here and none there.

## How to fix it
Write `float(passed)` or `1` and `0`.

## When to ignore it
If only plain Harbor will ever run this task.

## Example
```json
{"overall": true}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import BOOLEAN, Trial

RULE = Rule("RW008", "boolean-in-reward", Severity.ERROR, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    for problem in trial.faults:
        if problem.kind == BOOLEAN:
            level = Severity.ERROR if trial.lost else Severity.WARNING
            message = f"{problem.detail}, in `{problem.at.path}`"
            hint = trial.cure("write 1 or 0")
            yield RULE.at(trial, message, hint=hint, severity=level, related=trial.evidence)
