"""A file of an entry is not there.

## Why is this bad?
SkillEvaluator looks `files` up from the folder `evals/` and stops before the first trial if one is missing. Other tools
look from the root of the skill, so a path that works there may lead nowhere here.

## How to fix it
Put the file below `evals/files/` and write its path from `evals/`, such as `files/input.csv`.

## When to ignore it
When the file is made by a program before each run.

## Example
```json
{"id": "case-001", "prompt": "Convert it.", "files": ["orders.csv"]}
```
The file is `evals/files/orders.csv`, so its path is `files/orders.csv`.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case, quoted

RULE = Rule("DS301", "missing-fixture", Severity.ERROR, Case)


def check(case: Case) -> Iterator[Finding]:
    for fixture in case.fixtures or ():
        if fixture.state == "blank":
            yield RULE.at(fixture, f"{case.label} lists a blank path", hint="name a file below `evals/`, or delete it")
        elif fixture.state == "missing":
            message = f"{quoted(fixture.path)} is not in `evals/`"
            if fixture.elsewhere.startswith("../"):
                message += "; it lies in the skill's root, where it cannot be staged from"
                hint = f"move it to `evals/files/` and write `files/{fixture.elsewhere.rpartition('/')[2]}`"
            elif fixture.elsewhere:
                hint = f"write `{fixture.elsewhere}`"
            else:
                hint = "add the file, or correct the path; it is looked up from `evals/`"
            yield RULE.at(fixture, message, hint=hint)
