"""A file of an entry is named in a way that could leave the skill.

## Why is this bad?
SkillEvaluator stages only plain relative paths below `evals/`. It refuses absolute paths, `..`, backslashes, addresses
and anything behind a symbolic link, and stops before the first trial.

## How to fix it
Copy the file below `evals/files/` and write its path with forward slashes.

## When to ignore it
When only a tool that reads such paths uses the dataset, and SkillEvaluator is never run on it.

## Example
```json
{"id": "case-001", "prompt": "Convert it.", "files": ["../data/orders.csv"]}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case, quoted

RULE = Rule("DS302", "escaping-fixture", Severity.ERROR, Case)

_REASONS = {
    "absolute": "is an absolute path",
    "escapes": "leaves `evals/` through `..`",
    "backslash": "has a backslash, which is no separator here",
    "uri": "is an address, not a file",
    "link": "is, or lies behind, a symbolic link",
}


def check(case: Case) -> Iterator[Finding]:
    for fixture in case.fixtures or ():
        if fixture.state in _REASONS:
            message = f"{quoted(fixture.path)} {_REASONS[fixture.state]}"
            yield RULE.at(fixture, message, hint="copy the file below `evals/files/` and write `files/...`")
