"""The reward file is named by a variable that is not set, or that falls apart into several words.

## Why is this bad?
bash refuses a redirection to nothing, or to several words, and goes on: no reward is written, and the trial ends in an
error. A folder that is not set sends the reward to the root of the file system, where nobody reads it.

## How to fix it
Spell the variable as it is set, give it a default (`"${REWARD:-/logs/verifier/reward.txt}"`), and put quotes around it.

## When to ignore it
When something outside of the script, such as the image, sets the variable.

## Example
```sh
REWARD_FILE=/logs/verifier/reward.txt
echo 1 > "$REWARD_FLIE"
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import UNSET_PATH, Grader, quoted

RULE = Rule("GR118", "unset-reward-path", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == UNSET_PATH and sign.certain:
            message = f"{quoted('$' + sign.detail)} holds a blank and has no quotes: bash refuses to write the reward"
            yield RULE.at(sign, message, hint="put quotes around it")
        elif sign.what == UNSET_PATH:
            message = f"{quoted('$' + sign.detail)} is set nowhere in this script, so that no reward is written"
            yield RULE.at(sign, message, hint="spell it as it is set, or give it a default")
