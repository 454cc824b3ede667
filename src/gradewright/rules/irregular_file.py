"""A named pipe, a socket, a device or a folder stands where a file is due.

## Why is this bad?
Whoever reads it waits forever or fails, and a copy of the task does not have it.

## How to fix it
Put a regular file in its place.

## When to ignore it
When how the agent deals with such a file is what the case tests.

## Example
```console
$ ls -l evals/files
prw-r--r-- 1 me me 0 orders.csv
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import IRREGULAR, Problem

RULE = Rule("RD004", "irregular-file", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == IRREGULAR:
        severity = Severity.WARNING if problem.role == "fixture" else None
        yield RULE.at(problem, f"the file {problem.detail}", hint="put a regular file in its place", severity=severity)
