"""A graded sample got one score in `reward.json` and another in `reward.txt`.

## Why is this bad?
`reward.json` wins, but people and other tools read `reward.txt`: the same trial has two results.

## How to fix it
Write both from the same variable, or only one of them.

## When to ignore it
If `reward.txt` is meant to hold something else that nobody reads as the score.

## Example
```python
REWARD_JSON.write_text(json.dumps({"overall": mean}))
REWARD_TXT.write_text(str(int(mean == 1.0)))
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import DISAGREEMENT, Trial

RULE = Rule("RW011", "disagreeing-reward-files", Severity.WARNING, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    for problem in trial.faults:
        if problem.kind == DISAGREEMENT:
            message = f"`{problem.at.path}` {problem.detail}"
            hint = trial.cure("write both from the same variable")
            yield RULE.at(trial, message, hint=hint, related=trial.evidence)
