"""A grading file has another shape than its readers expect.

## Why is this bad?
A grading file is an object with a list `expectations`, each of them with `text`, `passed` and `evidence`; `summary`, if
there is one, is an object of numbers. Readers of skill-creator take what is not there for nothing: no verdicts in the
viewer, 0% in an aggregate. A `summary` that is no object stops the aggregation altogether. What can still be counted
(verdicts without text, counters without verdicts) is a warning.

## How to fix it
Write the shape above, or have the run graded again.

## When to ignore it
When the file is meant for other readers.

## Example
```json
{"expectations": {"The total is right": true}, "summary": "1 of 1 passed"}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import MISSING_KEY, WRONG_TYPE, Problem

RULE = Rule("GJ003", "wrong-grading-shape", Severity.ERROR, Problem)
HINTS = {
    "expectations": "write a list of objects with `text`, `passed` and `evidence`",
    "verdicts": "add the list of verdicts that they count",
    "summary": "write an object with `passed`, `failed`, `total` and `pass_rate`, or leave it out",
    "text": "write the expectation as it was given",
    "passed": "write `true` or `false`",
    "": "write an object with the list `expectations`",
}


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "grading" and problem.kind in (WRONG_TYPE, MISSING_KEY):
        countable = problem.subject in ("verdicts", "text")
        hint = HINTS.get(problem.subject, "write a number")
        yield RULE.at(problem, problem.detail, hint=hint, severity=Severity.WARNING if countable else RULE.severity)
