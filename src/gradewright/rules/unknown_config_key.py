"""The configuration has a key that the platform does not know.

## Why is this bad?
The platform refuses the whole file, and no case is run.

## How to fix it
Correct the spelling, or delete the key.

## When to ignore it
When you run a newer SkillEvaluator than the one that gradewright knows, and it takes the key.

## Example
```yaml
schema_version: 1
harbor:
  n_attempt: 3
```
The key is `n_attempts`.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Fix, RenameKey, Rule, Severity
from gradewright.model import UNKNOWN_KEY, Problem

RULE = Rule("CF010", "unknown-config-key", Severity.ERROR, Problem, targets=frozenset({"skillevaluator"}))


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "config" and problem.kind == UNKNOWN_KEY:
        rename = f"rename it to `{problem.nearest}`" if problem.nearest else "delete it, or move it to where it belongs"
        hint = problem.cure or rename
        fix = Fix(hint, True, RenameKey(problem.at, problem.meant)) if problem.meant else None
        yield RULE.at(problem, problem.detail, hint=hint, fix=fix)
