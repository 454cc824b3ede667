"""SkillEvaluator replaces a test script that does more than start the grader.

## Why is this bad?
Where `tests/grader.py` or `tests/grader.sh` stands beside it, SkillEvaluator puts a script of its own in place of
`tests/test.sh`, whatever the grading mode. Everything else that the author's script does is lost: preparations, other
checks, arguments and variables for the grader. Plain Harbor and SkillEvaluator then give different scores.

## How to fix it
Move it into the grader, or into the image when it prepares something.

## When to ignore it
When the script makes up for what only plain Harbor lacks.

## Example
```sh
pip install pandas==2.2.3
python3 /tests/grader.py --harbor
```
Under SkillEvaluator the grader runs without pandas.
"""

from collections.abc import Iterator

from gradewright.contract import ENVIRONMENT
from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.model import Grader, Run, Task, quoted

RULE = Rule("GR153", "test-script-replaced", Severity.WARNING, Task, targets=frozenset({"skillevaluator"}))
HOUSEKEEPING = frozenset(
    {
        ":", "[", "[[", "cat", "cd", "chmod", "cp", "date", "dirname", "echo", "exit", "false", "ls", "mkdir", "mv",
        "printf", "pwd", "return", "rm", "set", "shopt", "sleep", "sync", "tee", "test", "touch", "trap", "true",
        "umask",
    }
)  # fmt: skip
"""Commands that matter only by the files they write."""
FILTERS = frozenset({"awk", "jq", "sed"})
"""After the grader, these bring its reward into plain Harbor's shape."""

NEUTRAL_VARIABLES = frozenset(
    {"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "LC_ALL", "LANG", "PYTHONIOENCODING", *ENVIRONMENT}
)
"""Variables without weight, and the ones that SkillEvaluator has values of its own for."""


def check(task: Task) -> Iterator[Finding]:
    test, grader = task.test_script, task.grader
    if not (task.in_skill and test and grader) or task.steps:
        return
    lost = sorted({*_lost_runs(test, task), *_lost_files(test)})
    if lost:
        name = grader.at.name
        at, what = lost[0]
        more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        message = f"SkillEvaluator replaces this script because of `tests/{name}`: {what}{more} will be missing"
        yield RULE.at(at, message, hint=f"move it into `{name}`, or into the image", related=[grader.at])


def _lost_runs(test: Grader, task: Task) -> Iterator[tuple[Location, str]]:
    started = [run.at.line for run in test.runs if run.script and task.script(run.script) is task.grader]
    for run in test.runs:
        shown = " ".join(word or "..." for word in run.words[:4])
        if run.at.line in started and run.script:
            if _is_special(run):
                yield run.at, quoted(shown)
        elif run.words[0] == "export":
            if not NEUTRAL_VARIABLES.issuperset(word or "" for word in run.words[1:]):
                yield run.at, quoted(shown)
        elif run.words[0] not in HOUSEKEEPING and not (started and run.at.line > started[0] and _is_filter(run)):
            yield run.at, quoted(shown)


def _is_filter(run: Run) -> bool:
    return run.inline or (run.words[0] in FILTERS and not run.script)


def _is_special(run: Run) -> bool:
    """Whether the grader is started with values or variables that SkillEvaluator does not give it.

    Switches are left alone: most likely one of them asks for plain Harbor's shape, as `--harbor` does.
    """
    arguments = run.words[run.words.index(run.script) + 1 :] if run.script in run.words else ()
    values = [word for word in arguments if word and (not word.startswith("-") or "=" in word)]
    return bool(values) or not NEUTRAL_VARIABLES.issuperset(run.environment)


def _lost_files(test: Grader) -> Iterator[tuple[Location, str]]:
    for write in test.writes:
        if write.path and not write.path.startswith(("/logs", "/tmp")):  # noqa: S108
            yield write.at, quoted(write.path)
