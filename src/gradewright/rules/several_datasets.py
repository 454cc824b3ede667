"""Several datasets lie side by side, and all but one are ignored.

## Why is this bad?
SkillEvaluator reads the first of `evals.json`, `evals.jsonl`, `evals.yaml` and `evals.yml` and says nothing of the
others: entries that were added to another file are never run.

## How to fix it
Keep one file and delete the others.

## When to ignore it
When the others are meant for another tool.

## Example
```text
evals/evals.json
evals/evals.yaml
```
Only `evals.json` is read.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Dataset

RULE = Rule("DS011", "several-datasets", Severity.WARNING, Dataset)


def check(dataset: Dataset) -> Iterator[Finding]:
    used = dataset.at.name
    for at in dataset.ignored:
        message = f"this dataset is never read: `{used}` comes first"
        yield RULE.at(at, message, hint="move its entries there and delete this file", related=[dataset.at])
