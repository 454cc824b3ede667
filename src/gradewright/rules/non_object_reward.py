"""A graded sample got a `reward.json` that holds something other than an object.

## Why is this bad?
A bare number, a list or `null` is an error for Harbor and for SkillEvaluator. Where only `custom_metrics` is no
object, SkillEvaluator drops what is in it without a word.

## How to fix it
Write an object: `{"overall": 0.5}`. A bare number goes into `reward.txt`.

## When to ignore it
Never: there is no platform that takes it.

## Example
```sh
echo 0.5 > /logs/verifier/reward.json
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import NOT_AN_OBJECT, Trial

RULE = Rule("RW004", "non-object-reward", Severity.ERROR, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    for problem in trial.faults:
        if problem.kind == NOT_AN_OBJECT:
            level = Severity.ERROR if trial.lost else Severity.WARNING
            message = f"{problem.detail if problem.subject else f'the reward {problem.detail}'}, in `{problem.at.path}`"
            hint = trial.cure("write an object of numbers")
            yield RULE.at(trial, message, hint=hint, severity=level, related=trial.evidence)
