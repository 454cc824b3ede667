"""An entry of the dataset is not an object.

## Why is this bad?
An entry has keys such as `id` and `prompt`. SkillEvaluator cannot make a task from plain text, a number or a list.

## How to fix it
Write the entry as an object, or delete what stands there by mistake.

## When to ignore it
When only a tool of yours that takes such entries reads the file.

## Example
```json
{"evals": ["Convert orders.csv to JSON."]}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import WRONG_TYPE, Problem

RULE = Rule("DS201", "wrong-entry-type", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == WRONG_TYPE and problem.role == "entry":
        hint = 'write `{"id": ..., "prompt": ..., "expected_output": ...}`'
        yield RULE.at(problem, f"{problem.detail}, not an object", hint=hint)
