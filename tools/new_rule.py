"""Start a rule: its module, its specification and its line for the changelog.

python tools/new_rule.py CODE NAME NODE          for example: GR111 reserved-metric-name Grader
"""

import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent

MODULE = '''"""TODO: one sentence that says what is wrong.

## Why is this bad?
TODO: what happens in a run.

## How to fix it
TODO: what to do.

## When to ignore it
TODO: a case in which the finding is right and nothing has to change.

## Example
```json
TODO
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import {node}

RULE = Rule("{code}", "{name}", Severity.WARNING, {node})


def check(node: {node}) -> Iterator[Finding]:
    if not node.at.path:
        yield RULE.at(node, "TODO", hint="TODO")
'''

SPECIFICATION = """# {name}

## TODO: a faulty form
base: skill

```json evals/evals.json
[]
```

```findings
evals/evals.json:1:1: {code} warning TODO
```

## TODO: a sound look-alike
base: skill

```findings
```
"""


def files(code: str, name: str, node: str) -> dict[Path, str]:
    """The files of a new rule with their first content."""
    values = {"code": code, "name": name, "node": node}
    return {
        REPOSITORY / "src" / "gradewright" / "rules" / f"{name.replace('-', '_')}.py": MODULE.format(**values),
        REPOSITORY / "tests" / "rules" / f"{name}.md": SPECIFICATION.format(**values),
        REPOSITORY / "changes" / f"{name}.md": f"New rule `{name}` ({code}): TODO\n",
    }


def main(arguments: list[str]) -> int:
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    code, name, node = arguments
    if not re.fullmatch(r"[A-Z]{2}\d{3}", code) or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        print(f"`{code}` must look like GR111 and `{name}` like reserved-metric-name", file=sys.stderr)
        return 2
    wanted = files(code, name, node)
    present = [path for path in wanted if path.exists()]
    if present:
        print("exists already: " + ", ".join(str(path.relative_to(REPOSITORY)) for path in present), file=sys.stderr)
        return 2
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(REPOSITORY))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
