"""An entry still has the text of a scaffold.

## Why is this bad?
The run goes through and is paid for: the agent is asked to `TODO`, and the judge compares with `describe the outcome`.

## How to fix it
Write the prompt, the expected result and the assertions of this case.

## When to ignore it
When the agent is really to be given such a text.

## Example
```json
{"id": "case-001", "prompt": "TODO", "expected_output": "describe the outcome"}
```
"""

from collections.abc import Iterator
from typing import Any

from gradewright.contract import is_placeholder
from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Case, quoted

RULE = Rule("DS204", "placeholder-text", Severity.WARNING, Case)


def check(case: Case) -> Iterator[Finding]:
    for what, value, at in _texts(case):
        if isinstance(value, str) and is_placeholder(value):
            message = f"the {what} of {case.label} is the placeholder {quoted(value)}"
            yield RULE.at(at, message, hint=f"write the {what} of this case")


def _texts(case: Case) -> Iterator[tuple[str, Any, Location]]:
    yield "prompt", case.prompt, case.prompt_at
    yield "expected output", case.expected_output, case.expected_output_at
    if not isinstance(case.assertions, list):
        yield "assertion", case.assertions, case.assertions_at
        return
    for number, assertion in enumerate(case.assertions):
        at = case.assertions_at.within(number)
        if isinstance(assertion, dict):
            for key in ("text", "description"):
                yield "assertion", assertion.get(key), at.within(key)
        else:
            yield "assertion", assertion, at
