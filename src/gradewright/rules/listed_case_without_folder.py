"""`dataset.toml` lists a task that has no folder.

## Why is this bad?
A case that was renamed or deleted is still part of the dataset on paper. A task that a digest pins may lie in a
registry instead, so that is only a note.

## How to fix it
Delete the `[[tasks]]` entry, or correct its name.

## When to ignore it
When the task is fetched from a registry.

## Example
```toml
[[tasks]]
name = "acme/quotes" # and no folder evals/harbor/quotes
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill, nearest, quoted

RULE = Rule("DM015", "listed-case-without-folder", Severity.WARNING, Skill)

_MAX_GUESSES = 20
"""Names for which a near one is looked for; comparing thousands with thousands would take minutes."""


def check(skill: Skill) -> Iterator[Finding]:
    if skill.manifest is None or not skill.complete:
        return
    known = {task.at.name for task in skill.tasks}
    known.update(task.name for task in skill.tasks if isinstance(task.name, str))
    listed = {task.name for task in skill.manifest.tasks if isinstance(task.name, str)}
    unknown = [
        task
        for task in skill.manifest.tasks
        if isinstance(task.name, str) and task.name not in known and task.name.rpartition("/")[2] not in known
    ]
    for number, task in enumerate(unknown):
        near = nearest(task.name, sorted(known - listed), 0.7) if number < _MAX_GUESSES else ""
        yield RULE.at(
            task.at.within("name"),
            f"no case here is called {quoted(task.name)}",
            hint=f"write {quoted(near)}, or delete the entry" if near else "delete the entry, or add the case",
            severity=Severity.NOTE if isinstance(task.digest, str) else Severity.WARNING,
        )
