"""The reward of a graded sample lay there before the run, and the grader left it as it was.

## Why is this bad?
An agent can write to `/logs/verifier` where it shares the container with the verifier. `reward.json` wins over
`reward.txt`, so a grader that writes only the latter lets the agent name its own score. SkillEvaluator's Harbor 0.13
keeps such a file; Harbor 0.26 removes it before the run, so that this is a warning there.

## How to fix it
Remove both files first (`rm -f /logs/verifier/reward.*`), and write both.

## When to ignore it
If the task can only be run by a Harbor that clears the folder.

## Example
```sh
python3 /tests/check.py && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Trial

RULE = Rule("RW013", "stale-reward", Severity.ERROR, Trial)


def check(trial: Trial) -> Iterator[Finding]:
    if trial.stale:
        level = Severity.ERROR if trial.target == "skillevaluator" else Severity.WARNING
        name = trial.stale.rpartition("/")[2]
        message = (
            f"a `{name}` that lay there before the run counts for sample `{trial.sample.name}`, which gets "
            f"{trial.shown}: the grader does not replace it"
        )
        hint = trial.cure("remove `reward.json` and `reward.txt` first, and write both")
        yield RULE.at(trial, message, hint=hint, severity=level, related=trial.evidence)
