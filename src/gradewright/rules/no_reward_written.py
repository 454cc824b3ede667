"""No code that a grader comes to writes a reward.

## Why is this bad?
The platforms read `reward.json` or `reward.txt` in `/logs/verifier`. With neither, every trial ends in an error or
counts as 0.0, after it has been paid for. To name the file is not to write it, and code behind a `return` or in a
function that nothing calls does not run.

## How to fix it
Write the reward on every path that leads through the script.

## When to ignore it
When something outside of the script writes the reward from what it prints or from its exit status.

## Example
```python
def main():
    score = grade()
    return score
    REWARD.write_text(json.dumps({"overall": score}))
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import EMPTY, Grader

RULE = Rule("GR110", "no-reward-written", Severity.ERROR, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    if grader.role != "grader" or not grader.alone or grader.may_write_reward or grader.size == 0:
        return
    if not any(stub.what == EMPTY for stub in grader.stubs):
        named = ", though it is named" if "/logs/verifier/reward.json" in grader.reads else ""
        message = f"nothing that runs here writes `reward.json` or `reward.txt`{named}"
        yield RULE.at(grader, message, hint="write `/logs/verifier/reward.json` on every path through the script")
