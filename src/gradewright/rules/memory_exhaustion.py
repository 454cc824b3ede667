"""The grader, or something it ran, was killed for want of memory.

## Why is this bad?
In a container the same happens, at a limit that the task does not control: no reward, or a reward that depends on the
machine.

## How to fix it
Read large files piece by piece, and look at a file's size before reading it.

## When to ignore it
If the task asks for more memory than was given here, and gets it from its platform.

## Example
```python
rows = open("/workspace/output.csv").read()   # the agent decides how large that is
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Trial

RULE = Rule("RW105", "memory-exhaustion", Severity.WARNING, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    if trial.outcome.out_of_memory:
        hint = trial.cure("look at a file's size before reading it")
        message = "runs out of memory"
        yield RULE.at(trial, message, hint=hint, related=trial.evidence)
