"""A `.harborignore` keeps back a file that the verifier or the oracle needs.

## Why is this bad?
Harbor uploads `tests/` and `solution/` without the files that a `.harborignore` in them names. It refuses to load a
task whose test script is named; a grader or helper that is missing fails only in the run, when the test script starts
it, and every agent gets the same score. Without `solution/solve.sh` the oracle agent cannot start.

## How to fix it
Narrow the pattern, or add an exception such as `!grader.py` below it.

## When to ignore it
When the image brings the file with it, at the same place.

## Example
```text
# tests/.harborignore
*.py
```
"""

import re
from collections.abc import Iterator
from typing import Any

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Grader, Run, Task, Withheld, quoted

RULE = Rule("TK303", "hidden-test-files", Severity.ERROR, Task)
HOME = r"(?:steps/[^/]+/)?"
TEST_SCRIPT = re.compile(rf"{HOME}tests/test\.(?:sh|bat)\Z")
GRADER = re.compile(rf"{HOME}tests/grader\.(?:py|sh)\Z")
SOLUTION = re.compile(rf"{HOME}solution/solve\.(?:sh|bat)\Z")


def check(task: Task) -> Iterator[Finding]:
    for hidden in task.withheld:
        message, certain = _need(task, hidden)
        if message:
            hint = f"narrow this pattern, or add `!{hidden.path.rpartition('/')[2]}` below it"
            severity = None if certain else Severity.WARNING
            yield RULE.at(hidden.at, f"{quoted(hidden.path)} is kept back{message}", hint=hint, severity=severity)


def _need(task: Task, hidden: Withheld) -> tuple[str, bool]:
    """Why the file is needed (empty if it may not be), and whether no run can do without it."""
    if SOLUTION.match(hidden.path):
        return ", so the oracle agent cannot start", False
    if _brings_tests(task):
        return "", False
    if TEST_SCRIPT.match(hidden.path):
        return ", so Harbor refuses the task", hidden.path.endswith(".sh")
    if _is_used(task, hidden, certain=True):
        return ", and the test script starts it", True
    if GRADER.match(hidden.path):
        return ", and it is the grader", False
    return (", and the test script may use it", False) if _is_used(task, hidden, certain=False) else ("", False)


def _brings_tests(task: Task) -> bool:
    """Whether an image of the verifier's own may hold the tests, so that nothing is uploaded."""
    config = task.config or {}
    steps = config.get("steps")
    tables = [config, *(steps if isinstance(steps, list) else [])]
    return any(name.endswith(("tests/Dockerfile", "tests/docker-compose.yaml")) for name in task.present) or any(
        map(_has_own_image, tables)
    )


def _has_own_image(table: Any) -> bool:
    verifier = table.get("verifier") if isinstance(table, dict) else None
    return isinstance(verifier, dict) and ("environment" in verifier or "environment_mode" in verifier)


def _is_used(task: Task, hidden: Withheld, *, certain: bool) -> bool:
    return any(_uses(script, hidden, certain=certain) for script in task.scripts if script.role != "helper")


def _uses(script: Grader, hidden: Withheld, *, certain: bool) -> bool:
    """Whether a script starts the file, or, less certain, names it among what it reads or hands to a program."""
    path = hidden.path[hidden.path.find("tests/") - 1 :] if "/tests/" in hidden.path else f"/{hidden.path}"
    runs = [run for run in script.runs if not (certain and run.conditional)]
    if any(_starts(run, path) for run in runs):
        return True
    return not certain and (path in script.reads or any(path in run.words for run in runs))


def _starts(run: Run, path: str) -> bool:
    return run.script == path or (run.is_pytest and path in run.words)
