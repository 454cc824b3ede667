"""A Dockerfile copies a file that is not there.

## Why is this bad?
The image cannot be built, so no trial of the task starts. Paths in `COPY` and `ADD` begin at the folder `environment/`,
not at the task: `COPY environment/data.csv` and `COPY tests/test.sh` find nothing.

## How to fix it
Put the file into `environment/`, or correct the path. Tests and solution are brought in by Harbor itself.
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Source, Task, quoted

RULE = Rule("TK203", "missing-copy-source", Severity.ERROR, Task)


def check(task: Task) -> Iterator[Finding]:
    for source in task.image.sources:
        if not source.found:
            message = f"{quoted(source.path)} is not in `environment/`, so the image cannot be built"
            yield RULE.at(source, message, hint=_hint(task, source))


def _hint(task: Task, source: Source) -> str:
    if source.elsewhere:
        return f"write {quoted(source.elsewhere)}: paths begin at `environment/`"
    path = source.path.removeprefix("./").strip("/")
    if path.partition("/")[0] in ("tests", "solution"):
        return "delete this line: Harbor brings in tests and solution itself"
    if path in task.present:
        return f"move {quoted(path)} into `environment/`: paths begin there"
    return "add the file to `environment/`, or correct the path"
