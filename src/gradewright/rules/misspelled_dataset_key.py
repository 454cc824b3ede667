"""A key of the dataset is a near miss of one that is read.

## Why is this bad?
Unknown keys are dropped without a word: `expectd_output` leaves the entry without an expected output.

## How to fix it
Correct the key.

## When to ignore it
When the key is meant for another tool.

## Example
```json
{"id": "case-001", "prompt": "Convert it.", "expectd_output": "A JSON array."}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Fix, RenameKey, Rule, Severity
from gradewright.model import UNKNOWN_KEY, Problem, quoted

RULE = Rule("DS205", "misspelled-dataset-key", Severity.WARNING, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == UNKNOWN_KEY and problem.role in ("dataset", "entry"):
        message = f"the key {quoted(problem.subject)} is not read; did you mean `{problem.nearest}`?"
        hint = f"rename it to `{problem.nearest}`"
        fix = Fix(hint, False, RenameKey(problem.at, problem.meant)) if problem.meant == problem.nearest else None
        yield RULE.at(problem, message, hint=hint, fix=fix)
