"""The configuration of the evaluation does not parse.

## Why is this bad?
The platform refuses to start. The usual causes are a tab in the indentation, a `: ` in a value without quotes, and a
key at another depth than its neighbours.

## How to fix it
Correct the line that is named.

## When to ignore it
When the file is a template that another program fills in before each run.

## Example
```yaml
harbor:
  agent_workdir: /workspace: here
```
The value needs quotes.
"""

from collections.abc import Iterator

from gradewright.finding import DropMark, Finding, Fix, Rule, Severity
from gradewright.model import BOM, SYNTAX, Problem

RULE = Rule("CF001", "config-syntax-error", Severity.ERROR, Problem, targets=frozenset({"skillevaluator"}))


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "config" and problem.kind in (SYNTAX, BOM):
        fix = Fix("drop the byte order mark", True, DropMark(problem.at)) if problem.kind == BOM else None
        yield RULE.at(problem, problem.detail, hint=problem.cure, fix=fix)
