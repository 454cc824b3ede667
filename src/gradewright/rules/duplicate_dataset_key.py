"""An object of the dataset has the same key twice.

## Why is this bad?
The last one wins and the other is dropped without a word: an entry is run with another prompt, or graded by other
assertions, than its author reads at the top.

## How to fix it
Keep one of the two.

## When to ignore it
When both have the same value.

## Example
```json
{"id": "one", "prompt": "Convert the file.", "prompt": "Convert the file to JSON."}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import DUPLICATE_KEY, Problem

RULE = Rule("DS002", "duplicate-dataset-key", Severity.WARNING, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role == "dataset" and problem.kind == DUPLICATE_KEY:
        yield RULE.at(problem, problem.detail, hint=problem.cure)
