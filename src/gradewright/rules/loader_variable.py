"""A native case sets a variable of the dynamic linker.

## Why is this bad?
SkillEvaluator refuses to stage it: such a variable can put foreign code into every program of the container, the
verifier's included.

## How to fix it
Delete it from `environment.env`; set it in the Dockerfile, for the one command that needs it.

## When to ignore it
When the case is run by plain Harbor only; `--target harbor` leaves this rule out altogether.

## Example
```toml
[environment.env]
LD_PRELOAD = "/usr/lib/libfaketime.so.1"
```
"""

from collections.abc import Iterator

from gradewright.contract import LOADER_VARIABLES
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Task, quoted

RULE = Rule("TK209", "loader-variable", Severity.ERROR, Task, targets=frozenset({"skillevaluator"}))


def check(task: Task) -> Iterator[Finding]:
    for name in task.table("environment", "env") if task.in_skill else ():
        if name.upper() in LOADER_VARIABLES:
            at = task.config_at.within("environment", "env", name)
            yield RULE.at(at, f"{quoted(name)} is set, so SkillEvaluator refuses the case", hint="delete it")
