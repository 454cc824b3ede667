"""A data file nests lists and mappings without end.

## Why is this bad?
Parsers give up at some depth, each at another one, and some of them crash. No honest file goes beyond ten or twenty
levels; this one exceeds a hundred, or contains itself through a YAML alias.

## How to fix it
Look for brackets that are never closed, and flatten the value.

## When to ignore it
When the depth of a fixture is what the case tests.

## Example
```yaml
base: &base
  next: *base
```
The mapping contains itself.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import TOO_DEEP, Problem

RULE = Rule("RD008", "excessive-nesting", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == TOO_DEEP:
        severity = Severity.WARNING if problem.role == "fixture" else None
        hint = "close what is left open, and flatten the rest"
        yield RULE.at(problem, f"the file {problem.detail}", hint=hint, severity=severity)
