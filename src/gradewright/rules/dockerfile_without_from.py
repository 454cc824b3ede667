"""A Dockerfile names no base image.

## Why is this bad?
The image cannot be built, so no trial of the task starts.

## How to fix it
Begin the Dockerfile with `FROM`, for example `FROM python:3.12-slim`.

## When to ignore it
When the Dockerfile is completed by a program before each run.

## Example
```dockerfile
RUN pip install pandas==2.2.3
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Task

RULE = Rule("TK202", "dockerfile-without-from", Severity.ERROR, Task)


def check(task: Task) -> Iterator[Finding]:
    if not task.image.based:
        hint = "begin it with `FROM`, for example `FROM python:3.12-slim`"
        yield RULE.at(task.image, "the Dockerfile has no `FROM`, so it cannot be built", hint=hint)
