"""Bad work scores as much as good work, or more.

## Why is this bad?
A score that does not tell good work from bad measures nothing. Such graders are the commonest fault of all, and no
tool that only reads them sees it: every reward is valid.

## How to fix it
Look at what the two samples differ in, and check that. Existence of a file, a word that occurs, an exit status: each
of them is true of bad work as well.

## When to ignore it
If the samples are alike in what this case is about; then record better ones.

## Example
```sh
test -f /workspace/out/greeting.txt && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Proof

RULE = Rule("RW202", "indiscriminate-score", Severity.ERROR, Proof)


def check(proof: Proof) -> Iterator[Finding]:
    """The worst of the good work against all bad work; idle runs that pass are spoken of by another rule."""
    graded = [trial for trial in proof.measured if trial.reward.overall is not None]
    good = [trial for trial in graded if trial.sample.passes and (proof.passes(trial) or not trial.sample.made)]
    if not good:
        return
    worst = min(good, key=lambda trial: (proof.overall(trial), trial.sample.made))
    rivals = [
        trial
        for trial in graded
        if trial.sample.passes is False
        and proof.overall(trial) >= proof.overall(worst)
        and not (trial.sample.made and proof.passes(trial))
    ]
    if rivals:
        listed = ", ".join(f"`{trial.sample.name}` ({trial.shown})" for trial in rivals[:8])
        good_work = f"sample `{worst.sample.name}` is good work and gets {worst.shown}"
        message = f"case `{proof.case}`: {good_work}, no more than {listed}"
        related = (*worst.evidence, *(place for trial in rivals for place in trial.evidence))
        yield RULE.at(proof, message, hint=rivals[-1].cure("check what good and bad work differ in"), related=related)
