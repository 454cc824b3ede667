"""The configuration of a task, `task.toml`, does not parse.

## Why is this bad?
Harbor refuses the task, or drops it from its dataset without a word. A byte order mark is enough.

## How to fix it
Correct the line that is named.

## When to ignore it
When the file is a template that another program fills in before each run.

## Example
```toml
[task]
name = org/convert
```
Text needs double quotes.
"""

from collections.abc import Iterator

from gradewright.finding import DropMark, Finding, Fix, Rule, Severity
from gradewright.model import BOM, SYNTAX, Problem

RULE = Rule("TK001", "task-syntax-error", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "task" and problem.kind in (SYNTAX, BOM):
        fix = Fix("drop the byte order mark", True, DropMark(problem.at)) if problem.kind == BOM else None
        yield RULE.at(problem, problem.detail, hint=problem.cure, fix=fix)
