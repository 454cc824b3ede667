"""Odd input makes the grader fail to give a reward, or the right verdict.

## Why is this bad?
Agents leave odd things behind: a named pipe, a huge or binary file, JSON that is nested a thousand deep, a trajectory
with `null` in it. A grader that hangs or crashes gives no reward, and a run that should have been 0 (or 1) is lost.

## How to fix it
Look at what a file is before opening it, limit how much is read, and catch errors of parsing: such work gets 0 with a
reason. The graders that we scaffold do.

## When to ignore it
If such input cannot occur in this case.

## Example
```python
message = steps[-1]["message"].lower()   # may be a list, or null
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import STRESS, Proof, Trial

RULE = Rule("RW211", "fragile-grader", Severity.WARNING, Proof)
_MOST = 12


def check(proof: Proof) -> Iterator[Finding]:
    """One finding that lists all. Faults of a reward, and a grader that never gives one, are spoken of elsewhere."""
    if all(trial.lost for trial in proof.trials if not trial.lacking):
        return
    odd: list[tuple[str, Trial, bool | None]] = [
        (f"`{trial.sample.name}`", trial, None)
        for trial in proof.trials
        if not (trial.judged or trial.lacking or trial.problems or trial.stale)
    ]
    odd += [(probe.label, probe.trial, probe.passes) for probe in proof.of_kind(STRESS) if not probe.trial.lacking]
    faults = [(label, trial, why) for label, trial, right in odd if (why := _fault(proof, trial, right))]
    if faults:
        listed = ", ".join(f"{label} ({why})" for label, _, why in faults[:_MOST])
        more = f" and {len(faults) - _MOST} more" if len(faults) > _MOST else ""
        message = f"case `{proof.case}`: {len(faults)} of {len(odd)} odd inputs are not survived: {listed}{more}"
        hint = faults[0][1].cure("look at a file before reading it, and give odd work 0 with a reason")
        yield RULE.at(proof, message, hint=hint)


def _fault(proof: Proof, trial: Trial, right: bool | None) -> str:
    if trial.outcome.timed_out:
        return "never ends"
    if trial.lost:
        return "no reward" if trial.outcome.exit_code == 0 else "crash"
    if right is not None and trial.reward.overall is not None and proof.passes(trial) != right:
        return "passes" if not right else "fails"
    return ""
