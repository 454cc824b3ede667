"""A recorded sample scores outside of the bounds in its `expect.toml`.

## Why is this bad?
The bounds say what a right grader gives for this work. A score beyond them is too generous or too strict, even if the
verdict is right.

## How to fix it
Run the command in the hint and read the reasons in the reward; correct the grader or the bounds.

## When to ignore it
Never: correct the bounds instead.

## Example
```toml
# evals/samples/usd-total/half/expect.toml
overall = [0.4, 0.6]
[metrics]
rows = 1.0
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Bounds, Proof, Trial

RULE = Rule("RW206", "score-out-of-bounds", Severity.ERROR, Proof)
_TOLERANCE = 1e-9


def check(proof: Proof) -> Iterator[Finding]:
    for trial in proof.measured:
        if not trial.lost:
            for name, value, bounds in _expected(trial):
                if value is None or not bounds[0] - _TOLERANCE <= value <= bounds[1] + _TOLERANCE:
                    got = "is not there" if value is None else f"is {value:g}"
                    message = (
                        f"case `{proof.case}`: `{name}` of sample `{trial.sample.name}` "
                        f"{got}, where {_said(bounds)} is right"
                    )
                    hint = trial.cure("mend the grader, or the sample's `expect.toml`")
                    yield RULE.at(proof, message, hint=hint, related=trial.evidence)


def _expected(trial: Trial) -> Iterator[tuple[str, float | None, Bounds]]:
    if trial.sample.overall:
        yield "overall", trial.reward.overall, trial.sample.overall
    for name, bounds in trial.sample.metrics.items():
        yield name, trial.reward.metrics.get(name), bounds


def _said(bounds: Bounds) -> str:
    low, high = bounds
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"
