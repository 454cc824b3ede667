"""A custom grader is there, and the configuration does not run it.

## Why is this bad?
In the mode `default` only the platform's own metrics count: the run is paid for and the grader's verdict is not in it.
Where no mode is set this is the mode in force. With `task_source: native_harbor` each native case is graded by its own
scripts, and a grader in `evals/` is left alone.

## How to fix it
Set `grading.mode` in `evals/config.yml` to `default_plus_custom`, or to `custom_only` if the grader alone decides. To
have the entries of the dataset graded by `evals/grader.*`, set `harbor.task_source` to `evals_json`.

## When to ignore it
When the grader is kept for later and the platform's own metrics are wanted for now.

## Example
```yaml
# evals/config.yml, beside evals/grader.py
schema_version: 1
grading:
  mode: default
```
"""

from collections.abc import Iterator

from gradewright.contract import grading_mode
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Grader, Skill, quoted

RULE = Rule("CF101", "grader-never-runs", Severity.ERROR, Skill, targets=frozenset({"skillevaluator"}))


def check(skill: Skill) -> Iterator[Finding]:
    if grading_mode(skill.policy.mode) == "default":
        yield from _by_mode(skill)
    elif skill.policy.task_source == "native_harbor" and skill.graders:
        yield RULE.at(
            skill.policy.at.within("harbor", "task_source"),
            f"{_there(skill.graders)}, but `task_source: native_harbor` runs only the graders of native cases",
            hint="set `harbor.task_source` to `evals_json` if this grader is meant to run",
            severity=Severity.NOTE,
            related=[grader.at for grader in skill.graders],
        )


def _by_mode(skill: Skill) -> Iterator[Finding]:
    policy = skill.policy
    related = [] if skill.source == "native_harbor" else [grader.at for grader in skill.graders]
    if skill.source == "native_harbor":
        count = sum(1 for task in skill.tasks if any(name.startswith("grader.") for name in task.scripts))
        what = "1 native case brings a grader" if count == 1 else f"{count} native cases bring graders"
    else:
        count = len(skill.graders)
        what = _there(skill.graders)
    if not count:
        return
    hint = "set `grading.mode` to `default_plus_custom` or `custom_only`"
    if "grading.mode" in policy.written:
        message = f"{what}, but mode {quoted(policy.mode)} runs no custom grader"
        yield RULE.at(policy.at.within("grading", "mode"), message, hint=hint, related=related)
    else:
        at = policy.at if policy.exists or not related else related[0]
        message = f"{what}, but no `grading.mode` is set that would run a custom grader"
        yield RULE.at(at, message, hint=f"{hint} in `evals/config.yml`", severity=Severity.WARNING)


def _there(graders: tuple[Grader, ...]) -> str:
    return " and ".join(f"`{grader.at.name}`" for grader in graders) + " is there"
