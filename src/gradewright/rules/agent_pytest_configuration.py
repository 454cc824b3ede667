"""pytest takes its settings from where the agent works.

## Why is this bad?
pytest runs every `conftest.py` that lies beside the tests it collects or above them, and reads `pytest.ini` and
`pyproject.toml` there. A `conftest.py` of a few lines makes all tests pass; an honest one with an import that is
missing at grading time makes right work fail. Naming no path at all collects the agent's own tests on top.

## How to fix it
Leave the tests in `/tests` and run them from there: `cd /workspace && pytest /tests/test_outputs.py` takes nothing from
the workspace. Where tests have to lie beside the code, delete what the agent could have put there first, or add
`--noconftest`.

## When to ignore it
When the project's own `conftest.py` has to take part, and an agent that changes it is not a concern. The rule is silent
where an option such as `--confcutdir` or `--rootdir` shows that somebody thought of it; only `--noconftest` keeps out a
`conftest.py` that lies right beside a test.

## Example
```sh
cp /tests/test_summary.py /workspace/
cd /workspace
pytest -q test_summary.py
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import AGENT_CONFIGURATION, Grader, quoted

RULE = Rule("GR301", "agent-pytest-configuration", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == AGENT_CONFIGURATION:
            place = "the folder of the image" if sign.detail == "." else quoted(sign.detail)
            message = f"tests are collected from {place}, together with the agent's own `conftest.py` and settings"
            yield RULE.at(sign, message, hint="run the tests from `/tests`, or add `--noconftest`")
