"""The environment of a native case holds a skill.

## Why is this bad?
The run without the skill, which the other is compared with, has the skill too. SkillEvaluator refuses to stage a case
with a `SKILL.md` anywhere in its `environment/`; it does not see a copy under another name, nor one that comes in by
the build context or a mount of the compose file, and then the comparison shows nothing.

## How to fix it
Delete the skill from `environment/` and the line that brings it in. SkillEvaluator puts the skill into the container
itself.

## When to ignore it
When the case is run by plain Harbor only, without a comparison: `--target harbor` leaves this rule out altogether.

## Example

```Dockerfile
FROM python:3.12-slim
COPY csv2json/ /root/.claude/skills/csv2json/
```

copies the skill under evaluation from `environment/csv2json/SKILL.md`.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import LEAKS_SKILL, Task, quoted

RULE = Rule("TK205", "image-contains-skill", Severity.ERROR, Task, targets=frozenset({"skillevaluator"}))
_HINT = "delete it: SkillEvaluator brings in the skill itself"


def check(task: Task) -> Iterator[Finding]:
    if not task.in_skill:
        return
    for name in sorted(task.present):
        if name.startswith("environment/") and name.rpartition("/")[2] == "SKILL.md":
            message = f"{quoted(name)} puts a skill into the image, so the case cannot be staged"
            yield RULE.at(_place(task, name), message, hint=_HINT)
    for leak in task.image.leaks:
        if leak.kind != LEAKS_SKILL or (leak.path != leak.of and leak.path.endswith("/SKILL.md")):
            continue
        what = "the evaluated skill" if leak.path == leak.of else f"{quoted(leak.path)}, a copy of the evaluated skill,"
        yield RULE.at(leak, f"{quoted(leak.via)} brings {what} into the agent's container", hint=_HINT)


def _place(task: Task, name: str) -> Location:
    """The line of the Dockerfile that copies the skill, else the file itself."""
    path = name.removeprefix("environment/")
    for source in task.image.sources:
        inside = source.path.strip("./")
        if inside and (path == inside or path.startswith(f"{inside}/")):
            return source.at
    return Location(f"{task.folder}/{name}")
