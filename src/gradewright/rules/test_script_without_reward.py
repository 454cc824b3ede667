"""The test script of a task writes no reward, and starts nothing that writes one.

## Why is this bad?
Harbor ignores the exit status of `tests/test.sh` and reads only `/logs/verifier/reward.json` or `reward.txt`. With
neither, every trial ends in an error instead of a score.

## How to fix it
Write the reward in the script, on every path through it.

## When to ignore it
When something that gradewright does not see, such as a service of the compose file, writes the reward.

## Example
```sh
if pytest /tests/test_outputs.py; then
  echo 1 > /logs/verifier/reward.txt
else
  echo 0 > /logs/verifier/reward.txt
fi
```
"""

import posixpath
from collections.abc import Iterator

from gradewright.contract import REWARD_FILES
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import EMPTY, Grader, Run, Task, quoted

RULE = Rule("GR150", "test-script-without-reward", Severity.ERROR, Task)


def check(task: Task) -> Iterator[Finding]:
    test = task.test_script
    if test is None or task.steps or test.opaque or test.size == 0 or any(stub.what == EMPTY for stub in test.stubs):
        return
    if any(write.path is None or write.path in REWARD_FILES for write in test.writes):
        return
    if any(_may_lead_to_reward(run, task) for run in test.runs):
        return
    started = [task.script(run.script) for run in test.runs if run.script]
    writes = [write for script in (test, *started) if script for write in script.writes]
    misplaced = next((write for write in writes if "reward" in posixpath.basename(write.path or "")), None)
    if misplaced:
        message = f"no reward is written: nobody reads {quoted(misplaced.path)}"
        yield RULE.at(misplaced, message, hint="write `/logs/verifier/reward.json` or `reward.txt`")
    else:
        message = "neither this script nor anything that it starts writes a reward"
        yield RULE.at(test, message, hint="write `/logs/verifier/reward.json` or `reward.txt` on every path")


def _may_lead_to_reward(run: Run, task: Task) -> bool:
    if run.is_pytest:
        return _tests_may_write(run, task)
    if run.script is None:
        return False
    script = task.script(run.script)
    # the task's own grader is judged by `no-reward-written`
    return script is None or script is task.grader or _may_write(script)


def _may_write(script: Grader) -> bool:
    """Whether a script may write the reward where it is read; a relative path may become the right one."""
    paths = [write.path for write in script.writes]
    return script.opaque or any(path is None or path in REWARD_FILES or path[0] != "/" for path in paths)


def _tests_may_write(run: Run, task: Task) -> bool:
    """Test modules and their fixtures could write the reward themselves, if they mention it at all."""
    elsewhere = any(word is None or (word.startswith("/") and not word.startswith("/tests")) for word in run.words[1:])
    known = {script.at.path for script in (task.grader, *task.helpers) if script and not script.names_reward}
    modules = {f"{task.folder}/{name}" for name in task.present if name.startswith("tests/") and name.endswith(".py")}
    return elsewhere or not modules <= known
