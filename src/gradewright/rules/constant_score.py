"""The score is the same on every way through the grader.

## Why is this bad?
Good work, bad work and no work at all earn the same. The runs are paid for, the results look valid, and they say
nothing; a comparison with and without the skill always ends in a draw.

## How to fix it
Write the score that the checks have come to, and nothing over it. If the checks are still to be written, let the grader
fail until they are.

## When to ignore it
When the grader is to show only that the platform works. A check that ends the script before it writes anything is one
that the platforms show as an error, not as a score of zero: write the zero.

## Example
```python
correct = answer == expected
score = 1.0 if correct else 1.0
Path("/logs/verifier/reward.json").write_text(json.dumps({"overall": score}))
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import CONSTANT_SCORE, MARKED_SCORE, PEER_SCAFFOLD, SHELL, UNWRITTEN_CHECK, Grader, quoted

RULE = Rule("GR201", "constant-score", Severity.ERROR, Grader)
PLACEHOLDERS = frozenset({MARKED_SCORE, PEER_SCAFFOLD, UNWRITTEN_CHECK})
"""Stubs that `placeholder-grader` reports for the same reason."""


def check(grader: Grader) -> Iterator[Finding]:
    decides = grader.alone or (grader.language == SHELL and grader.role == "test")
    if not decides or any(stub.what in PLACEHOLDERS for stub in grader.stubs):
        return
    for sign in grader.signs:
        if sign.what == CONSTANT_SCORE:
            yield RULE.at(
                sign,
                f"the score is {quoted(sign.detail)} whatever this script finds out",
                hint="write the score that the checks have come to",
                severity=Severity.ERROR if sign.certain else Severity.WARNING,
            )
