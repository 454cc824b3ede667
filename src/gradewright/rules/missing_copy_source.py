"""A Dockerfile copies a file that is not there, or mounts one for a command.

## Why is this bad?
The image cannot be built, so no trial of the task starts. Paths in `COPY` and `ADD` begin at the folder `environment/`,
not at the task: `COPY environment/data.csv` and `COPY tests/test.sh` find nothing, nor does a path with `..`, nor
a file that `.dockerignore` leaves out. The same holds for `tests/Dockerfile`, whose paths begin at `tests/`.

## How to fix it
Put the file into `environment/`, or correct the path. Tests and solution are brought in by Harbor itself.

## When to ignore it
When the file is made by a program before each run.

## Example

```Dockerfile
FROM python:3.12-slim
COPY environment/data.csv /app/
```

The file `environment/data.csv` is called `data.csv` here.
"""

from collections.abc import Iterator
from posixpath import normpath

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Source, Task, quoted

RULE = Rule("TK203", "missing-copy-source", Severity.ERROR, Task)


def check(task: Task) -> Iterator[Finding]:
    verifier = task.verifier_image.sources if task.verifier_image and task.verifier_image.at != task.image.at else ()
    for source in (*task.image.sources, *verifier):
        if not source.found:
            where = "left out by an ignore file" if source.ignored else f"not in {quoted(source.context + '/')}"
            message = f"{quoted(source.path)} is {where}, so the image cannot be built"
            yield RULE.at(source, message, hint=_hint(task, source))


def _hint(task: Task, source: Source) -> str:
    context = quoted(source.context + "/")
    if source.ignored:
        return "take it out of the ignore file, or delete this line"
    if source.elsewhere:
        return f"write {quoted(source.elsewhere)}: paths begin at {context}"
    path = normpath("/" + source.path).lstrip("/")
    if path.partition("/")[0] in ("tests", "solution"):
        return "delete this line: Harbor brings in tests and solution itself"
    if path in task.present:
        return f"move {quoted(path)} into {context}: paths begin there"
    return f"add the file to {context}, or correct the path"
