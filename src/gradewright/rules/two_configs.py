"""`config.yml` and `config.yaml` lie side by side, and one of them is ignored.

## Why is this bad?
SkillEvaluator reads `config.yml` and says nothing of `config.yaml`: what is set there has no effect.

## How to fix it
Keep one file and delete the other.

## When to ignore it
When the other file is meant for another tool.

## Example
```text
evals/config.yml
evals/config.yaml
```
Only `config.yml` is read.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Policy

RULE = Rule("CF105", "two-configs", Severity.WARNING, Policy, targets=frozenset({"skillevaluator"}))


def check(policy: Policy) -> Iterator[Finding]:
    for at in policy.ignored:
        message = "this configuration is never read: `config.yml` comes first"
        yield RULE.at(at, message, hint="move its settings there and delete this file", related=[policy.at])
