"""The instruction of a task is empty.

## Why is this bad?
The task loads and is run: the agent is asked for nothing, and its score says nothing.

## How to fix it
Write what the agent has to do.

## When to ignore it
When the task is to be done without an instruction, for example from what lies in the container.

## Example
```markdown
<!-- canary GUID 1234 -->
```
Harbor takes such a comment away, and nothing is left.
"""

import re
from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Task

COMMENT = re.compile(r"<!--(?:[^-]|-(?!->))*+-->")
RULE = Rule("TK102", "blank-instruction", Severity.WARNING, Task)


def check(task: Task) -> Iterator[Finding]:
    for path, text in task.instructions:
        if not COMMENT.sub("", _without_canary(text)).strip("\ufeff \t\r\n#"):
            yield RULE.at(Location(path), "the instruction is empty", hint="write what the agent has to do")


def _without_canary(text: str) -> str:
    """The text as the agent gets it: Harbor takes leading comments that speak of a canary away."""
    lines = text.split("\n")
    marks = (number for number, line in enumerate(lines) if not _is_canary(line))
    return "\n".join(lines[next(marks, len(lines)) :])


def _is_canary(line: str) -> bool:
    return line.lstrip().startswith(("<!--", "#")) and "canary" in line.lower()
