"""The image that the agent works in holds the solution or the tests.

## Why is this bad?
The agent can read how it is graded, or copy the answer. Nothing fails; the scores are just too good.

## How to fix it
Delete the files from `environment/`, or copy single files instead of whole folders. Harbor brings in `tests/` and
`solution/` itself, when the agent is done.

## When to ignore it
When the agent is meant to see these tests or this expected result.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Task, quoted

RULE = Rule("TK204", "image-contains-answers", Severity.ERROR, Task)


def check(task: Task) -> Iterator[Finding]:
    for source in task.image.sources:
        if source.holds:
            answers = [name for name in source.holds if name.startswith("solution/")]
            shown = (answers or source.holds)[0]
            message = f"{quoted(source.path)} brings {quoted(shown)} into the agent's image"
            severity = None if answers else Severity.WARNING
            hint = "leave it out of `environment/`: Harbor brings in tests and solution itself"
            yield RULE.at(source, message, hint=hint, severity=severity)
