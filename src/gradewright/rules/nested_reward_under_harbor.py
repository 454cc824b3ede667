"""A native task leaves a nested reward, which plain Harbor refuses.

## Why is this bad?
`harbor run` reads `reward.json` as one object of numbers. `custom_metrics`, `details` or any other nested value in it
is an error, and a sound `reward.txt` beside it is never read. SkillEvaluator, on the other hand, expects them.

## How to fix it
Let `tests/test.sh` ask the grader for the flat shape: graders that `gradewright` scaffolds write it with `--harbor`,
together with the details in `reward-details.json`.

## When to ignore it
When the task is run by SkillEvaluator only; `--target skillevaluator` says so for all rules.

## Example
```json
{"overall": 0.92, "domain_repair": 1.0}
```
"""

from collections.abc import Iterator

from gradewright.contract import REWARD_JSON
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Grader, Run, Task

RULE = Rule("GR151", "nested-reward-under-harbor", Severity.ERROR, Task, targets=frozenset({"harbor"}))
REMOVING = frozenset({"rm", "mv"})


def check(task: Task) -> Iterator[Finding]:
    test = task.test_script
    if test is None or task.steps or test.opaque:
        return
    for run in test.runs:
        grader = task.script(run.script) if run.script else None
        if grader and grader is not test and not _changes_later(task, test, run):
            yield from _judge(grader, run)
    last = [write for write in test.writes if write.path == REWARD_JSON][-1:]
    if last and last[0].shape == "nested":
        yield RULE.at(
            last[0], "plain Harbor takes nothing but numbers in `reward.json`", hint="write one object of numbers"
        )


def _judge(grader: Grader, run: Run) -> Iterator[Finding]:
    writes = [write for write in grader.writes if write.path == REWARD_JSON]
    if grader.contract:
        if "--harbor" not in run.words and None not in run.words:
            message = "without `--harbor` the grader writes nested values, which plain Harbor does not take"
            yield RULE.at(run, message, hint="add `--harbor` to this command")
    elif writes and all(write.shape == "nested" for write in writes):
        message = "plain Harbor takes nothing but numbers in `reward.json`, and `tests/test.sh` leaves it as it is"
        hint = "write one object of numbers when `tests/test.sh` starts the grader, and the details into another file"
        yield RULE.at(writes[0], message, hint=hint, related=[run.at])


def _changes_later(task: Task, test: Grader, run: Run) -> bool:
    """Whether the script may put another reward in place of the grader's."""
    line = run.at.line
    if any(w.at.line > line and w.path in (None, REWARD_JSON) and not w.certain for w in test.writes):
        return True
    for later in test.runs:
        if later.at.line <= line:
            continue
        script = task.script(later.script) if later.script else None
        if later.script and (script is None or script.may_write_reward):
            return True
        if later.words[0] in REMOVING and not later.conditional and REWARD_JSON in later.words:
            return True
    return False
