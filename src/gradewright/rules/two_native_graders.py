"""A native case has two graders, and one of them is ignored.

## Why is this bad?
SkillEvaluator runs `tests/grader.py` whenever there is one, and says nothing of `tests/grader.sh`: changes made there
have no effect on its scores.

## How to fix it
Delete the one that is not wanted.

## When to ignore it
When the other one is started by `tests/test.sh` for plain Harbor.

## Example
```text
evals/harbor/quotes/tests/grader.py
evals/harbor/quotes/tests/grader.sh
```
Only `grader.py` is run.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Task

RULE = Rule("GR020", "two-native-graders", Severity.WARNING, Task, targets=frozenset({"skillevaluator"}))


def check(task: Task) -> Iterator[Finding]:
    if task.in_skill and {"tests/grader.py", "tests/grader.sh"} <= task.present:
        message = "this grader never runs: `grader.py` beside it comes first"
        at = Location(f"{task.folder}/tests/grader.sh")
        related = [Location(f"{task.folder}/tests/grader.py")]
        yield RULE.at(at, message, hint="delete the grader that is not wanted", related=related)
