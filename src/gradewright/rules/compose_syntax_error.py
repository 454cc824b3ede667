"""The compose file of a task does not parse.

## Why is this bad?
Docker Compose refuses the file, so no trial of the task starts. Compose also refuses a key that is given twice.

## How to fix it
Correct the line that is named.

## When to ignore it
When another program turns the file into a valid one before Harbor reads it.

## Example

```yaml
services:
  main:
    command: [sh, -c, "sleep infinity"
```

The list is not closed.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import DUPLICATE_KEY, SYNTAX, Problem

RULE = Rule("TK214", "compose-syntax-error", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "compose" and problem.kind in (SYNTAX, DUPLICATE_KEY):
        yield RULE.at(problem, problem.detail, hint=problem.cure)
