"""A native case names a ready-made image in `environment.docker_image`.

## Why is this bad?
SkillEvaluator refuses to stage it: it has to build on a Dockerfile. Plain Harbor runs it.

## How to fix it
Delete the line, and begin `environment/Dockerfile` with `FROM` and this image.

## When to ignore it
When the case is run by plain Harbor only; `--target harbor` leaves this rule out altogether.

## Example
```toml
[environment]
docker_image = "python:3.12-slim"
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Task

RULE = Rule("TK206", "docker-image-in-case", Severity.ERROR, Task, targets=frozenset({"skillevaluator"}))


def check(task: Task) -> Iterator[Finding]:
    image = task.table("environment").get("docker_image")
    if task.in_skill and image:
        message = "`environment.docker_image` is set, so SkillEvaluator refuses the case"
        hint = f"delete it, and begin `environment/Dockerfile` with `FROM {str(image)[:80]}`"
        yield RULE.at(task.config_at.within("environment", "docker_image"), message, hint=hint)
