"""The score depends on another machine.

## Why is this bad?
Tasks are often graded without a network, and a service that is down, slow or changed alters the score. A model that is
asked for a verdict is such a service too: it may answer differently each time.

## How to fix it
Keep what is looked up in `tests/`. A server that belongs to the task is started beside it and asked on `localhost`. If
a model has to judge, let an answer that never came count as no verdict and not as a score, and name the model's
version.

## When to ignore it
When the service is meant to decide, and the trial is known to reach it.

## Example
```python
latest = requests.get("https://api.example.com/rate").json()["rate"]
score = float(latest == answer)
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import NETWORK, Grader, quoted

RULE = Rule("GR216", "network-in-score", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == NETWORK:
            yield RULE.at(
                sign,
                f"the score depends on a service, {quoted(sign.detail)}",
                hint="keep what is looked up in `tests/`, and let an answer that never came count as no verdict",
            )
