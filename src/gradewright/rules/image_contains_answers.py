"""The image that the agent works in holds the solution or the tests.

## Why is this bad?
The agent can read how it is graded, or copy the answer. Nothing fails; the scores are just too good. A file counts as
well if it has another name and the content of the solution, of a test or of an expected result, and so does a folder
that the compose file mounts into the agent's container. What a later line deletes, what `.dockerignore` leaves out, and
what only a build stage has seen that is not copied from, does not count.

## How to fix it
Delete the files from `environment/`, or copy single files instead of whole folders. Harbor brings in `tests/` and
`solution/` itself, when the agent is done.

## When to ignore it
When the agent is meant to see these tests or this expected result. Tests and results that an instruction names are
taken to be meant.

## Example

```Dockerfile
FROM python:3.12-slim
COPY . /app
```

copies `environment/reference/fix.sh` into the image, which is `solution/solve.sh` under another name.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import LEAKS_GRADING, LEAKS_SKILL, LEAKS_SOLUTION, Leak, Task, quoted

RULE = Rule("TK204", "image-contains-answers", Severity.ERROR, Task)
_ORDER = (LEAKS_SOLUTION, LEAKS_GRADING)


def check(task: Task) -> Iterator[Finding]:
    shown = "\n".join(text for _, text in task.instructions)
    ways: dict[tuple[Location, str], list[Leak]] = {}
    for leak in task.image.leaks:
        meant = leak.kind not in _ORDER and leak.path.rpartition("/")[2] in shown
        if leak.kind != LEAKS_SKILL and not meant:
            ways.setdefault((leak.at, leak.via), []).append(leak)
    for (at, via), leaks in ways.items():
        worst = min(leaks, key=lambda leak: (_ORDER.index(leak.kind) if leak.kind in _ORDER else 2, leak.path))
        certain = worst.kind in _ORDER and worst.certain
        severity = None if certain else Severity.WARNING
        where = "leave it out of `environment/`" if worst.path.startswith("environment/") else "do not bring it in"
        hint = f"{where}: Harbor brings in tests and solution itself"
        yield RULE.at(at, _message(task, worst, via), hint=hint, severity=severity)


def _message(task: Task, leak: Leak, via: str) -> str:
    what = quoted(leak.of)
    if leak.path.rpartition("/")[2] != leak.of.rpartition("/")[2]:
        what = f"{quoted(leak.path)}, a copy of {what},"
    if via == "<<":
        return f"the text of {what} is written into the agent's image"
    where = "container" if task.image.at.path != leak.at.path and leak.at.path.endswith((".yaml", ".yml")) else "image"
    return f"{quoted(via)} brings {what} into the agent's {where}"
