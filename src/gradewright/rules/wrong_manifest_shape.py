"""A part of `dataset.toml` has the wrong form.

## Why is this bad?
`dataset` is a table and `tasks` a list of tables. Anything else cannot be read as a list of tasks.

## How to fix it
Write `[dataset]` once and `[[tasks]]`, with double brackets, for each task.

## When to ignore it
When only plain Harbor runs the cases, from their folder.

## Example
```toml
[tasks]
name = "acme/quotes"
```
One bracket on each side makes it a single table.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import WRONG_TYPE, Problem

RULE = Rule("DM011", "wrong-manifest-shape", Severity.WARNING, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == WRONG_TYPE and problem.role == "manifest":
        yield RULE.at(problem, problem.detail, hint="write `[dataset]` once, and `[[tasks]]` for each task")
