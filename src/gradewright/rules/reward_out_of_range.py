"""A graded sample got a score below 0 or above 1.

## Why is this bad?
SkillEvaluator bends such numbers into range without a word: 7 becomes full marks, -1 becomes 0. The report shows a
valid score that the grader never gave.

## How to fix it
Divide by the largest possible value, and put raw counts into `details`.

## When to ignore it
If only plain Harbor runs this task, where counts above 1 are legal: `--target harbor` says so.

## Example
```python
reward = {"overall": rows_right}   # a count, not a share
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import OUT_OF_RANGE, Trial

RULE = Rule("RW009", "reward-out-of-range", Severity.ERROR, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    for problem in trial.faults:
        if problem.kind == OUT_OF_RANGE:
            message = f"{problem.detail}, in `{problem.at.path}`"
            hint = trial.cure("divide by the largest possible value")
            yield RULE.at(trial, message, hint=hint, related=trial.evidence)
