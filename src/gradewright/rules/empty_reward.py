"""A graded sample got a reward file with nothing in it.

## Why is this bad?
Both platforms report an error for an empty `reward.json` or `reward.txt`, even if the other file holds a good number.
An empty object `{}` is accepted and leaves the trial without a valid reward. Each trial that ends like this is paid
for and lost.

## How to fix it
Write the file in one go, when the score is known: an empty file is usually one that was opened before the grader
failed. Write 0 where the work is wrong.

## When to ignore it
Never: there is no platform that takes it.

## Example
```sh
python3 /tests/check.py > /logs/verifier/reward.txt   # empty whenever check.py fails
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import EMPTY, Trial

RULE = Rule("RW002", "empty-reward", Severity.ERROR, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    for problem in trial.faults:
        if problem.kind == EMPTY:
            message = f"the reward is empty: in `{problem.at.path}`, {problem.detail}"
            hint = trial.cure("write a score on every path")
            yield RULE.at(trial, message, hint=hint, related=trial.evidence)
