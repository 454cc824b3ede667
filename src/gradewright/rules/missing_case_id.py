"""An entry of the dataset has no id.

## Why is this bad?
The id names the task, its folder and its results; SkillEvaluator takes text or an integer and nothing else.

## How to fix it
Give each entry an `id` of its own, such as `case-001`.

## When to ignore it
When only a tool that needs no ids reads the dataset.

## Example
```json
{"evals": [{"prompt": "Convert orders.csv to JSON."}]}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case

RULE = Rule("DS101", "missing-case-id", Severity.ERROR, Case)


def check(case: Case) -> Iterator[Finding]:
    if case.id is None:
        message = "the `id` is null" if "id" in case.fields else "the entry has no `id`"
        yield RULE.at(case.at.within("id"), message, hint="add one that no other entry has, such as `case-001`")
