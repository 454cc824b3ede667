"""There is nothing to evaluate: the skill has no dataset.

## Why is this bad?
SkillEvaluator makes its tasks from `evals/evals.json` (or `.jsonl`, `.yaml`, `.yml`) and stops without it. Native cases
can do without only in the mode `custom_only`: in every other mode each of them must match an entry.

## How to fix it
Write `evals/evals.json`; `gradewright init-custom-grader` makes one to start from.

## When to ignore it
When the skill is only used, and never evaluated with SkillEvaluator.

## Example
```text
csv2json/SKILL.md
csv2json/evals/grader.py
```
"""

from collections.abc import Iterator

from gradewright.contract import DATASET_FILES, grading_mode
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill, nearest

RULE = Rule("DS010", "missing-dataset", Severity.ERROR, Skill, targets=frozenset({"skillevaluator"}))


def check(skill: Skill) -> Iterator[Finding]:
    if skill.dataset is not None or not skill.complete or not (skill.has_evals or skill.named):
        return
    if skill.tasks and skill.source != "evals_json":
        mode = grading_mode(skill.policy.mode)
        if mode is None or mode == "custom_only":
            return
        message = f"there is no dataset, and in mode `{mode}` every native case needs an entry in it"
    elif skill.source == "native_harbor":
        return
    elif skill.has_evals:
        message = "there is no dataset in `evals/`"
    else:
        message = "there is no `evals/` folder"
    at = skill.at._replace(path=f"{skill.at.path}/evals") if skill.has_evals else skill.at
    yield RULE.at(at, message, hint=_hint(skill))


def _hint(skill: Skill) -> str:
    folder = next((name for name in skill.present if name != "evals" and name.lower() == "evals"), "")
    if folder and not skill.has_evals:
        return f"rename `{folder}` to `evals`"
    misplaced = [name for name in DATASET_FILES if name in skill.present]
    if misplaced:
        return f"move `{misplaced[0]}` into `evals/`"
    for path in sorted(skill.present):
        folder, _, name = path.rpartition("/")
        if folder == "evals" and nearest(name, DATASET_FILES, 0.8):
            return f"rename `{path}` to `evals/{nearest(name, DATASET_FILES, 0.8)}`"
    return "write `evals/evals.json`, or let `gradewright init-custom-grader` make one"
