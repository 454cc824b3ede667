"""A grader still holds what a scaffold left for its author to write.

## Why is this bad?
A check that nobody has written gives the same score to good and to bad work: 0.0 in the graders that `gradewright`
scaffolds, 1.0 in those of other tools. The results look valid and say nothing.

## How to fix it
Write the check: what earns 1.0, and what earns less.

## When to ignore it
When the checks are still to be written, and nothing is run yet.

## Example
```python
def check_total_right(run):
    raise NotWritten("what good work looks like is not checked yet")
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import MARKED_SCORE, PEER_SCAFFOLD, PEER_TEXT, UNWRITTEN_CHECK, Grader

RULE = Rule("GR014", "placeholder-grader", Severity.ERROR, Grader)
MESSAGES = {
    UNWRITTEN_CHECK: "this check is not written yet, so that no run can pass it",
    PEER_SCAFFOLD: "the text of a scaffold is still here, and the score is the same on every run",
    PEER_TEXT: "the text of a scaffold is still here",
    MARKED_SCORE: "this score is the same on every run, and the note beside it says that a check is missing",
}


def check(grader: Grader) -> Iterator[Finding]:
    for stub in grader.stubs:
        if stub.what in MESSAGES:
            severity = Severity.WARNING if stub.what == PEER_TEXT else None
            hint = "replace it" if stub.what == PEER_TEXT else "write the check: what earns 1.0, and what earns less"
            yield RULE.at(stub, MESSAGES[stub.what], hint=hint, severity=severity)
