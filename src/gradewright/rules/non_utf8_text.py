"""A text file is not UTF-8, or holds a NUL byte.

## Why is this bad?
The platforms read datasets, configurations, instructions and Python graders as UTF-8 and stop at the first byte that
is not. A shell script or a Dockerfile may still work, so that there it is a warning. Pictures and data among the
fixtures are not looked at.

## How to fix it
Save the file as UTF-8.

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
        tolerated = problem.role in ("dockerfile", "fixture") or problem.at.path.endswith(".sh")
        severity = Severity.WARNING if tolerated else None
        yield RULE.at(problem, f"the file {problem.detail}", hint="save it as UTF-8", severity=severity)
