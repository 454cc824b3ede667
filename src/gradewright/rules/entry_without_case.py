"""An entry of the dataset has no native case.

## Why is this bad?
With `task_source: native_harbor` only the cases below `evals/harbor/` are run. An entry that none of them names is
never run, and nothing in the results says so.

## How to fix it
Add a case with `gradewright init-harbor-task --case-id ID`, or delete the entry.

## When to ignore it
When the entry is kept for a later case, or for a run with `task_source: evals_json`.

## Example
```text
evals/evals.json: the ids "quotes" and "commas"
evals/harbor/quotes/
```
The entry `commas` is never run.
"""

from collections.abc import Iterator

from gradewright.contract import case_id_problem
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill

RULE = Rule("TK084", "entry-without-case", Severity.WARNING, Skill, targets=frozenset({"skillevaluator"}))


def check(skill: Skill) -> Iterator[Finding]:
    dataset = skill.dataset
    if not skill.complete or dataset is None or skill.policy.task_source != "native_harbor" or not skill.tasks:
        return
    from shlex import quote

    folder = quote(skill.at.path)
    known = {str(task.entry_id) for task in skill.tasks if case_id_problem(task.entry_id) is None}
    for case in dataset.cases:
        if case_id_problem(case.id) is None and str(case.id) not in known:
            message = f"{case.label} has no case in `evals/harbor/`, so it is never run"
            hint = f"run `gradewright init-harbor-task {folder} --case-id {case.id}`, or delete the entry"
            yield RULE.at(case.at.within("id"), message, hint=hint)
