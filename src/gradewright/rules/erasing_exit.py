"""The grader ends with a non-zero exit status after it has written a reward.

## Why is this bad?
SkillEvaluator takes a non-zero exit status for a failed grader and records 0.0 in place of the reward, as if it were a
valid result. Partial scores get lost. Plain Harbor ignores the status.

## How to fix it
End with status 0 as soon as a reward is written: the reward says how good the work is, the status says whether the
grader worked.

## When to ignore it
When the status is non-zero only where the reward is 0.0 anyway, or where the reward is not to be trusted.

## Example
```python
Path("/logs/verifier/reward.txt").write_text(str(passed / total))
sys.exit(0 if passed == total else 1)
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import ERASING_EXIT, Grader, quoted

RULE = Rule("GR116", "erasing-exit", Severity.ERROR, Grader, targets=frozenset({"skillevaluator"}))


def check(grader: Grader) -> Iterator[Finding]:
    if not grader.in_skill or grader.role != "grader":
        return
    for sign in grader.signs:
        if sign.what == ERASING_EXIT:
            may = "erases" if sign.certain else "may erase"
            yield RULE.at(
                sign,
                f"{quoted(sign.detail)} {may} the reward: SkillEvaluator records 0.0 for a non-zero exit status",
                hint="end with status 0 as soon as a reward is written",
                severity=Severity.ERROR if sign.certain else Severity.WARNING,
            )
