"""The score depends on the order in which a set or a folder is listed.

## Why is this bad?
The order of a set of texts differs from run to run, and that of a folder's listing from machine to machine. Which item
comes first, and with it the score, is left to accident.

## How to fix it
Sort it (`sorted(folder.glob("*.csv"))`), or look at all items.

## When to ignore it
When there is exactly one item, which something else makes sure of.

## Example
```python
report = list(Path("/workspace").glob("*.csv"))[0]
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import UNORDERED, Grader, quoted

RULE = Rule("GR217", "unordered-score", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == UNORDERED:
            yield RULE.at(
                sign,
                f"which item of {quoted(sign.detail)} is taken is left to accident, and the score depends on it",
                hint="sort it, or look at all items",
            )
