"""The configuration has the same key twice.

## Why is this bad?
The last one wins and the other is dropped without a word, and with a repeated table all that stands in it.

## How to fix it
Keep one of the two.

## When to ignore it
When both have the same value.

## Example
```yaml
harbor:
  n_attempts: 3
harbor:
  task_source: native_harbor
```
`n_attempts` has no effect.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import DUPLICATE_KEY, Problem

RULE = Rule("CF002", "duplicate-config-key", Severity.WARNING, Problem, targets=frozenset({"skillevaluator"}))


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "config" and problem.kind == DUPLICATE_KEY:
        yield RULE.at(problem, problem.detail, hint=problem.cure)
