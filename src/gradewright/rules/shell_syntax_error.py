"""A shell script does not parse.

## Why is this bad?
bash stops at the line it cannot parse. A grader or a `test.sh` then leaves no reward, after the trial has been paid
for.

## How to fix it
Correct the line that is named. `bash -n SCRIPT` parses a script without running it.

## When to ignore it
When the script is meant for another shell, which is known to start it.

## Example
```sh
if grep -q done /workspace/report.md; then
  score=1.0
```
The `if` needs a `fi`.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import NOT_CHECKED, SHELL_SYNTAX, Problem

RULE = Rule("GR050", "shell-syntax-error", Severity.ERROR, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == SHELL_SYNTAX:
        yield RULE.at(
            problem, problem.detail, hint="correct the syntax; `bash -n` parses the script without running it"
        )
    elif problem.kind == NOT_CHECKED and problem.subject == "bash":
        message = "the syntax of the shell scripts is not checked: there is no `bash` on the PATH"
        yield RULE.at(problem, message, hint="install bash to have it checked", severity=Severity.NOTE)
