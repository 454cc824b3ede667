"""A script has a credential in it.

## Why is this bad?
Skills and tasks are shared, and the scripts of a task are copied into containers in which agents work: whoever sees
the file can use the credential. It stays in the history of the repository after it was deleted from the file. The value
itself is never shown in a report.

## How to fix it
Revoke the credential, and read the new one from the environment: SkillEvaluator passes on what `harbor.runtime_env` in
`evals/config.yml` names, Harbor what `[verifier.env]` in `task.toml` does. A grader that needs none is better still.

## When to ignore it
When the value opens nothing: it is made up for a test, or belongs to a service that the task itself starts.

## Example
```python
client = Client(api_key="9f2c...")
```
with the key spelt out in full.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import CREDENTIAL, Grader

RULE = Rule("GR402", "hard-coded-secret", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == CREDENTIAL:
            hint = "revoke it, and read the new one from the environment"
            yield RULE.at(sign, f"{sign.detail} is spelt out here", hint=hint)
