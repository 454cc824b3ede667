"""The table `[task]` has no `name`.

## Why is this bad?
Harbor refuses a task with a `[task]` table that has no name; without the table it would take the folder's name.

## How to fix it
Add `name = "org/task"`, or delete the whole table.

## When to ignore it
When the task is only run by SkillEvaluator; `--target skillevaluator` leaves this rule out altogether.

## Example
```toml
[task]
description = "Convert a table."
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import MISSING_KEY, Problem

RULE = Rule("TK005", "missing-task-name", Severity.ERROR, Problem, targets=frozenset({"harbor"}))


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "task" and problem.kind == MISSING_KEY and problem.at.keys == ("task", "name"):
        hint = 'add `name = "org/task"`, or delete the whole table'
        yield RULE.at(problem, "`[task]` has no `name`, so Harbor refuses the task", hint=hint)
