"""A graded sample got a `reward.json` that is not JSON.

## Why is this bad?
`reward.json` wins whenever it exists. If it does not parse, both platforms report an error, although a good
`reward.txt` may lie beside it.

## How to fix it
Let a JSON library write the file (`json.dump`, `jq -n`), rather than putting text together: quotes, line breaks and
backslashes in a reason are what breaks it.

## When to ignore it
Never: there is no platform that takes it.

## Example
```sh
echo "{\\"overall\\": 1, \\"details\\": \\"$message\\"}" > /logs/verifier/reward.json   # breaks if $message has a quote
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import (
    BOM,
    COMMENT,
    IRREGULAR,
    LINK_LOOP,
    NOT_UTF8,
    OVERSIZED,
    SYNTAX,
    TOO_DEEP,
    TRAILING_COMMA,
    UNREADABLE,
    Trial,
)

RULE = Rule("RW003", "unparsable-reward", Severity.ERROR, Trial)
_KINDS = frozenset(
    {BOM, COMMENT, IRREGULAR, LINK_LOOP, NOT_UTF8, OVERSIZED, SYNTAX, TOO_DEEP, TRAILING_COMMA, UNREADABLE}
)


def check(trial: Trial) -> Iterator[Finding]:
    for problem in trial.faults:
        if problem.kind in _KINDS:
            message = f"`{problem.at.path}` cannot be read as JSON: {problem.detail}"
            hint = trial.cure(problem.cure or "let a JSON library write the file")
            yield RULE.at(trial, message, hint=hint, related=trial.evidence)
