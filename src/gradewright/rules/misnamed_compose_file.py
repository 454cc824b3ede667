"""A compose file has a name that Harbor does not look for.

## Why is this bad?
Harbor reads `environment/docker-compose.yaml` and no other name. The task starts without the services, mounts and
settings of this file, and nothing says so.

## How to fix it
Rename it to `docker-compose.yaml`.

## When to ignore it
When the file is part of what the agent works on, and its service `main` has nothing to do with the agent's container.

## Example

`environment/docker-compose.yml` starts a database beside `main`:

```yaml
services:
  main: {}
  db:
    image: postgres:16
```

The database is never there.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Fix, RenameFile, Rule, Severity
from gradewright.model import Task, quoted

RULE = Rule("TK212", "misnamed-compose-file", Severity.WARNING, Task)


def check(task: Task) -> Iterator[Finding]:
    overlooked = task.image.overlooked
    if overlooked:
        name = quoted(overlooked.name)
        hint = "rename it to `docker-compose.yaml`"
        fix = Fix(hint, False, RenameFile(overlooked, "docker-compose.yaml"))
        yield RULE.at(overlooked, f"{name} is not read by Harbor", hint=hint, fix=fix)
