"""The expected output of an entry seems to stand in its prompt.

## Why is this bad?
An agent that is told the answer shows nothing about the skill: the runs with and without it score the same.

This is a lead, not a proof. Only sentences and precise values count; names of files and formats do not, nor does a text
in quotes that the agent is to write as it stands.

## How to fix it
Leave in the prompt what a user would ask for, and move the answer to `expected_output` and the assertions alone.

## When to ignore it
When the agent is to repeat the text, or has to find it among others in the prompt.

## Example
```json
{
  "prompt": "Sum the amounts in input/data.csv. The total of the amounts is 1482.75; write it to total.txt.",
  "expected_output": "The total of the amounts is 1482.75"
}
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import Case, quoted
from gradewright.model.giveaway import given_away, plain

RULE = Rule("DS209", "answer-in-prompt", Severity.WARNING, Case)


def check(case: Case) -> Iterator[Finding]:
    if not isinstance(case.prompt, str):
        return
    passage = given_away(case.expected_output, plain(case.prompt))
    if passage:
        yield RULE.at(
            case.prompt_at,
            f"the prompt of {case.label} may give its answer away: {quoted(passage)}",
            hint="take the expected output out of the prompt",
            related=[case.expected_output_at],
        )
