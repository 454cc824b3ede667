"""An assertion cannot be judged: it is blank or no statement.

## Why is this bad?
Assertions are a list of statements, each a text or an object. A number, a nested list or a blank text says nothing that
could be true or false, and is dropped or passes for every run.

## How to fix it
Write each assertion as a sentence about the result.

## When to ignore it
When the entry is graded by a script of yours that reads such assertions.

## Example
```json
{"id": "case-001", "prompt": "Convert it.", "assertions": ["The result is an array.", "", 3]}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case, type_name

RULE = Rule("DS208", "malformed-assertion", Severity.WARNING, Case)


def check(case: Case) -> Iterator[Finding]:
    hint = "write a list of statements about the result"
    value = case.assertions
    if value is None:
        return
    if not isinstance(value, list | str):
        message = f"the assertions of {case.label} are {type_name(value)}, not a list"
        yield RULE.at(case.assertions_at, message, hint=hint)
        return
    for number, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, str | dict) and (item.strip() if isinstance(item, str) else item):
            continue
        what = "blank" if isinstance(item, str | dict) else f"{type_name(item)}, not text"
        at = case.assertions_at.within(number)
        yield RULE.at(at, f"assertion {number + 1} of {case.label} is {what}", hint=hint)
