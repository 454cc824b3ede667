"""`task.toml` is written for a format that does not exist yet.

## Why is this bad?
Harbor compares versions with nothing: whatever the newer format adds is ignored without a word. SkillEvaluator even
brings an older Harbor of its own.

## How to fix it
Name the newest version that exists, or the one that the task really needs.

## When to ignore it
When you run a newer Harbor than the one that gradewright knows.

## Example
```toml
schema_version = "9.9"
```
"""

from collections.abc import Iterator

from gradewright.contract import TASK_SCHEMA_VERSION
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Task, quoted

RULE = Rule("TK007", "future-schema-version", Severity.WARNING, Task, targets=frozenset({"skillevaluator"}))


def check(task: Task) -> Iterator[Finding]:
    config = task.config or {}
    key = "schema_version" if "schema_version" in config else "version"
    version = config.get(key)
    if isinstance(version, str) and _parts(version) > TASK_SCHEMA_VERSION:
        newest = ".".join(str(part) for part in TASK_SCHEMA_VERSION)
        message = f"`{key}` is {quoted(version)}, and the newest format is `{newest}`"
        yield RULE.at(task.config_at.within(key), message, hint=f"write `{newest}` or older")


def _parts(version: str) -> tuple[int, ...]:
    parts = version.strip().split(".")
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        return ()
    return tuple(int(part) for part in parts)
