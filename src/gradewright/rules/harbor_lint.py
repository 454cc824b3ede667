"""Harbor's own linter has something to say about a task.

## Why is this bad?
With `--with-harbor-lint` the findings of `harbor lint` are part of the report: each with the name that Harbor gives its
rule, and once, in our words where we have a rule of our own for the same fault. A configuration or a file that Harbor
does not take is an error, since the task does not run; what is a matter of care, as an image without a fixed version or
a verifier in the agent's container, is a note; the rest is a warning. A task that could not be checked is a note.

## How to fix it
Do what the finding says. `harbor lint TASK` shows the same finding in Harbor's own form.

## When to ignore it
When Harbor's rule does not suit the task, as `shared-verifier` where the verifier has to see the agent's container.
Turn it off where Harbor turns it off as well, in `task.toml` or in the `dataset.toml` above:

```toml
[metadata.harbor.lint]
ignore = ["shared-verifier"]
```

## Example

```console
$ gradewright validate my-task --with-harbor-lint
my-task/task.toml: HL001 note `shared-verifier`: verifier shares the agent sandbox
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Remark, quoted

RULE = Rule("HL001", "harbor-lint", Severity.ERROR, Remark, targets=frozenset({"harbor"}))

_ERRORS = frozenset({"invalid-task-config", "invalid-task-files"})
_NOTES = frozenset({"", "root-agent", "shared-verifier", "unpinned-image", "unpinned-python-dependency"})


def check(remark: Remark) -> Iterator[Finding]:
    severity = None if remark.rule in _ERRORS else Severity.NOTE if remark.rule in _NOTES else Severity.WARNING
    message = f"{quoted(remark.rule)}: {remark.message}" if remark.rule else remark.message
    yield RULE.at(remark, message, hint=remark.cure, severity=severity)
