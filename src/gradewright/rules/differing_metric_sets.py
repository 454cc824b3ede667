"""Samples of one case get metrics of different names.

## Why is this bad?
A metric that is missing in one trial counts as 0 in the means of both platforms, or is left out of them: averages of
such a metric compare different sets of trials.

## How to fix it
Write every metric on every path, 0 with a reason where it could not be measured.

## When to ignore it
If nobody averages the metrics of this grader.

## Example
```python
if not OUTPUT.exists():
    write({"overall": 0.0})                                  # one metric
else:
    write({"overall": mean, "rows": rows, "order": order})   # three
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Proof, quoted

RULE = Rule("RW207", "differing-metric-sets", Severity.WARNING, Proof)


def check(proof: Proof) -> Iterator[Finding]:
    """Compares with the first trial that has the most metrics."""
    trials = [trial for trial in proof.measured if not trial.lost]
    if not trials:
        return
    most = max(trials, key=lambda trial: len(trial.reward.metrics))
    for trial in trials:
        missing = most.reward.metrics.keys() - trial.reward.metrics.keys()
        if missing:
            message = (
                f"case `{proof.case}`: metric {quoted(min(missing))} is there for sample "
                f"`{most.sample.name}` and not for `{trial.sample.name}`"
            )
            hint = trial.cure("write every metric on every path, 0 where it could not be measured")
            yield RULE.at(proof, message, hint=hint, related=trial.evidence)
            return
