"""The description in SKILL.md is longer than agents take.

## Why is this bad?
The Agent Skills format allows 1,024 characters. What comes after them is cut off, or the whole skill is refused.

## How to fix it
Keep what the skill does and when to use it; move the rest into the body.

## When to ignore it
When every agent that is evaluated is known to take longer descriptions.

## Example
```yaml
name: csv2json
description: >-
  Converts tables. The options are ... # and 1,500 characters of them
```
"""

from collections.abc import Iterator

from gradewright.contract import MAX_DESCRIPTION
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill

RULE = Rule("SK006", "long-description", Severity.WARNING, Skill)


def check(skill: Skill) -> Iterator[Finding]:
    head = skill.front_matter
    if head and isinstance(head.description, str) and len(head.description.strip()) > MAX_DESCRIPTION:
        length = len(head.description.strip())
        message = f"the description has {length:,} characters, more than {MAX_DESCRIPTION:,}"
        yield RULE.at(head.description_at, message, hint="move details into the body of SKILL.md")
