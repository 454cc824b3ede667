"""An object of a grading file has the same key twice.

## Why is this bad?
The last one wins and the other is dropped without a word: a verdict of `false` may be read as `true`.

## How to fix it
Keep the one that the evidence supports.

## When to ignore it
When both say the same.

## Example
```json
{"text": "The total is right", "passed": false, "passed": true, "evidence": "It says 421.50"}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import DUPLICATE_KEY, Problem

RULE = Rule("GJ002", "duplicate-grading-key", Severity.WARNING, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "grading" and problem.kind == DUPLICATE_KEY:
        yield RULE.at(problem, problem.detail, hint=problem.cure)
