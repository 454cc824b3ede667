"""A symbolic link leads back to itself.

## Why is this bad?
Nothing can be read through it, and tools that copy the task fail.

## How to fix it
Point the link at a file, or put the file in its place.

## When to ignore it
When how the agent deals with such a link is what the case tests.

## Example
```console
$ ln -s orders.csv evals/files/orders.csv
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import LINK_LOOP, Problem

RULE = Rule("RD005", "symlink-loop", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == LINK_LOOP:
        severity = Severity.WARNING if problem.role in ("fixture", "resource") else None
        yield RULE.at(problem, f"the file {problem.detail}", hint="put a regular file in its place", severity=severity)
