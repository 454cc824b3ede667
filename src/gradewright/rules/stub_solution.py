"""The reference solution does nothing.

## Why is this bad?
The oracle agent runs `solution/solve.sh` to show that a task can be solved and that its test can tell. A script that
only prints something and ends shows neither: a task that nobody can solve looks like any other.

## How to fix it
Write the commands that solve the task, or delete `solution/`: a task without one is complete.

## When to ignore it
When the right thing to do in this task is nothing at all.

## Example
```bash
#!/bin/bash
# TODO: solve the task
exit 1
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Task

RULE = Rule("TK302", "stub-solution", Severity.WARNING, Task)


def check(task: Task) -> Iterator[Finding]:
    for path in task.idle:
        yield RULE.at(
            Location(path),
            "no command in this solution does anything, so the oracle cannot solve the task",
            hint="write the commands that solve the task, or delete the file",
        )
