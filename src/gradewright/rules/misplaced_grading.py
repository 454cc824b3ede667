"""A grading file lies where no reader looks for it.

## Why is this bad?
Readers look beside the `outputs/` of a run: `with_skill/run-1/grading.json`, or `with_skill/grading.json` where there
is only one run. A file elsewhere is not counted, and a configuration without any counts as 0%. What lies in `outputs/`
is shown as if the agent had made it.

## How to fix it
Move it beside the `outputs/` of the run that it grades.

## When to ignore it
When the agent was to write a file of that name, and this is its work.

## Example
```text
iteration-1/eval-0/with_skill/run-1/outputs/grading.json
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Grading

RULE = Rule("GJ009", "misplaced-grading", Severity.WARNING, Grading)


def check(grading: Grading) -> Iterator[Finding]:
    if grading.belongs:
        message = "no reader looks for a grading file here"
        yield RULE.at(grading, message, hint=f"move it beside the `outputs/` of its run: `{grading.belongs}`")
