"""A recorded sample was graded and no reward was written.

## Why is this bad?
Harbor ends the trial with an error; SkillEvaluator records 0.0 as if it were a score. A plain failure shows up as a
fault of the harness, or as a bad agent.

## How to fix it
Write the reward on every path, 0 where the work is wrong. In a shell script `set -e` is the usual cause: the script
ends at the first check that fails, before it writes anything.

## When to ignore it
Never: a trial without a reward is lost.

## Example
```sh
set -e
python3 /tests/check.py            # ends the script when the work is wrong
echo 1 > /logs/verifier/reward.txt
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import EMPTY, RewardState, Trial

RULE = Rule("RW001", "missing-reward", Severity.ERROR, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    """A grader that was ended, or that crashed, is spoken of by other rules."""
    written = trial.reward.state is not RewardState.NONE or any(fault.kind == EMPTY for fault in trial.problems)
    if trial.outcome.exit_code == 0 and trial.judged and not written:
        message = "writes no reward, and ends with exit status 0"
        hint = trial.cure("write a reward on every path, 0 where the work is wrong")
        yield RULE.at(trial, message, hint=hint, related=trial.evidence)
