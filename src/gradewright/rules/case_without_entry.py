"""A native case belongs to no entry of the dataset.

## Why is this bad?
In the modes `default` and `default_plus_custom` each case must match the entry whose id is its `metadata.entry_id`, or
else its folder's name. SkillEvaluator refuses the whole run over one that does not. In the mode `custom_only` this is a
note: the case runs, without the entry's data.

## How to fix it
Set `[metadata] entry_id` in the case's `task.toml` to an id of the dataset, or add the entry.

## When to ignore it
In the mode `custom_only`, when the grader does not look at the entry.

## Example
```toml
# evals/harbor/quotes/task.toml
[metadata]
entry_id = "quoted-field" # the dataset has `quoted-fields`
```
"""

from collections.abc import Iterator

from gradewright.contract import case_id_problem, grading_mode
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill, nearest, quoted

RULE = Rule("TK081", "case-without-entry", Severity.ERROR, Skill, targets=frozenset({"skillevaluator"}))

_MAX_GUESSES = 20
"""Ids for which a near one is looked for; comparing thousands with thousands would take minutes."""


def check(skill: Skill) -> Iterator[Finding]:
    mode = grading_mode(skill.policy.mode)
    dataset = skill.dataset
    if mode is None or dataset is None or dataset.shape == "unreadable" or skill.source != "native_harbor":
        return
    ids = {str(case.id) for case in dataset.cases if case_id_problem(case.id) is None}
    orphans = [task for task in skill.tasks if case_id_problem(task.entry_id) or str(task.entry_id) not in ids]
    used = {str(task.entry_id) for task in skill.tasks if case_id_problem(task.entry_id) is None}
    unused = ids - used if len(orphans) == 1 else set()
    for number, task in enumerate(orphans):
        near = _guess(task.entry_id, ids, unused) if number < _MAX_GUESSES else ""
        yield RULE.at(
            task.entry_id_at,
            f"no entry of the dataset has the id {quoted(task.entry_id)}"
            + ("" if mode == "custom_only" else f", which mode `{mode}` needs")
            + (f"; did you mean `{near}`?" if near else ""),
            hint=f"set `metadata.entry_id` to {f'`{near}`' if near else _some(ids)}, or add the entry",
            severity=Severity.NOTE if mode == "custom_only" else Severity.ERROR,
        )


def _guess(entry_id: object, ids: set[str], unused: set[str]) -> str:
    """An id that looks alike, else the only one that no case has."""
    near = nearest(entry_id, sorted(ids), 0.7) if isinstance(entry_id, str) else ""
    return near or (next(iter(unused)) if len(unused) == 1 else "")


def _some(ids: set[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in sorted(ids)[:3])
    return f"an id of the dataset ({shown}{', ...' if len(ids) > 3 else ''})" if ids else "an id of the dataset"
