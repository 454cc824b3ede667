"""Harbor refuses a value in `task.toml`.

## Why is this bad?
Harbor does not load the task; in a dataset folder it drops the case without a word.

## How to fix it
Correct the value. Harbor is lax: `timeout_sec = "5"` loads, `"five"` does not; values of `env` have to be text.

## When to ignore it
When you run a newer Harbor than the one that gradewright knows, and it takes the value.

## Example
```toml
[environment]
network_mode = "offline" # no-network, public or allowlist
env = { RETRIES = 3 }    # "3"
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import MISSING_KEY, WRONG_TYPE, WRONG_VALUE, Problem

RULE = Rule("TK003", "invalid-task-config", Severity.ERROR, Problem, targets=frozenset({"harbor"}))


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role != "task" or problem.kind not in (MISSING_KEY, WRONG_TYPE, WRONG_VALUE):
        return
    if problem.kind == MISSING_KEY and problem.at.keys == ("task", "name"):
        return  # `missing-task-name` speaks of it
    yield RULE.at(problem, problem.detail, hint=problem.cure)
