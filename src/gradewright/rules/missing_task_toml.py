"""A folder looks like a Harbor task and has no `task.toml`.

## Why is this bad?
A dataset folder drops such a case without a word: the run is shorter than its author believes. Run by itself, it is
refused.

## How to fix it
Add a `task.toml`, at least with `schema_version = "1.3"` and a table `[task]` with a name; or move the folder away.

## When to ignore it
When the folder is kept beside the tasks and is none.

## Example
```text
quotes/instruction.md
quotes/tests/test.sh
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Task

RULE = Rule("TK002", "missing-task-toml", Severity.ERROR, Task)


def check(task: Task) -> Iterator[Finding]:
    if "task.toml" in task.present or not _looks_like_a_task(task):
        return
    meant = next((name for name in sorted(task.present) if name.lower() in ("task.toml", "task.tml")), "")
    hint = f"rename `{meant}` to `task.toml`" if meant else "add a `task.toml`, or move the folder away"
    yield RULE.at(task, "this task has no `task.toml`, so it is never run", hint=hint)


def _looks_like_a_task(task: Task) -> bool:
    return "instruction.md" in task.present or {"tests", "environment"} <= task.present
