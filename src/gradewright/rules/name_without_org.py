"""A name in `dataset.toml` is not of the form `org/name`.

## Why is this bad?
Harbor's registry commands need it. Local runs do not look at it.

## How to fix it
Put the name of your organisation and a slash in front.

## When to ignore it
When the dataset is never published.

## Example
```toml
[dataset]
name = "csv2json" # acme/csv2json
```
"""

from collections.abc import Iterator

from gradewright.contract import ORG_NAME
from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Manifest, quoted

RULE = Rule("DM013", "name-without-org", Severity.NOTE, Manifest, targets=frozenset({"harbor"}))


def check(manifest: Manifest) -> Iterator[Finding]:
    hint = "write `org/name`"
    at = manifest.at.within("dataset", "name")
    if manifest.name is not None and not _is_full(manifest.name):
        yield RULE.at(at, f"the name of the dataset, {quoted(manifest.name)}, is not `org/name`", hint=hint)
    elif manifest.name is None and manifest.readable:
        yield RULE.at(at, "the dataset has no name", hint=hint)
    for task in manifest.tasks:
        if task.name is not None and not _is_full(task.name):
            message = f"the name of the task, {quoted(task.name)}, is not `org/name`"
            yield RULE.at(task.at.within("name"), message, hint=hint)


def _is_full(name: object) -> bool:
    return isinstance(name, str) and ORG_NAME.match(name) is not None
