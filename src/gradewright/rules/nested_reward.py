"""A graded sample got a reward with an object or a list where the platform wants a number.

## Why is this bad?
Plain Harbor reads `reward.json` flat: every value a number. A nested value is an error, and the good `reward.txt`
beside it is never read. SkillEvaluator flattens `custom_metrics` and `details`; it drops other nested values.

## How to fix it
Write flat numbers where Harbor runs the script, and keep the reasons in a file of their own. The graders that we
scaffold do so when they are started with `--harbor`.

## When to ignore it
If only SkillEvaluator runs this grader: `--target skillevaluator` says so.

## Example
```json
{"overall": 0.9, "custom_metrics": {"rows": 0.9}}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import NESTED, Trial

RULE = Rule("RW005", "nested-reward", Severity.ERROR, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    nested = [problem for problem in trial.faults if problem.kind == NESTED]
    if nested:
        more = f", and so are {len(nested) - 1} more" if len(nested) > 1 else ""
        message = f"{nested[0].detail}{more}, as {trial.target} reads `{nested[0].at.path}`"
        hint = trial.cure("write flat numbers, and the reasons into a file of their own")
        level = Severity.ERROR if trial.lost else Severity.WARNING
        yield RULE.at(trial, message, hint=hint, severity=level, related=trial.evidence)
