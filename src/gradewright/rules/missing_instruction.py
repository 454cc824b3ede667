"""A task, or one of its steps, has no `instruction.md`.

## Why is this bad?
Harbor refuses the task; in a dataset folder it drops the case without a word.

## How to fix it
Write the instruction. A task with `[[steps]]` needs `steps/<name>/instruction.md` for each step, and none at its root.

## When to ignore it
When the instruction is written by a program before each run.

## Example
```text
quotes/task.toml
quotes/Instruction.md
```
Letter case counts.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Task, quoted

RULE = Rule("TK101", "missing-instruction", Severity.ERROR, Task)


def check(task: Task) -> Iterator[Finding]:
    for name in task.missing:
        if name.endswith("instruction.md"):
            folder = name.rpartition("/")[0]
            owner = f"the step {quoted(folder.rpartition('/')[2])}" if folder else "this task"
            yield RULE.at(_place(task, name), f"{owner} has no instruction", hint=_hint(task, name))


def _hint(task: Task, name: str) -> str:
    meant = next((other for other in sorted(task.present) if other.lower() == name.lower()), "")
    return f"rename {quoted(meant)} to `instruction.md`" if meant else f"write {quoted(name)}"


def _place(task: Task, name: str) -> Location:
    steps = (step.at for step in task.steps if name == f"steps/{step.name}/instruction.md")
    return next(steps, task.at)
