"""PYTHONPATH leads the grader's imports into the agent's folder.

## Why is this bad?
Folders in `PYTHONPATH` come before the libraries. A `json.py` or a `helpers.py` that the agent leaves there is run in
place of the real one, inside the grader, and can change what is measured.

## How to fix it
Leave `PYTHONPATH` alone. Where tests import the agent's code, let them append its folder to `sys.path`, so that it
comes last, or run the code in a process of its own.

## When to ignore it
When the tests import what the agent has written anyway and need that folder. For pytest, whose tests mostly do, this is
only a note.

## Example
```sh
PYTHONPATH=/workspace python3 /tests/grader.py
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import AGENT_PATH, Grader, quoted

RULE = Rule("GR302", "workspace-on-import-path", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == AGENT_PATH:
            message = f"modules are looked for in {quoted(sign.detail)}, where the agent works, before all others"
            hint = "leave `PYTHONPATH` alone; append the folder to `sys.path` where its code is needed"
            yield RULE.at(sign, message, hint=hint, severity=Severity.WARNING if sign.certain else Severity.NOTE)
