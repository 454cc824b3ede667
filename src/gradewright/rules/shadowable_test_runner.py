"""The test runner is started as a module in the agent's folder.

## Why is this bad?
`python -m` looks for modules in the current folder first. A `pytest.py`, or a module named like one that pytest imports
(`json.py`), that lies there takes its place and can report whatever it likes.

## How to fix it
Start `pytest` by its name, which leaves the current folder out, or give Python the option `-P` (3.11 and newer), or
`cd /tests` first.

## When to ignore it
When an agent that works against its tests is not a concern, and they rely on the current folder to import its code.

## Example
```sh
cd /workspace
python3 -m pytest /tests/test_outputs.py
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import SHADOWED_RUNNER, Grader, quoted

RULE = Rule("GR303", "shadowable-test-runner", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == SHADOWED_RUNNER:
            message = f"{quoted(sign.detail)} looks for modules in the agent's folder before all others"
            yield RULE.at(sign, message, hint="start `pytest` by its name, or add the option `-P` to Python")
