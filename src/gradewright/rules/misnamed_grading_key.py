"""A grading file has a verdict, or a part of one, under a name that its readers do not know.

## Why is this bad?
Readers ask for `expectations`, `text`, `passed`, `evidence`, and for `passed`, `failed`, `total` and `pass_rate` in
`summary`, exactly. What stands under `met`, `name` or `details` is not there for them: the viewer shows an empty line
or a failure, and an aggregate counts nothing.

## How to fix it
Rename the key.

## When to ignore it
When the file is meant for readers that know the name. `assertion_results`, which the guide of agentskills.io has in
place of `expectations`, is a note for that reason.

## Example
```json
{"expectations": [{"name": "The total is right", "met": true, "details": "It says 412.50"}]}
```
The keys are `text`, `passed` and `evidence`.
"""

from collections.abc import Iterator

from gradewright.contract import ASSERTION_RESULTS
from gradewright.finding import Finding, Fix, RenameKey, Rule, Severity
from gradewright.model import UNKNOWN_KEY, Problem

RULE = Rule("GJ004", "misnamed-grading-key", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "grading" and problem.kind == UNKNOWN_KEY:
        severity = RULE.severity
        if problem.nearest == "evidence":
            severity = Severity.WARNING
        if problem.subject == ASSERTION_RESULTS:
            severity = Severity.NOTE
        message = f"{problem.detail}; the name is `{problem.nearest}`"
        hint = f"rename it to `{problem.nearest}`"
        fix = Fix(hint, False, RenameKey(problem.at, problem.nearest)) if problem.at.keys else None
        yield RULE.at(problem, message, hint=hint, fix=fix, severity=severity)
