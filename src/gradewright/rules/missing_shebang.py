"""A test script does not say which interpreter it is for.

## Why is this bad?
Harbor starts `tests/test.sh` directly. The system cannot run it without `#!`; what happens then is left to the program
that tried: one shell runs the script itself, as its own kind of script, another program gives up.

## How to fix it
Make `#!/bin/bash` the very first line.

## When to ignore it
When the container's programs are known to start such a script with the right shell.

## Example
```sh
echo 1 > /logs/verifier/reward.txt
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, FirstLine, Fix, Rule, Severity
from gradewright.model import NO_SHEBANG, Problem

RULE = Rule("GR053", "missing-shebang", Severity.WARNING, Problem, targets=frozenset({"harbor"}))


def check(problem: Problem) -> Iterator[Finding]:
    if problem.kind == NO_SHEBANG and problem.at.path.endswith("test.sh"):
        message = "this script is started directly, and no `#!` line says by which interpreter"
        hint = "make `#!/bin/bash` the very first line"
        yield RULE.at(problem, message, hint=hint, fix=Fix(hint, False, FirstLine(problem.at, "#!/bin/bash")))
