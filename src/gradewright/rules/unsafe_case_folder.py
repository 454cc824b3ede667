"""The name of a case's folder makes trouble on other systems or to the platform.

## Why is this bad?
The folder's name is the case's id where `task.toml` gives none, and a part of result names. Ids have only ASCII
letters, digits, `.`, `_` and `-`; and `README.md`, `metric.py`, `dataset.toml` and `results` mean something else in
`evals/harbor/`: a case called `results` is never run.

## How to fix it
Rename the folder, for example to `case-001`.

## When to ignore it
When an id is given in `task.toml` and the cases stay on systems that take the name.

## Example
```text
evals/harbor/case 1/task.toml
evals/harbor/results/task.toml
```
"""

from collections.abc import Iterator

from gradewright.contract import RESERVED_CASE_FOLDERS, case_id_problem
from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Skill, quoted

RULE = Rule("TK082", "unsafe-case-folder", Severity.WARNING, Skill)


def check(skill: Skill) -> Iterator[Finding]:
    for task in skill.tasks:
        name = task.at.name
        reserved = name.lower() in RESERVED_CASE_FOLDERS
        problem = "has a meaning of its own in `evals/harbor/`" if reserved else case_id_problem(name)
        if problem:
            yield RULE.at(
                task, f"the folder's name {quoted(name)} {problem}", hint="rename it, for example to `case-001`"
            )
    if "evals/harbor/results/task.toml" in skill.present:
        at = Location(f"{skill.at.path}/evals/harbor/results")
        yield RULE.at(at, "a case in the folder `results` is never run", hint="rename it, for example to `case-001`")
