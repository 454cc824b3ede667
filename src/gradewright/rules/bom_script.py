"""A script starts with a byte order mark.

## Why is this bad?
The mark hides `#!` from the system, so the script does not get the interpreter it asks for: another language than a
shell's does not run at all. A shell takes the mark for a part of the first command, which then does not exist.

## How to fix it
Save the script as UTF-8 without a byte order mark.

## When to ignore it
When the script is only started by a program that skips the mark.

## Example
```console
$ head -c 12 tests/test.sh | od -c
0000000 357 273 277   #   !   /   b   i   n   /   s   h
```
"""

from collections.abc import Iterator

from gradewright.finding import DropMark, Finding, Fix, Rule, Severity
from gradewright.model import BOM, Problem, quoted

RULE = Rule("GR052", "bom-script", Severity.ERROR, Problem)
SCRIPTS = frozenset({"grader", "test", "script"})
SHELLS = frozenset({"", "sh", "bash", "dash", "ash", "ksh"})


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == BOM and problem.role in SCRIPTS:
        runs_anyway = problem.subject in SHELLS
        message = "a byte order mark stands before the first line: " + (
            "bash looks for a command of that name" if runs_anyway else f"{quoted(problem.subject)} is not started"
        )
        severity = Severity.WARNING if runs_anyway else Severity.ERROR
        hint = "save the script as UTF-8 without a byte order mark"
        fix = Fix("drop the byte order mark", True, DropMark(problem.at))
        yield RULE.at(problem, message, hint=hint, fix=fix, severity=severity)
