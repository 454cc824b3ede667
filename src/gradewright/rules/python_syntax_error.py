"""A Python script that takes part in grading does not parse.

## Why is this bad?
Python refuses the whole script before its first line runs: no reward is written, and every trial ends in an error or
counts as 0.0. Beside the test script, it is an error in what that script or pytest starts, and a warning elsewhere.

## How to fix it
Correct the line that is named. `python3 -m py_compile FILE` parses a script without running it.

## When to ignore it
When the script is broken on purpose, as an input of what is tested.

## Example
```python
def grade() -> float  # the colon is missing
    return 0.0
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import NOT_CHECKED, SYNTAX, Problem

RULE = Rule("GR010", "python-syntax-error", Severity.ERROR, Problem)
SEVERITIES = {"grader": Severity.ERROR, "script": Severity.ERROR, "helper": Severity.WARNING}
"""By role: a helper that nothing is known to start may be broken on purpose."""


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == SYNTAX and problem.role in SEVERITIES:
        hint = "correct the syntax; `python3 -m py_compile` parses the script without running it"
        message = problem.detail or "Python cannot parse this line"
        yield RULE.at(problem, message, hint=hint, severity=SEVERITIES[problem.role])
    elif problem.kind == NOT_CHECKED and problem.subject == "ruff":
        message = "this script is not checked: `ruff` cannot be run on it"
        yield RULE.at(problem, message, hint="reinstall gradewright with its dependencies", severity=Severity.NOTE)
