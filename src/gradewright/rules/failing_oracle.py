"""The reference solution does not pass.

## Why is this bad?
If the author's own solution fails, no agent can succeed either: the solution, the instruction and the grader
disagree.

## How to fix it
Run the command in the hint. Usually the solution writes another file than the grader looks for.

## When to ignore it
If the solution is only a part of one, or needs what is only in its image.

## Example
```sh
# solution/solve.sh writes result.json, and tests/grader.py reads out.json
json_of input.csv > /workspace/output/result.json
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Proof

RULE = Rule("RW204", "failing-oracle", Severity.ERROR, Proof)


def check(proof: Proof) -> Iterator[Finding]:
    for trial in proof.measured:
        overall = trial.reward.overall
        if trial.sample.name != "oracle" or not trial.sample.made or trial.lost or overall is None:
            continue
        if overall < proof.threshold:
            message = (
                f"case `{proof.case}`: the reference solution ran, and gets {trial.shown}"
                f" where {proof.threshold:g} is a pass"
            )
            level = Severity.ERROR if overall <= 0 else Severity.WARNING
            hint = trial.cure("compare what it writes with what the grader reads")
            yield RULE.at(proof, message, hint=hint, severity=level, related=(trial.sample.at,))
