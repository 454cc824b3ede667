"""The grading mode is spelt in the old way.

## Why is this bad?
`aces_default` and `aces_plus_custom` still work. Readers and newer tools know the modes as `default` and
`default_plus_custom`.

## How to fix it
Write the new name.

## When to ignore it
When a platform that knows only the old names reads the configuration too.

## Example
```yaml
grading:
  mode: aces_plus_custom
```
"""

from collections.abc import Iterator

from gradewright.contract import grading_mode
from gradewright.finding import Finding, Fix, Rule, SetText, Severity
from gradewright.model import Policy

RULE = Rule("CF106", "legacy-mode-spelling", Severity.NOTE, Policy, targets=frozenset({"skillevaluator"}))


def check(policy: Policy) -> Iterator[Finding]:
    mode = grading_mode(policy.mode)
    if mode is not None and mode != policy.mode:
        at = policy.at.within("grading", "mode")
        fix = Fix(f"write `{mode}`", True, SetText(at, mode))
        yield RULE.at(at, f"`{policy.mode}` is an old name of `{mode}`", hint=f"write `{mode}`", fix=fix)
