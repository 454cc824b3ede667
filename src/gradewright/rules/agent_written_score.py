"""The score is read from a file that the agent writes.

## Why is this bad?
Whoever writes the file decides the score. An agent that writes `{"score": 1.0}` and does nothing else is graded like
one that did the work, on every platform.

## How to fix it
Read the work itself, compute the score from it, and compare. A number that the agent reports may be one more thing to
check: compare it with the number that the grader has computed.

## When to ignore it
When a trusted program, and not the agent, writes the file just before the grader reads it, in a way that cannot be seen
in the scripts beside it.

## Example
```python
report = json.loads(Path("/workspace/report.json").read_text())
reward = {"overall": report["score"]}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import AGENT_SCORE, Grader, quoted

RULE = Rule("GR211", "agent-written-score", Severity.ERROR, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == AGENT_SCORE:
            yield RULE.at(
                sign,
                f"the score is taken from {quoted(sign.detail)}, which the agent can write",
                hint="compute the score from the work itself, and use the agent's number only to compare",
                severity=Severity.ERROR if sign.certain else Severity.WARNING,
            )
