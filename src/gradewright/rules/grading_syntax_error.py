"""A grading file is not JSON.

## Why is this bad?
The run counts as not graded: the viewer shows nothing, and an aggregate leaves it out or takes it for a zero. Graders
that are models often put a Markdown fence around the JSON, or add a comment.

## How to fix it
Correct the line that is named, or have the run graded again.

## When to ignore it
When the run is not to be counted at all.

## Example
```json
{"expectations": [{"text": "The total is right", "passed": true, "evidence": "It says 412.50",}]}
```
The comma before `}` has to go.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import BOM, COMMENT, SYNTAX, TRAILING_COMMA, Problem

RULE = Rule("GJ001", "grading-syntax-error", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "grading" and problem.kind in (SYNTAX, BOM, COMMENT, TRAILING_COMMA):
        yield RULE.at(problem, problem.detail, hint=problem.cure)
