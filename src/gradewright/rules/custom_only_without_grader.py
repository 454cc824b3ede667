"""The mode `custom_only` is set and there is no grader.

## Why is this bad?
The reward is to come from `evals/grader.py` or `evals/grader.sh` alone. SkillEvaluator refuses to stage the tasks.

## How to fix it
Write the grader, for example with `gradewright init-custom-grader`, or set another `grading.mode`.

## When to ignore it
When the grader is put in place by a program before each run.

## Example
```yaml
# evals/config.yml, and neither evals/grader.py nor evals/grader.sh
schema_version: 1
grading:
  mode: custom_only
```
"""

from collections.abc import Iterator

from gradewright.contract import GRADER_FILES, grading_mode
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill

RULE = Rule("CF102", "custom-only-without-grader", Severity.ERROR, Skill, targets=frozenset({"skillevaluator"}))


def check(skill: Skill) -> Iterator[Finding]:
    policy = skill.policy
    if not skill.complete or grading_mode(policy.mode) != "custom_only" or skill.source != "evals_json":
        return
    if skill.graders or any(f"evals/{name}" in skill.present for name in GRADER_FILES):
        return
    misplaced = [name for name in GRADER_FILES if name in skill.present]
    yield RULE.at(
        policy.at.within("grading", "mode"),
        "mode `custom_only` needs a grader, and there is neither `evals/grader.py` nor `evals/grader.sh`",
        hint=f"move `{misplaced[0]}` into `evals/`" if misplaced else "run `gradewright init-custom-grader`",
    )
