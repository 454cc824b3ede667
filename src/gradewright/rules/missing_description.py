"""The front matter of SKILL.md has no description.

## Why is this bad?
The description is all an agent sees before it decides to use the skill. Without one the skill is hardly ever used, and
its evaluation measures nothing.

## How to fix it
Write `description:` with what the skill does and when it is to be used.

## When to ignore it
When the skill is only ever started by its name, and its evaluation does so too.

## Example
```yaml
name: csv2json
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill, type_name

RULE = Rule("SK005", "missing-description", Severity.WARNING, Skill)


def check(skill: Skill) -> Iterator[Finding]:
    head = skill.front_matter
    if head is None:
        return
    hint = "say what the skill does and when to use it"
    if head.description is None or (isinstance(head.description, str) and not head.description.strip()):
        yield RULE.at(head.description_at, "the skill has no `description`", hint=hint)
    elif not isinstance(head.description, str):
        yield RULE.at(head.description_at, f"the `description` is {type_name(head.description)}, not text", hint=hint)
