"""A file of the evaluation itself is given to the agent.

## Why is this bad?
The dataset holds the expected results, the grader knows what is looked for, and SKILL.md would reach the arm that is to
work without the skill. SkillEvaluator refuses to stage them.

## How to fix it
List only the inputs of the task, and keep them below `evals/files/`.

## When to ignore it
When the task is about such a file, and SkillEvaluator is never run on the dataset. A copy under another name does it.

## Example
```json
{"id": "case-001", "prompt": "Convert it.", "files": ["files/orders.csv", "evals.json"]}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case, quoted

RULE = Rule("DS303", "evaluator-file-as-fixture", Severity.ERROR, Case)


def check(case: Case) -> Iterator[Finding]:
    for fixture in case.fixtures or ():
        if fixture.state == "evaluator":
            message = f"{quoted(fixture.path)} belongs to the evaluation and must not reach the agent"
            yield RULE.at(fixture, message, hint="list only inputs of the task, from `evals/files/`")
