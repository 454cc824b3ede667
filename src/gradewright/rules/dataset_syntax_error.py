"""The dataset does not parse.

## Why is this bad?
No case of it can be run. JSON has neither comments nor trailing commas, keeps text in double quotes, and may not start
with a byte order mark; in YAML the usual cause is a `: ` in a value without quotes.

## How to fix it
Correct the line that is named. Comments, trailing commas and a byte order mark are all listed at once.

## When to ignore it
When the file is a template that another program fills in before each run.

## Example
```json
{"evals": [{"id": "one", "prompt": "Convert the file.",}]}
```
The comma before `}` has to go.
"""

from collections.abc import Iterator

from gradewright.finding import DropCommas, DropComments, DropMark, Finding, Fix, Rule, Severity
from gradewright.model import BOM, COMMENT, SYNTAX, TRAILING_COMMA, Problem

RULE = Rule("DS001", "dataset-syntax-error", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "dataset" and problem.kind in (SYNTAX, BOM, COMMENT, TRAILING_COMMA):
        yield RULE.at(problem, problem.detail, hint=problem.cure, fix=_fix(problem))


def _fix(problem: Problem) -> Fix | None:
    whole = problem.at._replace(line=0, column=0)
    if problem.kind == BOM:
        return Fix("drop the byte order mark", True, DropMark(whole))
    if problem.kind == TRAILING_COMMA:
        return Fix("drop the commas behind the last items", True, DropCommas(whole))
    return Fix("drop the comments", False, DropComments(whole)) if problem.kind == COMMENT else None
