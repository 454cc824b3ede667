"""`evals/harbor/` has no `dataset.toml`.

## Why is this bad?
SkillEvaluator requires the manifest to be there before it runs native cases.

## How to fix it
Write `evals/harbor/dataset.toml` with a `[dataset]` table and a `[[tasks]]` entry for each case.

## When to ignore it
When the cases are run by plain Harbor only; `--target harbor` leaves this rule out altogether.

## Example

```toml
[dataset]
name = "acme/csv2json"

[[tasks]]
name = "acme/case-001"
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Skill

RULE = Rule("DM010", "missing-manifest", Severity.ERROR, Skill, targets=frozenset({"skillevaluator"}))


def check(skill: Skill) -> Iterator[Finding]:
    if skill.manifest is not None or not skill.tasks or skill.source != "native_harbor":
        return
    yield RULE.at(
        skill.at._replace(path=f"{skill.at.path}/evals/harbor"),
        "there is no `dataset.toml` beside the native cases",
        hint=_hint(skill),
    )


def _hint(skill: Skill) -> str:
    misplaced = next((path for path in ("dataset.toml", "evals/dataset.toml") if path in skill.present), "")
    if misplaced:
        return f"move `{misplaced}` there"
    misnamed = next((path for path in sorted(skill.present) if path.lower() == "evals/harbor/dataset.toml"), "")
    if misnamed:
        return f"rename `{misnamed}` to `dataset.toml`"
    return "write one with `[dataset]` and a `[[tasks]]` per case"
