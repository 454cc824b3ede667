"""The test scripts of native cases are replaced, and no grader stands beside them.

## Why is this bad?
In the modes `default` and `default_plus_custom` SkillEvaluator writes a `tests/test.sh` of its own into each staged
case. One that has no `tests/grader.py` or `tests/grader.sh` then loses the only check its author wrote.

## How to fix it
Set `grading.mode: custom_only`, in which such a script is kept, or move the checks into `tests/grader.py`.

## When to ignore it
When the platform's own metrics are all that is wanted from the case.

## Example
```yaml
# evals/config.yml, and evals/harbor/quotes/tests/ holds only test.sh
grading:
  mode: default_plus_custom
```
"""

from collections.abc import Iterator

from gradewright.contract import grading_mode
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill

RULE = Rule("CF107", "ungraded-native-case", Severity.WARNING, Skill, targets=frozenset({"skillevaluator"}))


def check(skill: Skill) -> Iterator[Finding]:
    mode = grading_mode(skill.policy.mode)
    if mode not in ("default", "default_plus_custom") or skill.source != "native_harbor":
        return
    for task in skill.tasks:
        if task.scripts and not any(name.startswith("grader.") for name in task.scripts):
            message = f"in mode `{mode}` the `tests/{task.scripts[0]}` of this case is replaced, and it has no grader"
            hint = "set `grading.mode` to `custom_only`, or move the checks into `tests/grader.py`"
            yield RULE.at(task, message, hint=hint)
