"""Test runners that a Python script starts among the agent's files."""

from collections.abc import Iterable, Iterator

from gradewright.model import AGENT_CONFIGURATION, SHADOWED_RUNNER, Run, Sign
from gradewright.read.runner import agents_folder, discovery_folder, is_agents, is_shadowed, pytest_start

SHELLS = frozenset({"bash", "sh"})
OF_RUNNERS = frozenset({AGENT_CONFIGURATION, SHADOWED_RUNNER})


def isolation_of(runs: Iterable[Run]) -> Iterator[Sign]:
    """The signs of the test runners among `runs`."""
    for run in runs:
        if len(run.words) == 3 and run.words[0] in SHELLS and run.words[1] == "-c" and run.words[2]:
            yield from _of_shell(run, run.words[2])
        elif pytest_start(run.words) is not None or "unittest" in run.words:
            yield from _of_runner(run)


def _of_runner(run: Run) -> Iterator[Sign]:
    folder = agents_folder(run.words, run.cwd) or discovery_folder(run.words, run.cwd)
    if folder is not None and folder != ".":
        yield Sign(AGENT_CONFIGURATION, run.at, folder, not run.conditional)
    elif folder is None and "pytest" in run.words and run.cwd is not None and is_agents(run.cwd):
        words = ("python", *run.words[1:]) if run.words[0] is None else run.words
        if is_shadowed(words):
            yield Sign(SHADOWED_RUNNER, run.at, f"{words[0]} -m pytest", not run.conditional)


def _of_shell(run: Run, code: str) -> Iterator[Sign]:
    """The same for a command line that is left to a shell."""
    if "pytest" not in code and "unittest" not in code:
        return
    from gradewright.read.files import Text
    from gradewright.read.shell.facts import shell_facts

    path = run.at.path
    for sign in shell_facts(Text(path, code, code.encode("utf-8", "replace")), role="helper", native=True).signs:
        if sign.what in OF_RUNNERS and (run.cwd is None or sign.detail != "."):
            yield sign._replace(at=run.at)
