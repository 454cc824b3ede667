"""A grader uses a name that nothing defines.

## Why is this bad?
Python stops with a NameError when it comes to the name, and a grader that stops writes no reward. It is an error where
every run comes to the name, and a warning where a run may pass it by.

## How to fix it
Import the module, define the name, or correct its spelling.

## When to ignore it
When the name is defined in a way that only shows while the script runs.

## Example
```python
import csv

rows = json.loads(text)  # `json` is not imported
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import UNDEFINED_NAME, Problem, quoted

RULE = Rule("GR012", "undefined-name", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == UNDEFINED_NAME:
        doubt = f" ({problem.detail})" if problem.detail else ""
        severity = Severity.WARNING if problem.detail or problem.role == "helper" else None
        hint = problem.cure or "import or define it, or correct its spelling"
        yield RULE.at(problem, f"{quoted(problem.subject)} is not defined{doubt}", hint=hint, severity=severity)
