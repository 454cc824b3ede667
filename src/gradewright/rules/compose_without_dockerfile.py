"""A service of the compose file is built from a Dockerfile that is not there.

## Why is this bad?
Harbor builds all services before a trial starts. The build fails, so no trial of the task starts. `main` is built from
`environment/Dockerfile` unless the compose file or `environment.docker_image` says otherwise.

## How to fix it
Add the Dockerfile, or correct `build`: its `context` begins at the folder of the compose file, its `dockerfile` at the
context.

## When to ignore it
When the Dockerfile is made by a program before each run.

## Example

```yaml
services:
  main: {}
  api:
    build: ./api
```

needs `environment/Dockerfile` and `environment/api/Dockerfile`.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Task, quoted

RULE = Rule("TK213", "compose-without-dockerfile", Severity.ERROR, Task)


def check(task: Task) -> Iterator[Finding]:
    for source in task.image.missing:
        message = f"{quoted(source.path)} is not there, so this service cannot be built"
        yield RULE.at(source, message, hint="add it, or correct `build`: paths begin at the folder of this file")
