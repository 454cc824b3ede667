"""Native tasks are asked for, and there are none.

## Why is this bad?
With `task_source: native_harbor` SkillEvaluator takes its tasks from `evals/harbor/` only, and stops when it finds
none.

## How to fix it
Add a case with `gradewright init-harbor-task`, or set `harbor.task_source: evals_json`.

## When to ignore it
When the cases are made by a program before each run.

## Example
```yaml
# evals/config.yml, and evals/harbor/ is empty
harbor:
  task_source: native_harbor
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill

RULE = Rule("CF104", "native-harbor-without-cases", Severity.ERROR, Skill, targets=frozenset({"skillevaluator"}))


def check(skill: Skill) -> Iterator[Finding]:
    policy = skill.policy
    if skill.manifest is not None and not skill.manifest.readable:
        return
    if skill.complete and policy.task_source == "native_harbor" and not skill.tasks:
        yield RULE.at(
            policy.at.within("harbor", "task_source"),
            "`task_source: native_harbor` is set, and `evals/harbor/` holds no case",
            hint="add one with `gradewright init-harbor-task`, or set `task_source: evals_json`",
        )
