"""A digest in `dataset.toml` is none.

## Why is this bad?
A digest is `sha256:` and 64 hexadecimal digits. With anything else the task cannot be fetched from a registry, and
nothing proves that it is the one that was meant.

## How to fix it
Write the digest that Harbor prints when the task is published, or delete the key.

## When to ignore it
When the dataset is only run from its folder.

## Example
```toml
[[tasks]]
name = "acme/quotes"
digest = "latest"
```
"""

import re
from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Manifest, quoted

RULE = Rule("DM012", "malformed-digest", Severity.WARNING, Manifest)


def check(manifest: Manifest) -> Iterator[Finding]:
    for task in manifest.tasks:
        if task.digest is None or (isinstance(task.digest, str) and re.fullmatch(r"sha256:[0-9a-f]{64}", task.digest)):
            continue
        message = f"the digest {quoted(task.digest)} is not `sha256:` and 64 hexadecimal digits"
        yield RULE.at(task.at.within("digest"), message, hint="write the digest of the published task, or delete it")
