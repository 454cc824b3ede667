"""A grader uses syntax that the Python of its image does not know yet.

## Why is this bad?
The image named after FROM brings the Python that runs the grader. An older one refuses the whole script before its
first line runs, and no reward is written.

## How to fix it
Write the line in the older way, or start from an image with a newer Python.

## When to ignore it
When the Dockerfile installs another Python that `python3` stands for.

## Example
```python
match answer:  # needs Python 3.10
    case {"total": total}:
        score = float(total == 42)
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import NEWER_SYNTAX, Problem

RULE = Rule("GR011", "newer-python-syntax", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == NEWER_SYNTAX:
        what = f"{problem.subject} needs Python {problem.detail}" if problem.detail else "this needs a newer Python"
        hint = f"write it as Python {problem.nearest} understands it, or start from a newer image"
        yield RULE.at(problem, f"{what}, and the image has {problem.nearest}", hint=hint)
