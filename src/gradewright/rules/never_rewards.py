"""No sample of the case got a reward, whatever was in it.

## Why is this bad?
A grader that never gives a reward measures nothing: every trial of the case ends with an error under Harbor and is
recorded as 0.0 by SkillEvaluator, where nobody can tell it from bad work.

## How to fix it
Run the command in the hint and read what the grader prints. The usual causes are an error before the reward is
written, and a reward that goes to another file than `/logs/verifier/reward.json` or `reward.txt`.

## When to ignore it
Never.

## Example
```python
Path("/tmp/reward.json").write_text('{"overall": 1.0}')
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Proof, RewardState

RULE = Rule("RW201", "never-rewards", Severity.ERROR, Proof)


def check(proof: Proof) -> Iterator[Finding]:
    """Faults of a reward, and a reward that is missing for work that somebody judged, are spoken of by other rules."""
    none = [trial.reward.state is RewardState.NONE and not trial.problems for trial in proof.measured]
    if none and all(none) and not any(trial.judged for trial in proof.measured):
        names = ", ".join(f"`{trial.sample.name}`" for trial in proof.measured[:8])
        first = proof.measured[0]
        message = f"case `{proof.case}`: no reward for any of its samples ({names})"
        yield RULE.at(proof, message, hint=first.cure("read what it prints"), related=first.evidence)
