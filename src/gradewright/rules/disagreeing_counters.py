"""The counters of a grading file are not those of its verdicts.

## Why is this bad?
Readers take the counters as they are and recompute nothing: a summary of 3 of 3 beside a list of which one failed makes
the run a full success, and every mean and comparison that it goes into is wrong.

## How to fix it
Count the verdicts: `passed`, `failed`, `total`, and `pass_rate` as passed divided by total, from 0 to 1. Or leave
`summary` out.

## When to ignore it
When the list was shortened on purpose and the counters are those of the whole.

## Example
```json
{
  "expectations": [{"text": "The total is right", "passed": false, "evidence": "It says 421.50"}],
  "summary": {"passed": 1, "failed": 0, "total": 1, "pass_rate": 1.0}
}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Counter, Grading

RULE = Rule("GJ006", "disagreeing-counters", Severity.ERROR, Grading)
TOLERANCE = 0.0101
"""A rate may be cut or rounded to two digits."""


def check(grading: Grading) -> Iterator[Finding]:
    if not grading.complete:
        return
    right = _counted(grading)
    wrong = [counter for counter in grading.counters if _differs(counter, right)]
    for place in dict.fromkeys(counter.at.keys[:-1] for counter in wrong):
        here = [counter for counter in wrong if counter.at.keys[:-1] == place]
        says = ", ".join(f"{counter.name}: {counter.value:g}" for counter in here)
        shows = ", ".join(f"{counter.name}: {round(right[counter.name], 2):g}" for counter in here)
        message = f"{'`summary`' if place else 'the file'} says `{says}`, but its verdicts make it `{shows}`"
        yield RULE.at(here[0], message, hint="count the verdicts, or leave the counters out")


def _counted(grading: Grading) -> dict[str, float]:
    """The counters that the verdicts make certain: only the number of them, if one is no boolean."""
    total = len(grading.verdicts)
    if not all(isinstance(verdict.passed, bool) for verdict in grading.verdicts):
        return {"total": total}
    passed = grading.passed
    counted: dict[str, float] = {"passed": passed, "failed": total - passed, "total": total}
    return counted | ({"pass_rate": passed / total} if total else {})


def _differs(counter: Counter, right: dict[str, float]) -> bool:
    tolerance = TOLERANCE if counter.name == "pass_rate" else 0
    return counter.name in right and abs(counter.value - right[counter.name]) > tolerance
