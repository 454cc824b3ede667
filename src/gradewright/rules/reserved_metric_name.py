"""A grader writes a metric under a name that SkillEvaluator keeps for itself.

## Why is this bad?
Grading stops with a collision error, after the trial has been paid for. `security`, `skill_execution`,
`skill_efficiency`, `accuracy`, `goal_accuracy` and `behavior_check` collide at the top level of the reward too.

## How to fix it
Rename the metric and keep it under `custom_metrics`.

## When to ignore it
When the grader is run by plain Harbor only, which takes any name; `--target harbor` says so for all rules.

## Example
```python
reward = {"overall": score, "custom_metrics": {"accuracy": score}}
```
"""

from collections.abc import Iterator

from gradewright.contract import RESERVED_METRICS, STANDARD_METRICS
from gradewright.finding import Finding, Fix, RenameMetric, Rule, Severity
from gradewright.model import Grader

RULE = Rule("GR111", "reserved-metric-name", Severity.ERROR, Grader, targets=frozenset({"skillevaluator"}))


def check(grader: Grader) -> Iterator[Finding]:
    if not grader.in_skill:
        return
    seen = set()
    for metric in sorted(grader.metrics, key=lambda metric: not metric.nested):
        reserved = metric.name in (RESERVED_METRICS if metric.nested else STANDARD_METRICS)
        if reserved and (metric.name, metric.at) not in seen:
            seen.add((metric.name, metric.at))
            place = "" if metric.nested else " at the top level of the reward too"
            hint = f"rename it to `custom_{metric.name}`"
            remedy = RenameMetric(grader.at, metric.name, f"custom_{metric.name}")
            fix = Fix(hint, False, remedy) if metric.at.path == grader.at.path else None
            yield RULE.at(metric, f"metric `{metric.name}` is reserved{place}", hint=hint, fix=fix)
