"""A file in `evals/` looks like the configuration and is not called `config.yml` or `config.yaml`.

## Why is this bad?
SkillEvaluator does not read it: the evaluation runs with the defaults, in which a custom grader never runs.

## How to fix it
Rename it to `config.yml`.

## When to ignore it
When the file belongs to something else.

## Example
```text
evals/Config.yml
```
"""

from collections.abc import Iterator

from gradewright.contract import CONFIG_FILES
from gradewright.finding import Finding, Fix, RenameFile, Rule, Severity
from gradewright.model import Skill, nearest, quoted

RULE = Rule("CF108", "misnamed-config", Severity.WARNING, Skill, targets=frozenset({"skillevaluator"}))
ALIKE = 0.88


def check(skill: Skill) -> Iterator[Finding]:
    if skill.policy.exists:
        return
    for path in sorted(skill.present):
        folder, _, name = path.rpartition("/")
        meant = nearest(name, CONFIG_FILES, ALIKE) if folder == "evals" else ""
        if meant and name.lower().endswith((".yml", ".yaml", ".yam", ".ymal")):
            at = skill.at._replace(path=f"{skill.at.path}/{path}")
            message = f"{quoted(name)} is not read: the configuration is called `{meant}`"
            hint = f"rename it to `{meant}`"
            yield RULE.at(at, message, hint=hint, fix=Fix(hint, False, RenameFile(at, meant)))
