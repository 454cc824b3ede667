"""`task.toml` has no table `[task]`.

## Why is this bad?
Harbor runs the task under its folder's name, but cannot publish it: its registry needs `org/name`. Tasks of the first
generation (with `version` instead of `schema_version`) never had the table, and are left in peace.

## How to fix it
Add the table with a name.

## When to ignore it
When the task is never published.

## Example
```toml
[task]
name = "org/convert-csv"
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Task

RULE = Rule("TK006", "no-task-table", Severity.NOTE, Task, targets=frozenset({"harbor"}))


def check(task: Task) -> Iterator[Finding]:
    if task.config and "schema_version" in task.config and "task" not in task.config:
        hint = 'add `[task]` with `name = "org/task"`'
        yield RULE.at(task.config_at, "there is no table `[task]`, so the task cannot be published", hint=hint)
