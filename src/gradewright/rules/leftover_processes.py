"""Processes that the grader started were still running when it had ended.

## Why is this bad?
They may write to the reward after it was read, keep a port that the next step needs, or keep the container from
stopping.

## How to fix it
End what you start: `trap 'kill $server' EXIT`.

## When to ignore it
If the container goes away with the grader and the processes write nothing.

## Example
```sh
python3 /workspace/server.py &
curl -s localhost:8000 | grep -q ok && echo 1 > /logs/verifier/reward.txt
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Trial

RULE = Rule("RW104", "leftover-processes", Severity.WARNING, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    if trial.outcome.left_processes:
        hint = trial.cure("end what was started, with `trap ... EXIT`")
        yield RULE.at(trial, "leaves processes running when it ends", hint=hint, related=trial.evidence)
