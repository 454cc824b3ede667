"""A key or table of `task.toml` means nothing to Harbor.

## Why is this bad?
Harbor loads the task without a word and uses its default instead: a time-out that was raised in `[verifer]` is not
raised. Where no known key is near, the key may be meant for another program, and this is only a note.

## How to fix it
Correct the spelling, or move facts of your own into `[metadata]`, which is free.

## When to ignore it
When another program, or a newer Harbor, reads the key.

## Example
```toml
[agent]
timeout = 600 # timeout_sec
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Fix, RenameKey, Rule, Severity
from gradewright.model import UNKNOWN_KEY, Problem

RULE = Rule("TK004", "unknown-task-key", Severity.WARNING, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role != "task" or problem.kind != UNKNOWN_KEY:
        return
    if problem.nearest:
        hint = problem.cure or f"rename it to `{problem.nearest}`"
        fix = Fix(hint, False, RenameKey(problem.at, problem.meant)) if problem.meant else None
        yield RULE.at(problem, f"{problem.detail}, so it is ignored", hint=hint, fix=fix)
    else:
        hint = "move it into `[metadata]`, which is free, or delete it"
        yield RULE.at(problem, f"{problem.detail}, so it is ignored", hint=hint, severity=Severity.NOTE)
