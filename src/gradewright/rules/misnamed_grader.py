"""A file in `evals/` looks like the grader and is not called `grader.py` or `grader.sh`.

## Why is this bad?
SkillEvaluator does not find it: the mode `custom_only` is refused, and in every other mode its metrics are missing.

## How to fix it
Rename it to `grader.py` or `grader.sh`.

## When to ignore it
When the file belongs to something else.

## Example
```text
evals/Grader.py
```
"""

from collections.abc import Iterator

from gradewright.contract import GRADER_FILES
from gradewright.finding import Finding, Fix, RenameFile, Rule, Severity
from gradewright.model import Skill, nearest, quoted

RULE = Rule("GR002", "misnamed-grader", Severity.WARNING, Skill, targets=frozenset({"skillevaluator"}))
ALIKE = 0.88


def check(skill: Skill) -> Iterator[Finding]:
    if any(f"evals/{name}" in skill.present for name in GRADER_FILES):
        return
    for path in sorted(skill.present):
        folder, _, name = path.rpartition("/")
        meant = nearest(name, GRADER_FILES, ALIKE) if folder == "evals" else ""
        if meant and name.lower()[-3:] == meant[-3:]:
            at = skill.at._replace(path=f"{skill.at.path}/{path}")
            message = f"{quoted(name)} is not read: a grader is called `{meant}`"
            hint = f"rename it to `{meant}`"
            yield RULE.at(at, message, hint=hint, fix=Fix(hint, False, RenameFile(at, meant)))
