"""A metric of a graded sample comes without a reason.

## Why is this bad?
A number tells nobody what to mend. Whoever reads the report has to run the grader again to find out why the score is
low.

## How to fix it
Put a sentence under `details`: `{"rows": {"score": 0.8, "reason": "8 of 10 rows are right"}}`.

## When to ignore it
If the name of the metric says it all.

## Example
```json
{"overall": 0.8, "custom_metrics": {"rows": 0.8}}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import RewardState, Trial, quoted

RULE = Rule("RW012", "metric-without-reason", Severity.NOTE, Trial, targets=frozenset({"skillevaluator"}))


def check(trial: Trial) -> Iterator[Finding]:
    valid = trial.reward.state in (RewardState.SCORE, RewardState.ZERO)
    if trial.reward.shape != "nested" or trial.target != "skillevaluator" or trial.stale or not valid:
        return
    for name in trial.reward.metrics:
        detail = trial.reward.details.get(name)
        reason = detail.get("reason") if isinstance(detail, dict) else detail
        if not isinstance(reason, str) or not reason.strip():
            yield RULE.at(trial, f"metric {quoted(name)} has no reason under `details`", hint="say why in one sentence")
