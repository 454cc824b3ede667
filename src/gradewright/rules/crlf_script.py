"""A script has the line ends of Windows.

## Why is this bad?
The carriage return at the end of a line becomes a part of its last word. The system looks for an interpreter named
`bash\\r`, `set -e\\r` is no option, `fi\\r` closes nothing, and a reward goes to a file named `reward.txt\\r`.

## How to fix it
Save the script with LF line ends, and keep git from converting it: `*.sh text eol=lf` in `.gitattributes`.

## When to ignore it
When whoever fetches the files converts their line ends, as git does with `eol=lf`.

## Example
```console
$ file tests/test.sh
tests/test.sh: Bourne-Again shell script, ASCII text executable, with CRLF line terminators
```
"""

from collections.abc import Iterator

from gradewright.finding import EndLines, Finding, Fix, Rule, Severity
from gradewright.model import CRLF, Problem, quoted

RULE = Rule("GR051", "crlf-script", Severity.ERROR, Problem)
SCRIPTS = frozenset({"grader", "test", "script"})


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == CRLF and problem.role in SCRIPTS:
        first = problem.at.line == 1 and problem.subject
        message = (
            f"the first line ends in CRLF: no interpreter is named {quoted(f'{problem.subject}\r')}"
            if first
            else ("this line ends in CRLF, and the carriage return becomes a part of its last word")
        )
        yield RULE.at(
            problem,
            message,
            hint="save the script with LF line ends; `*.sh text eol=lf` in `.gitattributes` keeps them",
            fix=Fix("end the lines with LF", True, EndLines(problem.at)),
        )
