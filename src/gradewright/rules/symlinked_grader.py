"""The grader of a skill is a symbolic link.

## Why is this bad?
SkillEvaluator stages the grader into every task and takes no links there. A clone, an archive or a container may also
lack what the link points at.

## How to fix it
Put the grader itself into `evals/`.

## When to ignore it
When the skill is packed with its links resolved before each run.

## Example
```console
$ cp --remove-destination "$(readlink -f evals/grader.py)" evals/grader.py
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import LINKED, Problem

RULE = Rule("GR003", "symlinked-grader", Severity.WARNING, Problem, targets=frozenset({"skillevaluator"}))


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == LINKED and problem.role == "grader":
        yield RULE.at(problem, "the grader is a symbolic link", hint="put the file itself here")
