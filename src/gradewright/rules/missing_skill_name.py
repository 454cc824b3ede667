"""The front matter of SKILL.md names no skill.

## Why is this bad?
Agents list skills by their `name`; one without a name is skipped or gets a name that no dataset expects.

## How to fix it
Write `name:` with the name of the skill's folder.

## When to ignore it
When every agent that is evaluated is known to take the folder's name instead.

## Example
```yaml
description: Converts tables to JSON.
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill, quoted, type_name

RULE = Rule("SK003", "missing-skill-name", Severity.WARNING, Skill)


def check(skill: Skill) -> Iterator[Finding]:
    head = skill.front_matter
    if head is None:
        return
    if head.name is None or (isinstance(head.name, str) and not head.name.strip()):
        yield RULE.at(head.name_at, "the skill has no `name`", hint=f"write `name: {skill.name}`")
    elif not isinstance(head.name, str):
        message = f"the `name` {quoted(head.name)} is {type_name(head.name)}, not text"
        yield RULE.at(head.name_at, message, hint="put it in quotes")
