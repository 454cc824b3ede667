"""A graded sample got a metric under a name that SkillEvaluator keeps for itself.

## Why is this bad?
Grading stops with a collision, after the trial has been paid for, and the score is lost.

## How to fix it
Call the metric otherwise, such as `custom_accuracy`.

## When to ignore it
Never, where SkillEvaluator runs the grader; plain Harbor takes any name, and `--target harbor` says so.

## Example
```json
{"overall": 0.9, "custom_metrics": {"accuracy": 0.9}}
```
"""

from collections.abc import Iterator

from gradewright.contract import RESERVED_METRICS, STANDARD_METRICS
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Trial, quoted

RULE = Rule("RW010", "reserved-name-in-reward", Severity.ERROR, Trial, targets=frozenset({"skillevaluator"}))


def check(trial: Trial) -> Iterator[Finding]:
    if trial.target != "skillevaluator" or trial.stale:
        return
    for name in trial.reward.metrics:
        top = name in trial.reward.keys
        if name in (STANDARD_METRICS if top else RESERVED_METRICS):
            where = "at the top level of the reward" if top else "under `custom_metrics`"
            hint = trial.cure(f"rename it to {quoted(f'custom_{name}')}")
            yield RULE.at(trial, f"metric {quoted(name)} is reserved {where}", hint=hint, related=trial.evidence)
