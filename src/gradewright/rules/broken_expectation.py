"""The `expect.toml` of a sample cannot be read, or says something that nobody understands.

## Why is this bad?
The file says what is right for a sample. What is not understood is not checked: a grader that is wrong about this
sample goes unnoticed.

## How to fix it
Write `verdict = "pass"` or `"fail"`, bounds as `overall = [0.4, 0.6]`, and metrics in a table of their own. A sample
whose name begins with `good` must pass, with `bad` must fail: the file must not say otherwise.

## When to ignore it
Never: correct the file.

## Example
```toml
verdict = "passes"
overal = [0.4, 0.6]
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import BOM, DUPLICATE_KEY, SYNTAX, UNKNOWN_KEY, WRONG_TYPE, WRONG_VALUE, Problem, quoted

RULE = Rule("RW301", "broken-expectation", Severity.ERROR, Problem)
_KINDS = frozenset({BOM, DUPLICATE_KEY, SYNTAX, UNKNOWN_KEY, WRONG_TYPE, WRONG_VALUE})


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role != "expectation" or problem.kind not in _KINDS:
        return
    if problem.kind == UNKNOWN_KEY:
        message = f"unknown key {quoted(problem.subject)}"
        hint = f"did you mean `{problem.nearest}`?" if problem.nearest else "remove it"
    else:
        message = problem.detail
        hint = problem.cure or "correct the file"
    yield RULE.at(problem, message, hint=hint)
