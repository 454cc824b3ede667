"""Native cases are there, and the configuration never runs them.

## Why is this bad?
With `task_source: auto`, which is also what counts without a configuration, SkillEvaluator makes its tasks from the
dataset as soon as there is one. The folders below `evals/harbor/`, with their images and graders, are passed over in
silence, and the scores are those of other tasks. With `task_source: evals_json` this was asked for, and is a warning.

## How to fix it
Set `harbor.task_source: native_harbor` in `evals/config.yml`.

## When to ignore it
When the dataset is to be run, and the native cases are for plain Harbor.

## Example
```text
evals/evals.json
evals/harbor/quotes/task.toml
```
Without a configuration, the case `quotes` is never run.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill

RULE = Rule("CF103", "shadowed-native-cases", Severity.ERROR, Skill, targets=frozenset({"skillevaluator"}))


def check(skill: Skill) -> Iterator[Finding]:
    policy = skill.policy
    if not skill.tasks or skill.source != "evals_json":
        return
    count = len(skill.tasks)
    what = "the native case is" if count == 1 else f"all {count} native cases are"
    wanted = policy.task_source == "evals_json"
    said = "`task_source: evals_json`" if wanted else "`task_source: auto` with a dataset"
    written = "harbor.task_source" in policy.written
    at = policy.at.within("harbor", "task_source") if policy.exists else skill.at
    yield RULE.at(
        at,
        f"{what} never run: {said if written else 'no `task_source` is set, and there is a dataset'}",
        hint="set `harbor.task_source` in `evals/config.yml` to `native_harbor`",
        severity=Severity.WARNING if wanted else Severity.ERROR,
        related=[skill.tasks[0].at],
    )
