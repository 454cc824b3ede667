"""The dataset is written in a shape from before the Agent Skills format.

## Why is this bad?
It still works. But other tools read only `{"skill_name": ..., "evals": [...]}`, and a bare list has no place to name
the skill.

## How to fix it
Write `{"skill_name": "...", "evals": [...]}` with `prompt`, `expected_output` and `assertions` in the entries.

## When to ignore it
When tools that read only the old shape use the dataset too.

## Example
```json
[{"id": "case-001", "question": "Convert it.", "ground_truth": "A JSON array."}]
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Dataset

RULE = Rule("DS022", "legacy-dataset-shape", Severity.NOTE, Dataset)


def check(dataset: Dataset) -> Iterator[Finding]:
    shapes = {
        "legacy": "a bare list of entries",
        "cases": "a list `cases`",
        "single": "one bare entry",
    }
    if dataset.shape in shapes:
        message = f"{shapes[dataset.shape]} is an old shape of dataset, still accepted"
        yield RULE.at(dataset, message, hint='write `{"skill_name": "...", "evals": [...]}`')
