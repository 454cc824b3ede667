"""The full score is given for something that is not there, as it is after a run that did nothing.

## Why is this bad?
An empty run passes: what must not be there is not there, and nobody asks for what should be. This is a lead:
`gradewright prove` with an empty sample shows whether it is so.

## How to fix it
Ask for what good work leaves behind as well, and give 0.0 without it.

## When to ignore it
When what has to go is there at the start, as in a task that asks to remove or to repair something.

## Example
```python
text = LOG.read_text() if LOG.exists() else ""
score = 0.0 if "error" in text else 1.0
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import ABSENCE_ONLY, Grader, quoted

RULE = Rule("GR205", "absence-only-check", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == ABSENCE_ONLY:
            yield RULE.at(
                sign,
                f"a lead: all that counts is what is not there: {quoted(sign.detail)}; a run that did nothing passes",
                hint="ask for what good work leaves behind too, or try an empty sample with `gradewright prove`",
            )
