"""An assertion seems to stand in the prompt word for word.

## Why is this bad?
An agent that is told what will be checked can meet the check without the skill, so that the assertion tells nothing
about it.

This is a lead, not a proof. Only sentences and precise values count, and texts in quotes that the agent is to write as
they stand do not.

## How to fix it
Ask in the prompt for the result as a user would, and let the assertion look at what a good result has to show.

## When to ignore it
When the assertion is about a demand that the prompt has to make, such as a format.

## Example
```json
{
  "prompt": "Summarise the incident. The summary names the expired certificate as root cause.",
  "assertions": ["The summary names the expired certificate as root cause"]
}
```
"""

from collections.abc import Iterator
from typing import Any

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case, quoted
from gradewright.model.giveaway import given_away, plain

RULE = Rule("DS210", "assertion-in-prompt", Severity.WARNING, Case)
MAX_ASSERTIONS = 100


def check(case: Case) -> Iterator[Finding]:
    if not isinstance(case.prompt, str) or not isinstance(case.assertions, list):
        return
    prompt = plain(case.prompt)
    for number, assertion in enumerate(case.assertions[:MAX_ASSERTIONS]):
        passage = given_away(_text(assertion), prompt)
        if passage:
            yield RULE.at(
                case.assertions_at.within(number),
                f"this assertion of {case.label} stands in its prompt: {quoted(passage)}",
                hint="take it out of the prompt, or check something that the prompt does not say",
                related=[case.prompt_at],
            )


def _text(assertion: Any) -> Any:
    """What an assertion says; a pattern or a phrase that is looked for says nothing by itself."""
    if isinstance(assertion, dict):
        return assertion.get("text", assertion.get("description"))
    return assertion
