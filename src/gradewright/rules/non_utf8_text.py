"""A text file is not UTF-8, or holds a NUL byte.

## Why is this bad?
The platforms read datasets, configurations, instructions and Python graders as UTF-8 and stop at the first byte that is
not. Python source that names its encoding in a first line such as `# -*- coding: latin-1 -*-` runs all the same; it is
a note, since only UTF-8 is checked here. A shell script or a Dockerfile may still work, so that there it is a warning.
Pictures and data among the fixtures are not looked at.

## How to fix it
Save the file as UTF-8.

## When to ignore it
When the encoding is what the case tests, or the script that runs is known to be read in it.

## Example
```console
$ iconv -f latin1 -t utf-8 evals.json > evals.utf8.json
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import NOT_UTF8, Problem

RULE = Rule("RD002", "non-utf8-text", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == NOT_UTF8:
        if problem.subject:
            message = f"the file {problem.detail}, so its code was not checked"
            yield RULE.at(problem, message, hint="save it as UTF-8", severity=Severity.NOTE)
            return
        tolerated = problem.role in ("dockerfile", "fixture") or problem.at.path.endswith(".sh")
        severity = Severity.WARNING if tolerated else None
        yield RULE.at(problem, f"the file {problem.detail}", hint="save it as UTF-8", severity=severity)
