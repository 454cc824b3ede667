"""A file is too large for what it is, and has not been checked.

## Why is this bad?
A script, an instruction or a configuration takes kilobytes. One of more than a mebibyte (eight for a dataset) is
usually the wrong file, or data that belongs into a file of its own. A small file counts as well if its values, or what
its YAML aliases expand to, would fill the memory.

## How to fix it
Move the bulk of it into data files, and read those.

## When to ignore it
When the file has to be that large and was checked in another way.

## Example
```console
$ du -h evals/grader.py
3.1M    evals/grader.py
```
The answers that it compares with belong into a data file.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import OVERSIZED, Problem

RULE = Rule("RD003", "oversized-file", Severity.WARNING, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == OVERSIZED:
        hint = "move the bulk of it into a data file; it has not been checked"
        yield RULE.at(problem, f"the file {problem.detail}", hint=hint)
