"""An entry has no prompt.

## Why is this bad?
The agent is started with nothing to do. The run goes through and is paid for, and its score says nothing.

## How to fix it
Write what a user would ask for.

## When to ignore it
When the dataset is still being written, and is not run yet.

## Example
```json
{"id": "case-001", "prompt": "", "expected_output": "A JSON array."}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case

RULE = Rule("DS202", "blank-prompt", Severity.WARNING, Case)


def check(case: Case) -> Iterator[Finding]:
    hint = "write what a user would ask for"
    if case.prompt is None:
        missing = case.fields.isdisjoint(("prompt", "question"))
        message = f"{case.label} has no `prompt`" if missing else f"the prompt of {case.label} is null"
        yield RULE.at(case.prompt_at, message, hint=hint)
    elif isinstance(case.prompt, str) and not case.prompt.strip():
        yield RULE.at(case.prompt_at, f"the prompt of {case.label} is blank", hint=hint)
