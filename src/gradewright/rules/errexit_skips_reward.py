"""A failing check ends the test script before it writes any reward.

## Why is this bad?
Under `set -e` the first command that fails ends the script. When that command is the check itself, poor work gets no
reward file instead of a 0, and the trial counts as an error of the harness.

## How to fix it
Test the command itself, or give the reward a value before the checks start.

## When to ignore it
When the command never fails because of the agent's work: its failure is then a fault of the harness indeed.

## Example
```sh
set -e
python3 /tests/check.py
if [ $? -eq 0 ]; then  # never sees a failure
```
`if python3 /tests/check.py; then` does.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Gap, Task, quoted

RULE = Rule("GR152", "errexit-skips-reward", Severity.ERROR, Task)
CERTAIN, LIKELY, NO = Severity.ERROR, Severity.WARNING, None


def check(task: Task) -> Iterator[Finding]:
    test = task.test_script
    for gap in test.gaps if test else ():
        severity = _severity(gap, task)
        if severity is not None:
            command = " ".join(word or "..." for word in gap.run.words[:3])
            message = f"when {quoted(command)} fails, `set -e` ends the script before it writes a reward"
            hint = "test the command itself: `if COMMAND; then ... else ... fi`"
            yield RULE.at(gap, message, hint=hint, severity=severity)
            return


def _severity(gap: Gap, task: Task) -> Severity | None:
    """Failing is what a check is for; of other commands only those count whose status the script asks for."""
    if not (gap.status_read or gap.constant):
        return NO
    run = gap.run
    if run.script:
        script = task.script(run.script)
        if script is None:
            return LIKELY if gap.status_read else NO
        return NO if script.may_write_reward else CERTAIN
    if run.is_pytest:
        return LIKELY if any(helper.names_reward for helper in task.helpers) else CERTAIN
    return LIKELY
