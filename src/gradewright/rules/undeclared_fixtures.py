"""An entry without `files` is given the files of all entries.

## Why is this bad?
Where the key `files` is absent, SkillEvaluator stages the whole of `evals/files/`. In a dataset whose entries have
files of their own the agent then sees the inputs, and perhaps the results, of other cases.

## How to fix it
List the files of the entry, or write `"files": []` where it needs none.

## When to ignore it
When all entries work on the same files.

## Example
```json
{"evals": [
  {"id": "one", "prompt": "Convert a.csv.", "files": ["files/a.csv"]},
  {"id": "two", "prompt": "Write a table."}
]}
```
The agent of `two` is given `a.csv` as well.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill

RULE = Rule("DS304", "undeclared-fixtures", Severity.WARNING, Skill, targets=frozenset({"skillevaluator"}))


def check(skill: Skill) -> Iterator[Finding]:
    dataset = skill.dataset
    if dataset is None or len(dataset.cases) < 2 or not skill.fixtures or skill.source != "evals_json":
        return
    if not any(case.fixtures for case in dataset.cases):
        return
    pool = "1 file" if len(skill.fixtures) == 1 else f"{len(skill.fixtures)} files"
    for case in dataset.cases:
        if case.fixtures is None:
            message = f"{case.label} has no `files`, so all of `evals/files/` ({pool}) is staged for it"
            yield RULE.at(case, message, hint="list its files, or write `[]` if it needs none")
