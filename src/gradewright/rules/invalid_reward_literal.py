"""A grader writes a reward that no platform takes: no number, no finite number, no JSON object.

## Why is this bad?
Harbor refuses `NaN`, texts, lists and everything that is not one JSON object; older versions accept `NaN`, and
SkillEvaluator counts it as 1.0. A `reward.json` that cannot be read is an error even beside a good `reward.txt`, which
itself holds one number and nothing else. It is an error where the literal is all that can be written, and a warning
where it is written on some paths.

## How to fix it
Write numbers from 0.0 to 1.0, and the object by `json.dumps` with nothing around it.

## When to ignore it
When the path on which it is written is never taken.

## Example
```python
REWARD_JSON.write_text(str({"overall": score}))  # single quotes are no JSON
REWARD_TXT.write_text(f"{score:.0%}")  # 85% is no number
```
"""

from collections.abc import Iterator

from gradewright.contract import REWARD_FILES, REWARD_TXT
from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Grader, Write, quoted

RULE = Rule("GR113", "invalid-reward-literal", Severity.ERROR, Grader)
HINTS = {
    "non-finite": "write a number from 0.0 to 1.0",
    "non-numeric": "write a number from 0.0 to 1.0, without quotes, unit or words",
    "not-json": "write one JSON object with nothing around it",
}


def check(grader: Grader) -> Iterator[Finding]:
    found: dict[tuple[str, Location], Finding] = {}
    for write in grader.writes:
        for reason, literal, at in write.bad if write.path in REWARD_FILES else ():
            key = reason, at
            if reason in HINTS and (key not in found or _severity(write) > found[key].severity):
                message = _message(reason, literal, write.path)
                found[key] = RULE.at(at, message, hint=HINTS[reason], severity=_severity(write))
    yield from found.values()


def _severity(write: Write) -> Severity:
    return Severity.ERROR if write.certain and not write.conditional else Severity.WARNING


def _message(reason: str, literal: str, path: str | None) -> str:
    if reason == "not-json":
        what = "a Markdown fence" if literal.startswith("```") else quoted(literal)
        return f"{what} does not make `reward.json` a JSON object"
    if reason == "non-finite":
        return f"{quoted(literal)} is not a finite number"
    name = "reward.txt" if path == REWARD_TXT else "reward.json"
    return f"{quoted(literal)} is no number, and `{name}` needs one"
