"""A graded sample got a reward with a text or `null` where a number is due.

## Why is this bad?
Harbor 0.26 refuses the whole reward. SkillEvaluator ignores the value: a metric is missing from the report, or the
trial has no score.

## How to fix it
Write numbers as numbers, without quotes, a percent sign or a decimal comma.

## When to ignore it
Never: the value is lost.

## Example
```json
{"overall": "0.8"}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import NON_NUMERIC, Trial

RULE = Rule("RW007", "non-numeric-reward", Severity.ERROR, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    for problem in trial.faults:
        if problem.kind == NON_NUMERIC:
            level = Severity.ERROR if trial.lost else Severity.WARNING
            what = problem.detail if problem.subject else f"the reward {problem.detail}"
            message = f"{what}, in `{problem.at.path}`"
            hint = trial.cure("write a number without quotes or units")
            yield RULE.at(trial, message, hint=hint, severity=level, related=trial.evidence)
