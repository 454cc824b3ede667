"""A symbolic link points at something outside the skill or task.

## Why is this bad?
The skill works on this machine only: a clone, an archive or a container has no such file.

## How to fix it
Copy the file into the skill.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import LINK_ESCAPES, Problem

RULE = Rule("RD006", "escaping-symlink", Severity.WARNING, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == LINK_ESCAPES:
        yield RULE.at(problem, f"the file {problem.detail}", hint="copy the file to this place")
