"""The header `[environment]` of a native case is not written plainly.

## Why is this bad?
SkillEvaluator edits `task.toml` line by line and looks for `[environment]` alone on its line. With a comment behind it,
or as an inline table, it is not found and added once more: the table is then declared twice, and the file is broken.

## How to fix it
Put the comment on a line of its own, and nothing else on the line of the header.

## When to ignore it
When the case is run by plain Harbor only; `--target harbor` leaves this rule out altogether.

## Example
```toml
[environment] # two cores are enough
cpus = 2
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Fix, PlainHeader, Rule, Severity
from gradewright.model import Task

RULE = Rule("TK208", "odd-environment-header", Severity.WARNING, Task, targets=frozenset({"skillevaluator"}))


def check(task: Task) -> Iterator[Finding]:
    if task.in_skill and task.environment_header:
        message = "SkillEvaluator does not find this header, and declares the table a second time"
        hint = "write `[environment]` and nothing else on the line"
        fix = Fix("put the comment on a line of its own", True, PlainHeader(task.environment_header))
        yield RULE.at(task.environment_header, message, hint=hint, fix=fix)
