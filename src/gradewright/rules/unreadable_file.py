"""A file or folder of the skill or task cannot be opened or read.

## Why is this bad?
The platform cannot read it either, or the author sees another file than the one that is used. What it says has not
been checked. Only a fixture is a mere warning.

## How to fix it
Give the user who runs the evaluation the permission to read it.

## When to ignore it
When the user who runs the evaluation may read it, and only you may not.

## Example
```console
$ chmod u+r evals/grader.py
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import UNREADABLE, Problem

RULE = Rule("RD001", "unreadable-file", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == UNREADABLE:
        severity = Severity.WARNING if problem.role == "fixture" else None
        hint = "make it readable for the user who runs the evaluation"
        yield RULE.at(problem, f"this cannot be read: {problem.detail.lower()}", hint=hint, severity=severity)
