"""A run in which nothing was done passes.

## Why is this bad?
An agent that does nothing, crashes at once or never starts is counted as a success, and the pass rate says how often
that happens. We try an untouched workspace (`nop`), one with an empty trajectory (`empty`), and ones whose trajectory
is missing or broken.

## How to fix it
Begin with 0, and add to it for what the work shows. A check that something is absent needs one that something is
there.

## When to ignore it
If doing nothing is right in this case. Better record that: a sample named `nop` whose `expect.toml` says `verdict =
"pass"`.

## Example
```python
score = 0.0 if "error" in log_text else 1.0    # no log, no error
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Proof

RULE = Rule("RW203", "idle-run-passes", Severity.ERROR, Proof)


def check(proof: Proof) -> Iterator[Finding]:
    idle = [trial for trial in proof.measured if trial.sample.made and trial.sample.passes is False]
    passing = [trial for trial in idle if proof.passes(trial)]
    if passing:
        listed = ", ".join(f"`{trial.sample.name}` ({trial.shown})" for trial in passing)
        message = f"case `{proof.case}`: nothing was done, and it passes: {listed}"
        full = any(proof.overall(trial) >= 1 for trial in passing)
        level = Severity.ERROR if proof.declared or full else Severity.WARNING
        hint = passing[0].cure("begin with 0, and add to it for what the work shows")
        yield RULE.at(proof, message, hint=hint, severity=level)
