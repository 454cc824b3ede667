"""The dataset has no entry.

## Why is this bad?
SkillEvaluator refuses to run: there is nothing to measure.

## How to fix it
Add an entry with `id`, `prompt`, `expected_output` and `assertions`.

## When to ignore it
When the entries are still to be written, and nothing is run yet.

## Example
```json
{"skill_name": "csv2json", "evals": []}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Dataset

RULE = Rule("DS020", "empty-dataset", Severity.ERROR, Dataset)

_KEYS = {"agentskills": ("evals",), "cases": ("cases",)}


def check(dataset: Dataset) -> Iterator[Finding]:
    if dataset.shape != "unreadable" and not dataset.cases:
        at = dataset.at.within(*_KEYS.get(dataset.shape, ()))
        yield RULE.at(at, "the dataset has no entries", hint="add an entry with `id`, `prompt` and `expected_output`")
