"""The dataset names another skill.

## Why is this bad?
The file was probably copied: its prompts and expected results belong to another skill, and nothing in a run says so.

## How to fix it
Write the name of this skill as `skill_name`, and check that the entries are meant for it.

## When to ignore it
When several versions of a skill, under names of their own, share one dataset.

## Example
```json
{"skill_name": "xml2json", "evals": []}
```
The skill is called `csv2json`.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill, quoted

RULE = Rule("DS023", "skill-name-mismatch", Severity.WARNING, Skill)


def check(skill: Skill) -> Iterator[Finding]:
    dataset = skill.dataset
    if dataset is None or dataset.skill_name is None or skill.front_matter is None:
        return
    names = {skill.name, skill.front_matter.name} if isinstance(skill.front_matter.name, str) else {skill.name}
    if isinstance(dataset.skill_name, str) and dataset.skill_name in names:
        return
    own = skill.front_matter.name if isinstance(skill.front_matter.name, str) else skill.name
    at = dataset.at.within("skill" if dataset.shape == "cases" else "skill_name")
    yield RULE.at(
        at,
        f"the dataset is for {quoted(dataset.skill_name)}, the skill is called {quoted(own)}",
        hint=f"write {quoted(own)}, or move the dataset to its own skill",
    )
