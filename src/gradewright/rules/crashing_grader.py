"""The grader ended with an error on a sample.

## Why is this bad?
Where it had not written a reward yet there is none: Harbor ends the trial with an error, SkillEvaluator records 0.0.
SkillEvaluator goes further: a non-zero exit status erases a reward that was written, so that partial credit becomes
0.0. Plain Harbor ignores the exit status; there only a missing reward counts.

## How to fix it
Catch what odd work can raise and give it 0 with a reason. End with exit status 0 once the reward is written.

## When to ignore it
Never, for a sample that somebody recorded.

## Example
```python
REWARD.write_text(json.dumps({"overall": 0.3}))
sys.exit(1)   # "not perfect": SkillEvaluator takes the 0.3 away
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import CRASH, RewardState, Trial, quoted

RULE = Rule("RW101", "crashing-grader", Severity.ERROR, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    code = trial.outcome.exit_code
    erased = any(fault.kind == CRASH for fault in trial.faults)
    lost = trial.reward.state is RewardState.NONE and trial.judged
    if not code or trial.outcome.out_of_memory or not (erased or lost):
        return
    said = trial.outcome.stderr.strip().splitlines()
    why = f": {quoted(said[-1])}" if said else ""
    if erased:
        message = (
            f"ends with exit status {code} after it has written a reward, which SkillEvaluator then takes away{why}"
        )
        hint = trial.cure("end with exit status 0 once the reward is written")
    else:
        message = f"ends with exit status {code} and no reward{why}"
        hint = trial.cure("catch the error, and give such work 0 with a reason")
    yield RULE.at(trial, message, hint=hint, related=trial.evidence)
