"""The environment of a native case holds a skill.

## Why is this bad?
SkillEvaluator refuses to stage the case: the run without the skill, which the other is compared with, would have the
skill too.

## How to fix it
Delete the skill from `environment/` and the line that copies it. SkillEvaluator puts the skill into the container
itself.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Task, quoted

RULE = Rule("TK205", "image-contains-skill", Severity.ERROR, Task, targets=frozenset({"skillevaluator"}))


def check(task: Task) -> Iterator[Finding]:
    if not task.in_skill:
        return
    for name in sorted(task.present):
        if name.startswith("environment/") and name.rpartition("/")[2] == "SKILL.md":
            message = f"{quoted(name)} puts a skill into the image, so the case cannot be staged"
            hint = "delete it: SkillEvaluator brings in the skill itself"
            yield RULE.at(_place(task, name), message, hint=hint)


def _place(task: Task, name: str) -> Location:
    """The line of the Dockerfile that copies the skill, else the file itself."""
    path = name.removeprefix("environment/")
    for source in task.image.sources:
        inside = source.path.strip("./")
        if inside and (path == inside or path.startswith(f"{inside}/")):
            return source.at
    return Location(f"{task.folder}/{name}")
