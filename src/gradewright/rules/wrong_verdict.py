"""A recorded sample got another verdict than the one that was recorded as right.

## Why is this bad?
Somebody looked at this piece of work and said whether it is good. A grader that says otherwise is wrong about it, and
about all work like it.

## How to fix it
Run the command in the hint and read the reasons in the reward. If the grader is right, correct `expect.toml` or the
sample's name: names that begin with `good` must pass, with `bad` must fail.

## When to ignore it
Never: correct the sample instead.

## Example
```toml
# evals/samples/usd-total/rounded/expect.toml
verdict = "pass"
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Proof, Trial

RULE = Rule("RW205", "wrong-verdict", Severity.ERROR, Proof)


def check(proof: Proof) -> Iterator[Finding]:
    for trial in proof.measured:
        right = trial.sample.passes
        if trial.sample.made or right is None or trial.lost or trial.reward.overall is None:
            continue
        if _is_wrong(proof, trial, right=right) and not (right is False and _has_rival(proof, trial)):
            must, what = ("pass", "fails") if right else ("fail", "passes")
            floor = f" (a pass is {proof.threshold:g})" if proof.declared else ""
            message = (
                f"case `{proof.case}`: sample `{trial.sample.name}` must {must}, and {what} with {trial.shown}{floor}"
            )
            hint = trial.cure("mend the grader, or the sample's `expect.toml`")
            yield RULE.at(proof, message, hint=hint, related=trial.evidence)


def _is_wrong(proof: Proof, trial: Trial, *, right: bool) -> bool:
    """Where nobody said what a pass is, only the ends of the scale are beyond doubt."""
    if proof.declared:
        return proof.passes(trial) != right
    return proof.overall(trial) <= 0 if right else proof.overall(trial) >= 1


def _has_rival(proof: Proof, bad: Trial) -> bool:
    """Whether good work scores no more than this, which is said elsewhere."""
    good = (trial for trial in proof.measured if trial.sample.passes and trial.reward.overall is not None)
    return any(proof.overall(trial) <= proof.overall(bad) for trial in good)
