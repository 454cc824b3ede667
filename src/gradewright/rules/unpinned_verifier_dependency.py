"""The verifier installs a package in whatever version there is on that day.

## Why is this bad?
A new release of the package can change what the same work scores, or break every run at once. Two runs some weeks apart
can then not be compared.

It is a note: many tasks do it and work today. Packages of the system (`apt-get install`) are not looked at, since they
are given with the image, nor are `requirements.txt` and lock files.

## How to fix it
Name the version: `pytest==8.4.1`, `uvx ruff@0.12.0`, `npm install -g vitest@3.2.4`.

## When to ignore it
When the verifier is meant to follow the newest release.

## Example
```bash
pip install pytest
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Task, quoted
from gradewright.model.install import download

RULE = Rule("TK211", "unpinned-verifier-dependency", Severity.NOTE, Task)
SHOWN = 3


def check(task: Task) -> Iterator[Finding]:
    for script in task.scripts:
        for run in script.runs if script.started else ():
            found = None if run.optional else download(run)
            if found and found.unpinned:
                names = ", ".join(map(quoted, found.unpinned[:SHOWN]))
                more = f" and {len(found.unpinned) - SHOWN} more" if len(found.unpinned) > SHOWN else ""
                message = f"`{found.shown}` takes {names}{more} in whatever version is newest"
                yield RULE.at(run, message, hint="name the version to install")
