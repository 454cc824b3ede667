"""A symbolic link points at something that is not there.

## Why is this bad?
The file is missing, although a listing shows it.

## How to fix it
Restore what the link points at, or put the file in its place.

## When to ignore it
When what the link points at is put in place before each run.

## Example
```console
$ readlink evals/files/orders.csv
/home/me/orders.csv
```
That file exists on one machine only.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import LINK_DANGLES, Problem

RULE = Rule("RD007", "dangling-symlink", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == LINK_DANGLES:
        severity = Severity.WARNING if problem.role in ("fixture", "resource") else None
        hint = "restore what it points at, or put a regular file in its place"
        yield RULE.at(problem, f"the file {problem.detail}", hint=hint, severity=severity)
