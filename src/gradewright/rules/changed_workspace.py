"""The grader changed files of the agent's.

## Why is this bad?
Grading the same work again gives another result, and whoever looks into the workspace afterwards sees what the grader
left, not what the agent did. A file that is merely added is a note.

## How to fix it
Copy the work to a temporary folder and grade the copy.

## When to ignore it
If the tests have to be built or run in place, and the workspace is not kept.

## Example
```sh
cd /workspace && git reset --hard && make
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Trial, quoted

RULE = Rule("RW106", "changed-workspace", Severity.WARNING, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    lost = [name for name in trial.changed if name not in trial.created]
    if not trial.changed:
        return
    files = lost or trial.created
    level = Severity.WARNING if lost else Severity.NOTE
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    what = "changes or removes" if lost else "adds"
    message = f"{what} {quoted(files[0])}{more} in the workspace"
    yield RULE.at(trial, message, hint=trial.cure("grade a copy of the work"), severity=level, related=trial.evidence)
