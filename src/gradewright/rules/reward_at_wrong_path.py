"""A grader writes its reward where no platform looks for it.

## Why is this bad?
Only `/logs/verifier/reward.json` and `/logs/verifier/reward.txt` are read. Under any other name or in any other folder
the reward is lost, and the trial ends in an error or counts as 0.0.

## How to fix it
Write to the path in `HARBOR_REWARD_JSON`, or to `/logs/verifier/reward.json` where it is not set.

## When to ignore it
When something that gradewright does not see moves the file to the right place.

## Example
```python
Path("/tmp/reward.json").write_text(json.dumps({"overall": score}))
Path("/logs/verifier/rewards.json").write_text(json.dumps({"overall": score}))
```
"""

import posixpath
from collections.abc import Iterator

from gradewright.contract import REWARD_FILES, VERIFIER_DIR
from gradewright.finding import Finding, Fix, RedirectReward, Rule, Severity
from gradewright.model import Grader, quoted

RULE = Rule("GR112", "reward-at-wrong-path", Severity.ERROR, Grader)
NAMES = tuple(posixpath.basename(path) for path in REWARD_FILES)
NEAR = 0.85


def check(grader: Grader) -> Iterator[Finding]:
    paths = {write.path for write in grader.writes}
    if grader.role != "grader" or not grader.alone or grader.opaque or None in paths or paths & set(REWARD_FILES):
        return
    told = set()
    for write in grader.writes:
        meant = _meant(write.path or "")
        if meant and write.path not in told:
            told.add(write.path)
            hint = f"write it to `{meant}`"
            fix = Fix(hint, False, RedirectReward(grader.at, write.path or "", meant))
            yield RULE.at(write, f"nobody reads a reward from {quoted(write.path)}", hint=hint, fix=fix)


def _meant(path: str) -> str:
    """The reward file that `path` stands for, if it looks like one."""
    from difflib import SequenceMatcher

    folder, name = posixpath.split(path)
    if name in NAMES:
        return f"{VERIFIER_DIR}/{name}"
    near = [known for known in NAMES if SequenceMatcher(None, known, name.lower()).ratio() >= NEAR]
    return f"{VERIFIER_DIR}/{near[0]}" if near and folder == VERIFIER_DIR else ""
