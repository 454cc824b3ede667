"""A task has nothing to build or pull its environment from.

## Why is this bad?
No container can be started. A task without even the folder `environment/` is dropped from its dataset without a word.

## How to fix it
Add `environment/Dockerfile` or `environment/docker-compose.yaml`, or name an image in `environment.docker_image`.

## When to ignore it
When the environment is put in place by a program before each run.

## Example
```text
quotes/task.toml
quotes/instruction.md
quotes/tests/test.sh
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Task

RULE = Rule("TK201", "missing-environment", Severity.ERROR, Task)

_MEANT = {
    "dockerfile": "Dockerfile",
    "containerfile": "Dockerfile",
    "docker-compose.yml": "docker-compose.yaml",
    "docker-compose.yaml": "docker-compose.yaml",
    "compose.yaml": "docker-compose.yaml",
    "compose.yml": "docker-compose.yaml",
}


def check(task: Task) -> Iterator[Finding]:
    if task.config is None or task.image.kind != "none":
        return
    names = {name.removeprefix("environment/") for name in task.present if name.startswith("environment/")}
    if "Dockerfile" in names:
        return
    if not names:
        hint = "add `environment/Dockerfile`, or name an image in `environment.docker_image`"
        yield RULE.at(task, "there is no `environment/` to build from, and no image is named", hint=hint)
        return
    at = Location(f"{task.folder}/environment")
    meant = next((name for name in sorted(names) if name.lower() in _MEANT), "")
    hint = f"rename `{meant}` to `{_MEANT[meant.lower()]}`" if meant else "add a `Dockerfile`"
    message = "there is neither a `Dockerfile` nor a `docker-compose.yaml`, and no image is named"
    yield RULE.at(at, message, hint=hint, severity=None if meant else Severity.WARNING)
