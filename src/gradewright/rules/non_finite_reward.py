"""A graded sample got a reward that is not a finite number.

## Why is this bad?
Harbor 0.26 refuses `NaN` and `Infinity`. SkillEvaluator turns both into 1.0, full marks, without a word: usually for
work that had nothing in it to count.

## How to fix it
Give 0 where there is nothing to divide by.

## When to ignore it
Never: what the score becomes has nothing to do with the work.

## Example
```python
score = float("nan") if not rows else right / len(rows)
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import NON_FINITE, Trial

RULE = Rule("RW006", "non-finite-reward", Severity.ERROR, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    for problem in trial.faults:
        if problem.kind == NON_FINITE:
            what = problem.detail if problem.subject else f"the reward {problem.detail}"
            message = f"{what}, in `{problem.at.path}`"
            hint = trial.cure("give 0 where there is nothing to divide by")
            yield RULE.at(trial, message, hint=hint, related=trial.evidence)
