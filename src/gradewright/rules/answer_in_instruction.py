"""The instruction of a task seems to hold its answer.

## Why is this bad?
An agent that is told the answer can pass without doing the work, so that the score tells nothing.

This is a lead, not a proof. Compared are the `expected_output` of the dataset entry that a case belongs to, the texts
that `solution/solve.sh` writes as they stand, and files such as `solution/answer.txt`. Only sentences and precise
values count; names of files and formats do not, nor does a text in quotes or in a code block that the agent is to write
as it stands.

## How to fix it
Take the answer out of the instruction.

## When to ignore it
When the agent is to write this very text, or has to find it among others.

## Example
```markdown
Find out which supplier was paid twice and write its name to /app/answer.txt.
Northwind Traders Ltd was paid twice in March.
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Task, quoted
from gradewright.model.giveaway import given_away, line_of, plain

RULE = Rule("TK104", "answer-in-instruction", Severity.WARNING, Task)


def check(task: Task) -> Iterator[Finding]:
    for path, text in task.instructions if task.answers else ():
        shown = plain(text)
        found = ((answer, given_away(answer.text, shown)) for answer in task.answers)
        answer, passage = next((pair for pair in found if pair[1]), (None, ""))
        if answer:
            yield RULE.at(
                Location(path, line_of(passage, text), 1),
                f"the instruction may give the answer away: {quoted(passage)}",
                hint="take it out of the instruction",
                related=[answer.at],
            )
