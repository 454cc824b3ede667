"""Two entries have the same id, or ids that fall together.

## Why is this bad?
Ids become folder names: `usd` and `USD` are one folder on macOS and Windows, and the number `3` and the text `"3"`
everywhere. SkillEvaluator refuses the dataset; a tool that does not would mix the results of two cases.

## How to fix it
Give each entry an id of its own.

## When to ignore it
When only a tool that tells such ids apart reads the dataset.

## Example
```json
{"evals": [{"id": 3, "prompt": "Convert a.csv."}, {"id": "3", "prompt": "Convert b.csv."}]}
```
"""

from collections.abc import Iterator

from gradewright.contract import case_id_problem, collision_key
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case, Dataset

RULE = Rule("DS103", "colliding-case-ids", Severity.ERROR, Dataset)


def check(dataset: Dataset) -> Iterator[Finding]:
    first: dict[str, tuple[int, Case]] = {}
    for number, case in enumerate(dataset.cases):
        if case.id is None or case_id_problem(case.id):
            continue
        other_number, other = first.setdefault(collision_key(case.id), (number, case))
        if other is case:
            continue
        yield RULE.at(
            case.at.within("id"),
            f"the id {_shown(case)} of entry {number + 1} collides with {_shown(other)} of entry {other_number + 1}"
            f"{_difference(case, other)}",
            hint="give each entry an id of its own",
            related=[other.at.within("id")],
        )


def _shown(case: Case) -> str:
    return f'`"{case.id}"`' if isinstance(case.id, str) and case.id.isdigit() else f"`{case.id}`"


def _difference(case: Case, other: Case) -> str:
    if type(case.id) is not type(other.id):
        return ": number and text are one id"
    return "" if case.id == other.id else ": letter case makes no difference"
