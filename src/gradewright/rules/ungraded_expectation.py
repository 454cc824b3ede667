"""A grading file has fewer verdicts than there are expectations.

## Why is this bad?
The pass rate is one of fewer expectations than the other runs were graded by: what nobody judged counts as if it had
never been asked for.

## How to fix it
Have the run graded again, by all the expectations in `eval_metadata.json`.

## When to ignore it
When the expectations were changed after this run, and it is not compared with later ones.

## Example
With three expectations in `eval_metadata.json`, this file leaves two of them open:
```json
{"expectations": [{"text": "The total is right", "passed": true, "evidence": "It says 412.50"}]}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Grading, quoted

RULE = Rule("GJ007", "ungraded-expectation", Severity.WARNING, Grading)


def check(grading: Grading) -> Iterator[Finding]:
    graded, declared = len(grading.verdicts), len(grading.declared)
    if not grading.complete or graded >= declared:
        return
    texts = {_plain(verdict.text) for verdict in grading.verdicts if isinstance(verdict.text, str)}
    missing = [text for text in grading.declared if _plain(text) not in texts]
    first = f", such as {quoted(missing[0])}" if len(missing) == declared - graded else ""
    message = f"has verdicts on {graded} of the {declared} expectations in `eval_metadata.json`"
    yield RULE.at(grading.at.within("expectations"), message, hint=f"grade the others too{first}")


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
