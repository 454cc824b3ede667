"""The reward file receives error messages along with the score.

## Why is this bad?
With `2>&1` or `&>` a warning of Python, a notice of a tool or a traceback lands in the file, which then is no number
and no JSON: the trial ends without a score, and only in those runs in which something was said.

## How to fix it
Send standard error elsewhere: `2>/logs/verifier/stderr.txt`, or leave it alone.

## When to ignore it
When the command is known never to write to standard error.

## Example
```sh
python3 /tests/score.py > /logs/verifier/reward.txt 2>&1
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import STDERR_IN_REWARD, Grader, quoted

RULE = Rule("GR117", "stderr-in-reward", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == STDERR_IN_REWARD:
            message = f"whatever {quoted(sign.detail)} says about errors becomes a part of the reward"
            yield RULE.at(sign, message, hint="send standard error to another file, or nowhere: `2>/dev/null`")
