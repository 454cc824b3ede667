"""Two case folders differ only in letter case.

## Why is this bad?
On macOS and Windows they are one folder: a checkout there silently loses one case.

## How to fix it
Rename one of them.

## When to ignore it
When nobody works with the skill on macOS or Windows.

## Example
```text
evals/harbor/Quotes/
evals/harbor/quotes/
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Skill, quoted

RULE = Rule("TK083", "colliding-case-folders", Severity.WARNING, Skill)


def check(skill: Skill) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for task in skill.tasks:
        name = task.folder.replace("\\", "/").rpartition("/")[2]
        other = first.setdefault(name.casefold(), task.folder)
        if other != task.folder:
            other_name = other.replace("\\", "/").rpartition("/")[2]
            yield RULE.at(
                Location(task.folder),
                f"the folder {quoted(name)} differs from {quoted(other_name)} only in letter case",
                hint="rename one of them",
                related=[Location(other)],
            )
