"""The grader imports or executes code from where the agent works.

## Why is this bad?
The agent's code then runs inside the grader, with everything the grader may do: it can write the reward, replace the
functions that check it, or end the process. A file named like a library (`json.py`) is enough where the folder comes
first on the path.

## How to fix it
Run the agent's code in a process of its own (`subprocess.run([sys.executable, "/workspace/tool.py"])`), and check what
it prints or writes.

## When to ignore it
When the module under test has to be imported and the grader can do without protection from the agent. Test modules that
pytest runs are not looked at.

## Example
```python
sys.path.insert(0, "/workspace")
import tool
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import AGENT_IMPORT, Grader, quoted

RULE = Rule("GR311", "workspace-import", Severity.WARNING, Grader)


def check(grader: Grader) -> Iterator[Finding]:
    for sign in grader.signs:
        if sign.what == AGENT_IMPORT:
            yield RULE.at(
                sign,
                f"code from {quoted(sign.detail)} runs inside the grader, and can rewrite the score",
                hint="run the agent's code in a process of its own, and check what comes out",
            )
