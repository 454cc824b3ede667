"""A value of the configuration is missing, of the wrong type or out of range.

## Why is this bad?
The platform refuses the whole file, and no case is run. `schema_version: 1` is required; numbers are neither in quotes
nor booleans; of two names of one setting (`runtime_env` and `passthrough_env`, `pre_agent_setup` and `setup_commands`)
only one may be given.

## How to fix it
Write a value that the message allows.

## When to ignore it
When you run a newer SkillEvaluator than the one that gradewright knows, and it takes the value.

## Example
```yaml
schema_version: 1
harbor:
  pass_threshold: 80
```
The threshold goes from 0 to 1.
"""

from collections.abc import Iterator

from gradewright.finding import DropTwin, Finding, Fix, Rule, SetText, Severity
from gradewright.model import MISSING_KEY, WRONG_TYPE, WRONG_VALUE, Problem

RULE = Rule("CF011", "wrong-config-value", Severity.ERROR, Problem, targets=frozenset({"skillevaluator"}))


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role != "config":
        return
    if problem.kind == MISSING_KEY:
        yield RULE.at(problem, problem.detail, hint=f"add `{problem.subject}: 1`")
    elif problem.kind in (WRONG_TYPE, WRONG_VALUE):
        hint = f"write `{problem.nearest}`" if problem.nearest else problem.cure
        fix = Fix(hint, False, SetText(problem.at, problem.meant)) if problem.meant else None
        if problem.twin:
            fix = Fix(f"delete it: `{problem.twin}` says the same", True, DropTwin(problem.at, problem.twin))
        yield RULE.at(problem, problem.detail, hint=hint or "correct it: the platform refuses the whole file", fix=fix)
