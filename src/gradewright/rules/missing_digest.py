"""A task in `dataset.toml` has no digest.

## Why is this bad?
Harbor's registry takes a task by its name and the digest of its content. Without one the dataset cannot be published.
`harbor run -p DIR` and SkillEvaluator do without.

## How to fix it
Write the digest that Harbor prints when the task is published.

## When to ignore it
When the dataset is never published.

## Example
```toml
[[tasks]]
name = "org/case-001"
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Manifest, quoted

RULE = Rule("DM016", "missing-digest", Severity.NOTE, Manifest, targets=frozenset({"harbor"}))


def check(manifest: Manifest) -> Iterator[Finding]:
    lacking = [task for task in manifest.tasks if task.digest is None and task.name is not None]
    if lacking:
        more = f" (and {len(lacking) - 1} more)" if len(lacking) > 1 else ""
        message = f"the task {quoted(lacking[0].name)}{more} has no digest"
        yield RULE.at(lacking[0], message, hint="add `digest` once the task is published")
