"""The instruction of a task is still the text of a scaffold.

## Why is this bad?
The run goes through and is paid for, and the agent was asked for nothing.

## How to fix it
Write what the agent has to do: the files it finds, the result it has to leave, and where.

## When to ignore it
When the agent is really to be given such a text.

## Example
```markdown
TODO: describe the task
```
"""

from collections.abc import Iterator

from gradewright.contract import is_placeholder
from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Task, quoted

RULE = Rule("TK103", "placeholder-instruction", Severity.WARNING, Task)


def check(task: Task) -> Iterator[Finding]:
    for path, text in task.instructions:
        if is_placeholder(text):
            words = " ".join(text[:200].split())
            yield RULE.at(
                Location(path, 1, 1),
                f"the instruction is the placeholder {quoted(words)}",
                hint="write what the agent has to do",
            )
