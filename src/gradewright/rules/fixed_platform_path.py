"""A grader of a skill spells out a path that the platform tells it by a variable.

## Why is this bad?
It works in the usual container. Where the platform puts its files elsewhere, as in a dry run on your own machine, the
grader reads nothing and writes its reward to a place where nobody looks.

## How to fix it
Ask the variable first (`HARBOR_ATIF_PATH`, `HARBOR_ENTRY_JSON`, `HARBOR_REWARD_JSON`), and take the path for its
default.

## When to ignore it
When the grader is only ever run in the platform's own containers.

## Example
```python
with open("/tests/entry.json") as stream:
    entry = json.load(stream)
```
`os.environ.get("HARBOR_ENTRY_JSON", "/tests/entry.json")` works everywhere.
"""

from collections.abc import Iterator

from gradewright.contract import ENVIRONMENT
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import FIXED_PATH, PYTHON, Grader

RULE = Rule("GR403", "fixed-platform-path", Severity.NOTE, Grader)
VARIABLES = {path: variable for variable, path in ENVIRONMENT.items()}


def check(grader: Grader) -> Iterator[Finding]:
    signs = sorted((sign for sign in grader.signs if sign.what == FIXED_PATH), key=lambda sign: sign.at)
    if signs:
        path = signs[0].detail
        name = VARIABLES[path]
        asked = f'os.environ.get("{name}", "{path}")' if grader.language == PYTHON else f"${{{name}:-{path}}}"
        more = [f"`{VARIABLES[sign.detail]}`" for sign in signs[1:]]
        beside = f", and so is what {' and '.join(more)} would tell" if more else ""
        message = f"`{path}` is fixed here, whatever `{name}` says{beside}"
        yield RULE.at(signs[0], message, hint=f"write `{asked}`", related=[sign.at for sign in signs[1:]])
