"""An id cannot be the name of a folder on every system.

## Why is this bad?
Each id becomes a folder and a part of result names. SkillEvaluator refuses the whole dataset if one id has other
characters than ASCII letters, digits, `.`, `_` and `-`, does not begin with a letter or digit, is longer than 128
characters, ends in a dot or names a device of Windows such as `CON`.

## How to fix it
Choose a short id of letters, digits and hyphens.

## When to ignore it
When only a tool that takes such ids reads the dataset.

## Example
```json
{"id": "quotes/1", "prompt": "Convert it."}
```
"""

import re
from collections.abc import Iterator

from gradewright.contract import MAX_CASE_ID, case_id_problem
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case, quoted, type_name

RULE = Rule("DS102", "unsafe-case-id", Severity.ERROR, Case)
_MAX_HINT = 60


def check(case: Case) -> Iterator[Finding]:
    problem = None if case.id is None else case_id_problem(case.id)
    if problem and (isinstance(case.id, bool) or not isinstance(case.id, str | int)):
        message = f"the id is {type_name(case.id)}, neither text nor an integer"
        yield RULE.at(case.at.within("id"), message, hint="write it as text, such as `case-001`")
    elif problem:
        hint = "use letters, digits, `-` and `_`, such as `case-001`"
        if isinstance(case.id, str):
            name = re.sub(r"[^A-Za-z0-9._-]+", "-", case.id[:MAX_CASE_ID]).strip("-._")
            hint = f"write `{name}`" if name and len(name) <= _MAX_HINT and case_id_problem(name) is None else hint
        yield RULE.at(case.at.within("id"), f"the id {quoted(case.id)} {problem}", hint=hint)
