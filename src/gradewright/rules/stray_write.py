"""The grader wrote to places other than `/logs/verifier` and the workspace.

## Why is this bad?
Only `/logs/verifier` is collected. What lies in `/tests` or in the agent's logs is lost or, in a second run, graded
as if the agent had done it.

## How to fix it
Write to `/logs/verifier`, or to a temporary folder.

## When to ignore it
If the files are needed by the tests while they run.

## Example
```sh
cp /workspace/app.py /tests/ && cd /tests && python3 -m pytest
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Trial, quoted

RULE = Rule("RW107", "stray-write", Severity.NOTE, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    if trial.strayed:
        more = f" and {len(trial.strayed) - 1} more" if len(trial.strayed) > 1 else ""
        message = f"writes to {quoted(trial.strayed[0])}{more}, outside of `/logs/verifier`"
        hint = trial.cure("write to `/logs/verifier` or a temporary folder")
        yield RULE.at(trial, message, hint=hint, related=trial.evidence)
