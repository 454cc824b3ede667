"""A native case puts its skills into a folder of its own.

## Why is this bad?
SkillEvaluator stages skills in `/workspace/skills` and refuses a case whose `skills_dir` is another one.

## How to fix it
Delete `skills_dir`, or set it to `/workspace/skills`.

## When to ignore it
When the case is run by plain Harbor only; `--target harbor` leaves this rule out altogether.

## Example
```toml
[environment]
skills_dir = "/root/.claude/skills"
```
"""

from collections.abc import Iterator

from gradewright.contract import SKILLS_DIR
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Task, quoted

RULE = Rule("TK207", "foreign-skills-dir", Severity.ERROR, Task, targets=frozenset({"skillevaluator"}))


def check(task: Task) -> Iterator[Finding]:
    folder = task.table("environment").get("skills_dir")
    if task.in_skill and isinstance(folder, str) and folder.rstrip("/") != SKILLS_DIR:
        message = f"`environment.skills_dir` is {quoted(folder)}, so SkillEvaluator refuses the case"
        hint = f"set it to `{SKILLS_DIR}`, or delete it"
        yield RULE.at(task.config_at.within("environment", "skills_dir"), message, hint=hint)
