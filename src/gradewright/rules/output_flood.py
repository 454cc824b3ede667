"""The grader printed so much that it was ended.

## Why is this bad?
Its output is kept with the trial. Output without end fills the disk of the machine, and may never come to a reward.

## How to fix it
Keep the output of the agent's work out of the grader's own: `head -c 10000`, or a file in the workspace.

## When to ignore it
If the grader is known to print a lot, and ends.

## Example
```sh
/workspace/run.sh          # prints whatever the agent likes
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Trial

RULE = Rule("RW103", "output-flood", Severity.WARNING, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    if trial.outcome.flooded:
        hint = trial.cure("cut what the work prints, with `head -c`")
        message = "printed more than is kept of its output, and was ended"
        yield RULE.at(trial, message, hint=hint, related=trial.evidence)
