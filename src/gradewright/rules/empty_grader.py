"""A grader or test script holds no code.

## Why is this bad?
An empty script ends well and writes no reward: every trial ends in an error or counts as 0.0.

## How to fix it
Write the checks and the reward, or delete the file; `gradewright init-custom-grader --force` makes a new start.

## When to ignore it
When the checks are still to be written, and nothing is run yet.

## Example
```python
# TODO: grade the report
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import EMPTY, Grader

RULE = Rule("GR013", "empty-grader", Severity.ERROR, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    if grader.role == "helper":
        return
    if grader.size == 0 or any(stub.what == EMPTY for stub in grader.stubs):
        what = "the file is empty" if grader.size == 0 else "there is no code in this file"
        yield RULE.at(grader, f"{what}, and no reward is written", hint="write the checks and the reward")
