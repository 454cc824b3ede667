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

import re
from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Task

RULE = Rule("TK302", "stub-solution", Severity.WARNING, Task)

IDLE = re.compile(
    r"(?:set(?:[ \t]+[-+\w]+)+|:|true|false|pass|exit(?:[ \t]+\d+)?|return(?:[ \t]+\d+)?|shopt[ \t].*"
    r"|(?:echo|printf)(?:[ \t]+[^`$|<>&;]*)?(?:[12]?>&[12]|>[ \t]*/dev/(?:null|stderr))?)[ \t;]*\Z"
)
"""A line that leaves nothing behind: no redirection, no substitution, no further command."""


def check(task: Task) -> Iterator[Finding]:
    for path, text in task.solutions:
        lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines()]
        working = [line for line in lines if line and not line.startswith("#")]
        if all(map(IDLE.match, working)):
            what = "only prints and ends" if working else "holds no command"
            yield RULE.at(
                Location(path),
                f"this solution {what}, so the oracle solves nothing",
                hint="write the commands that solve the task, or delete the file",
            )
