"""A prompt is not text.

## Why is this bad?
A prompt is given to the agent as it is. YAML reads `yes` as true and `12.50` as a number, and a list or a mapping is
not what a user types.

## How to fix it
Put the prompt in quotes, or write it as one text.

## When to ignore it
When your own tools turn the value into the text that was meant.

## Example
```yaml
evals:
  - id: case-001
    prompt: 12.50
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case, type_name

RULE = Rule("DS207", "non-text-prompt", Severity.WARNING, Case)


def check(case: Case) -> Iterator[Finding]:
    if case.prompt is not None and not isinstance(case.prompt, str):
        message = f"the prompt of {case.label} is {type_name(case.prompt)}, not text"
        yield RULE.at(case.prompt_at, message, hint="write it as one text, in quotes")
