"""A symbolic link points at something outside the skill or task.

## Why is this bad?
The skill works on this machine only: a clone, an archive or a container has no such file. Harbor refuses to load a task
with such a link in `tests/` or `solution/`, which is an error; a link elsewhere in a skill is a note, as it
may lead to another place of the same repository.

## How to fix it
Copy the file into the skill.

## When to ignore it
When the skill is never used outside its repository.

## Example
```console
$ readlink evals/files/orders.csv
../../../shared/orders.csv
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import LINK_ESCAPES, Problem

RULE = Rule("RD006", "escaping-symlink", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == LINK_ESCAPES:
        severity = {"input": Severity.ERROR, "resource": Severity.NOTE}.get(problem.role, Severity.WARNING)
        yield RULE.at(problem, f"the file {problem.detail}", hint="copy the file to this place", severity=severity)
