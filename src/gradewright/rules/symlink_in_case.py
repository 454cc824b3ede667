"""There is a symbolic link in a native case.

## Why is this bad?
SkillEvaluator refuses to stage a case that has any link in it, even one that stays inside.

## How to fix it
Put the file itself in the link's place.

## When to ignore it
When the case is run by plain Harbor only; `--target harbor` leaves this rule out altogether.

## Example
```console
$ readlink evals/harbor/quotes/tests/grader.py
../../../grader.py
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Task

RULE = Rule("TK008", "symlink-in-case", Severity.ERROR, Task, targets=frozenset({"skillevaluator"}))


def check(task: Task) -> Iterator[Finding]:
    for link in task.links if task.in_skill else ():
        at = Location(f"{task.folder}/{link}")
        yield RULE.at(at, "this is a symbolic link, so the case cannot be staged", hint="put the file itself here")
