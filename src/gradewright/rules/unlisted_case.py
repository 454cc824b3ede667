"""A case is missing from `dataset.toml`.

## Why is this bad?
Whoever fetches the dataset by its manifest does not get this case, while a run on the folder includes it: the two give
different scores.

## How to fix it
Add a `[[tasks]]` entry with the name that stands in the case's `task.toml`.

## When to ignore it
When the case is a draft that is not to be published.

## Example
```toml
# evals/harbor/ holds the cases quotes and commas
[[tasks]]
name = "acme/quotes"
```
"""

from collections.abc import Iterator

from gradewright.finding import AddTask, Finding, Fix, Rule, Severity
from gradewright.model import Skill, quoted

RULE = Rule("DM014", "unlisted-case", Severity.WARNING, Skill)


def check(skill: Skill) -> Iterator[Finding]:
    manifest = skill.manifest
    if manifest is None or not manifest.readable:
        return
    listed = {
        name
        for task in manifest.tasks
        if isinstance(task.name, str)
        for name in (task.name, task.name.rpartition("/")[2])
    }
    for task in skill.tasks:
        folder = task.at.name
        if folder not in listed and not (isinstance(task.name, str) and task.name in listed):
            name = task.name if isinstance(task.name, str) else folder
            message = f"the case {quoted(folder)} is not listed"
            hint = "add `[[tasks]]` with `name` set to " + quoted(name)
            remedy = AddTask(manifest.at, name)
            fix = Fix(f"list {quoted(name)}", True, remedy) if isinstance(task.name, str) else None
            yield RULE.at(manifest.at.within("tasks"), message, hint=hint, fix=fix, related=[task.at])
