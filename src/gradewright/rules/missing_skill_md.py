"""The skill has no SKILL.md.

## Why is this bad?
SKILL.md is what makes a folder a skill: without it the agent is given nothing, and a comparison with and without the
skill compares two equal arms. The name is looked up exactly, so `skill.md` is not found where letter case matters.

## How to fix it
Write `SKILL.md` in the root of the skill, or give the file this exact name.

## When to ignore it
When the skill is put in place by a program before each run.

## Example
```text
csv2json/skill.md
csv2json/evals/evals.json
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Fix, RenameFile, Rule, Severity
from gradewright.model import Skill

RULE = Rule("SK001", "missing-skill-md", Severity.ERROR, Skill)


def check(skill: Skill) -> Iterator[Finding]:
    if skill.skill_md is None:
        yield RULE.at(
            skill, "there is no `SKILL.md`", hint="write `SKILL.md` with a name and a description in its head"
        )
    elif skill.skill_md != "SKILL.md":
        at = skill.at._replace(path=f"{skill.at.path}/{skill.skill_md}")
        hint = "rename it to `SKILL.md`"
        fix = Fix(hint, False, RenameFile(at, "SKILL.md"))
        yield RULE.at(at, f"`{skill.skill_md}` is not found under this name", hint=hint, fix=fix)
