"""A task, or one of its steps, has no test script.

## Why is this bad?
Harbor refuses the task; in a dataset folder it drops the case without a word. A `tests/grader.py` is only known to
SkillEvaluator: plain Harbor runs `tests/test.sh`, or `test.bat` in a Windows container.

## How to fix it
Add `tests/test.sh`; it may do no more than start the grader. A step may share the script of the task, and a separate
verifier image may bring its own.

## When to ignore it
When the case is run by SkillEvaluator only, which brings a test script of its own for a grader.

## Example
```text
quotes/task.toml
quotes/instruction.md
quotes/tests/grader.py
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Task, quoted

RULE = Rule("TK301", "missing-test-script", Severity.ERROR, Task, targets=frozenset({"harbor"}))


def check(task: Task) -> Iterator[Finding]:
    for name in task.missing:
        if not name.endswith("instruction.md"):
            yield RULE.at(_place(task, name), f"there is no {quoted(name)} for Harbor to run", hint=_hint(task, name))


def _place(task: Task, name: str) -> Location:
    steps = (step.at for step in task.steps if name.startswith(f"steps/{step.name}/tests/"))
    return next(steps, task.at)


def _hint(task: Task, name: str) -> str:
    folder, _, script = name.rpartition("/")
    other = f"{folder}/{'test.sh' if script == 'test.bat' else 'test.bat'}"
    if other in task.present:
        return f"write {quoted(name)}, which is what this `environment.os` asks for"
    meant = next((other for other in sorted(task.present) if other.lower() == name), "")
    if meant:
        return f"rename {quoted(meant)} to `{script}`"
    grader = next((f"{folder}/grader.{kind}" for kind in ("py", "sh") if f"{folder}/grader.{kind}" in task.present), "")
    return f"add one that starts {quoted(grader)}" if grader else f"add {quoted(name)}"
