"""The skill is called differently from its folder.

## Why is this bad?
The Agent Skills format asks for one name. Some agents go by the folder and others by the front matter, so that the same
skill is called differently from one to the next. It is a warning where the folder lies in a folder `skills/`, from
which agents load it, and a note elsewhere.

## How to fix it
Rename the folder, or write its name in the front matter.

## When to ignore it
When the folder is a working copy that is installed under the right name.

## Example
```yaml
# skills/csv-tools/SKILL.md
name: csv2json
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill, quoted

RULE = Rule("SK004", "folder-name-mismatch", Severity.WARNING, Skill)


def check(skill: Skill) -> Iterator[Finding]:
    head = skill.front_matter
    if head is None or not isinstance(head.name, str) or not head.name.strip() or head.name == skill.name:
        return
    library = skill.at.path.replace("\\", "/").split("/")[-2:-1] == ["skills"]
    yield RULE.at(
        head.name_at,
        f"the skill is called {quoted(head.name)} and its folder {quoted(skill.name)}",
        hint="give both the same name",
        severity=Severity.WARNING if library else Severity.NOTE,
    )
