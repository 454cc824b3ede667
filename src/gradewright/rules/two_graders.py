"""Two graders lie side by side, and one of them is ignored.

## Why is this bad?
SkillEvaluator runs `grader.py` whenever there is one, and says nothing of `grader.sh`: changes made there have no
effect on any score.

## How to fix it
Delete the one that is not wanted.

## When to ignore it
When the other one is meant for another tool.

## Example
```text
evals/grader.py
evals/grader.sh
```
Only `grader.py` is run.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import PYTHON, SHELL, Skill

RULE = Rule("GR001", "two-graders", Severity.WARNING, Skill, targets=frozenset({"skillevaluator"}))


def check(skill: Skill) -> Iterator[Finding]:
    by_language = {grader.language: grader for grader in skill.graders}
    used, ignored = by_language.get(PYTHON), by_language.get(SHELL)
    if used and ignored:
        message = "this grader never runs: `grader.py` beside it comes first"
        yield RULE.at(ignored, message, hint="delete the grader that is not wanted", related=[used.at])
