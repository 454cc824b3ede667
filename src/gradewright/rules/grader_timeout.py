"""The grader did not end in time.

## Why is this bad?
The platform kills the verifier when its time is up (`verifier.timeout_sec`, 600 seconds unless the task says
otherwise), and there is no reward. Until then the trial holds a machine.

It is an error where the grader needed longer than the platform allows, a warning where it was ended here before that.

## How to fix it
Give every command that runs the agent's work a time limit (`timeout 30 ...`), and open nothing that may be a pipe
without looking at it first. If the grader is merely slow, say how long it may take: `--seconds`.

## When to ignore it
If the grader is known to need long, and ends.

## Example
```python
while not os.path.exists("/workspace/done"):
    time.sleep(1)
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Trial

RULE = Rule("RW102", "grader-timeout", Severity.ERROR, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    seconds, allowed = trial.outcome.seconds, trial.allowed
    late = bool(allowed) and seconds >= allowed
    if not (trial.outcome.timed_out or late):
        return
    if late:
        message = f"takes longer than the {allowed:g} s that its platform allows"
    else:
        message = f"did not end within {int(seconds)} s"
    hint = trial.cure("limit the time of everything that depends on the work")
    level = Severity.ERROR if late else Severity.WARNING
    yield RULE.at(trial, message, hint=hint, severity=level, related=trial.evidence)
