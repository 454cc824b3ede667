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
    first: dict[str, Location] = {}
    for task in skill.tasks:
        other = first.setdefault(task.at.name.casefold(), task.at)
        if other != task.at:
            yield RULE.at(
                task,
                f"the folder {quoted(task.at.name)} differs from {quoted(other.name)} only in letter case",
                hint="rename one of them",
                related=[other],
            )
