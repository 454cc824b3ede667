"""A script that grades imports a package that nobody installs.

## Why is this bad?
The script ends with `ModuleNotFoundError` before it has looked at anything: there is no reward, for good work as little
as for bad, and the trial has been paid for.

## How to fix it
Install the package in `environment/Dockerfile` (with its version), or in `tests/test.sh` before the script is started;
or do without it. Where it only helps, import it inside of `try` and `except ImportError`.

## When to ignore it
When the agent itself is to install the package, and the task says so in words that are not recognised. Only images on a
plain Python, Debian, Ubuntu or Alpine are judged of which every line is understood; where one package is installed that
may bring others nothing is said.

## Example
```dockerfile
FROM python:3.12-slim
WORKDIR /workspace
```
with a `tests/grader.py` that begins with `import numpy`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import PYTHON, Grader, Import, Run, Task, quoted
from gradewright.model.imports import PACKAGE_OF, STANDARD, modules_of

RULE = Rule("GR015", "missing-import", Severity.ERROR, Task)
PLAIN_PYTHON = re.compile(r"(?:/usr/local/bin/)?python(?:3(?:\.\d+)?)?\Z")
PLAIN_PYTEST = re.compile(r"(?:/usr/local/bin/)?(?:pytest|py\.test)\Z")
SHELLS = ("bash", "sh", "/bin/bash", "/bin/sh")
BRINGS_NOTHING = frozenset({
    ":", "[", "awk", "cat", "cd", "chmod", "cp", "cut", "date", "diff", "echo", "exit", "export", "false", "find",
    "grep", "head", "jq", "ls", "mkdir", "mv", "printf", "pwd", "read", "rm", "sed", "set", "sleep", "sort", "tail",
    "tee", "test", "touch", "tr", "trap", "true", "umask", "unset", "wc",
})  # fmt: skip
"""Programs that put no package into Python."""

OTHER_PYTHON = frozenset({"CONDA_PREFIX", "PATH", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV"})
"""Variables by which a script may have another Python run, or other packages found."""


class Started(NamedTuple):
    """A Python script that is started, and whether pytest does it, which may look for modules elsewhere too."""

    script: Grader
    by_pytest: bool


def check(task: Task) -> Iterator[Finding]:
    image = task.verifier_image
    if image is None or task.steps or not image.packages.complete or image.packages.files:
        return
    modules = modules_of(image.packages.names)
    if modules is None or "PYTHON" in str(task.config) or any(_may_install(script) for script in task.scripts):
        return
    told: set[str] = set()
    for started in _started(task):
        for item in started.script.imports:
            known = item.module in STANDARD or item.module in modules or item.module in told
            if known or not _is_missing(task, item, started):
                continue
            told.add(item.module)
            package = PACKAGE_OF.get(item.module, item.module)
            severity = Severity.WARNING if image.packages.names else RULE.severity
            message = f"nothing installs {quoted(item.module)}, so this code ends here"
            hint = f"install {quoted(package)} in the image, or do without it"
            yield RULE.at(item, message, hint=hint, severity=severity)


def _is_missing(task: Task, item: Import, started: Started) -> bool:
    """Whether a module cannot be anything but a package, which nobody speaks of as one to be installed."""
    if item.module not in PACKAGE_OF and (item.searched or started.by_pytest):
        return False
    if any(part.partition(".")[0] == item.module for path in task.present for part in path.split("/")):
        return False
    texts = [text for _, text in (*task.instructions, *task.solutions)]
    names = {item.module, PACKAGE_OF.get(item.module, item.module)}
    return not any(re.search(rf"(?i)\b{re.escape(name)}\b", text) for name in names for text in texts)


def _started(task: Task) -> Iterator[Started]:
    """The scripts that the image's own Python runs: by `tests/test.sh`, or by SkillEvaluator itself."""
    if task.in_skill and task.grader and task.grader.language == PYTHON:
        yield Started(task.grader, False)
    if task.test_script:
        yield Started(task.test_script, False)
    for run in task.test_script.runs if task.test_script else ():
        script = task.script(run.script) if run.script else None
        if script and script.language == PYTHON and PLAIN_PYTHON.match(run.words[0] or ""):
            yield Started(script, False)
        elif run.is_pytest:
            for helper in task.helpers:
                if any((word or "").partition("::")[0].endswith(helper.at.name) for word in run.words):
                    yield Started(helper, True)


def _may_install(script: Grader) -> bool:
    """Whether something that the script starts may bring a package."""
    return any(not _brings_nothing(run) for run in script.runs)


def _brings_nothing(run: Run) -> bool:
    program = (run.words[0] or "") if run.words else ""
    if OTHER_PYTHON & {*run.environment, *(run.words[1:] if program == "export" else ())}:
        return False
    if PLAIN_PYTHON.match(program):
        known = run.script is not None or run.inline or run.is_pytest
        return known and not any("pip" in (word or "pip") for word in run.words[1:])
    if program in SHELLS:
        return run.inline or (run.script or "").startswith("/tests/")
    return PLAIN_PYTEST.match(program) is not None or program.rpartition("/")[2] in BRINGS_NOTHING
