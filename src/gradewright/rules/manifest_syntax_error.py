"""The list of the tasks, `dataset.toml`, does not parse.

## Why is this bad?
The native cases beside it cannot be used as a dataset.

## How to fix it
Correct the line that is named.

## When to ignore it
When the file is a template that another program fills in before each run.

## Example
```toml
[[tasks]
name = "org/convert"
```
The header lacks a bracket.
"""

from collections.abc import Iterator

from gradewright.finding import DropMark, Finding, Fix, Rule, Severity
from gradewright.model import BOM, SYNTAX, Problem

RULE = Rule("DM001", "manifest-syntax-error", Severity.ERROR, Problem, targets=frozenset({"skillevaluator"}))


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "manifest" and problem.kind in (SYNTAX, BOM):
        fix = Fix("drop the byte order mark", True, DropMark(problem.at)) if problem.kind == BOM else None
        yield RULE.at(problem, problem.detail, hint=problem.cure, fix=fix)
