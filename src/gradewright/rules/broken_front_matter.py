"""The head of SKILL.md cannot be read.

## Why is this bad?
The name and the description of a skill stand between two lines `---` at the very top of SKILL.md. An agent that cannot
read them may not load the skill, and the arm of an evaluation that should have it runs without it. Readers differ: some
take what others refuse, so this is a warning.

## How to fix it
Begin the file with a line `---`, write YAML, and close it with a second line `---`. Put a value that holds `: ` or
starts with a special character in quotes.

## When to ignore it
When every agent that is evaluated is known to load the skill as it is.

## Example

```yaml
---
name: csv2json
description: "Converts tables: CSV becomes JSON."
---
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import BOM, DUPLICATE_KEY, MISSING_KEY, NOT_CLOSED, SYNTAX, WRONG_TYPE, Problem, quoted

RULE = Rule("SK002", "broken-front-matter", Severity.WARNING, Problem)


def check(problem: Problem) -> Iterator[Finding]:
    if problem.role != "skill":
        return
    if problem.kind == MISSING_KEY:
        yield RULE.at(
            problem, "there is no front matter", hint="begin the file with a line `---`, a name and a description"
        )
    elif problem.kind == NOT_CLOSED:
        yield RULE.at(problem, "the front matter is not closed", hint="end it with a line that is exactly `---`")
    elif problem.kind == WRONG_TYPE:
        message = f"the front matter is {problem.detail}, not a mapping"
        yield RULE.at(problem, message, hint="write `name: ...` and `description: ...` on lines of their own")
    elif problem.kind == SYNTAX:
        yield RULE.at(problem, f"the front matter is not valid YAML: {problem.detail}", hint=problem.cure)
    elif problem.kind == DUPLICATE_KEY:
        message = f"the front matter has {quoted(problem.subject)} twice, and the last one counts"
        yield RULE.at(problem, message, hint="keep one of them")
    elif problem.kind == BOM:
        message = "a byte order mark before the front matter hides it from parsers that look for `---`"
        yield RULE.at(problem, message, hint="save the file as UTF-8 without BOM")
