"""The dataset holds no list of entries.

## Why is this bad?
SkillEvaluator takes `{"skill_name": ..., "evals": [...]}` (and, from older times, a bare array). In anything else it
finds no entry and stops.

## How to fix it
Put the entries into a list under the key `evals`.

## When to ignore it
When only a tool of yours that takes this shape reads the file.

## Example
```json
{"skill_name": "csv2json", "evals": {"case-001": {"prompt": "Convert it."}}}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import WRONG_TYPE, Problem, quoted

RULE = Rule("DS021", "wrong-dataset-shape", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind != WRONG_TYPE or problem.role != "dataset":
        return
    if problem.nearest:
        hint = f"rename {quoted(problem.nearest)} to `evals`"
    else:
        hint = 'write `{"skill_name": "...", "evals": [...]}`'
    yield RULE.at(problem, problem.detail, hint=hint)
