"""Where a shell script lets the agent's files take part in grading: settings of test runners, paths of modules."""

import re

from gradewright.contract import SOLUTION_DIR
from gradewright.finding import Location
from gradewright.model import AGENT_CONFIGURATION, AGENT_PATH, READS_SOLUTION, SHADOWED_RUNNER, Sign
from gradewright.read.runner import agents_folder, discovery_folder, is_agents, is_shadowed, pytest_start
from gradewright.read.shell.state import HOLE, Call, Shell

PYTHON = re.compile(r"(?:python|pypy)[\d.]*\Z")
CLEANING = frozenset({"rm", "find", "git", "mv", "cp", "install", "ln", "rsync", "touch", "unlink", "shred"})
HARMLESS = frozenset({
    "[", "cd", "chmod", "chown", "echo", "export", "find", "ls", "mkdir", "printf", "rm", "test", "trap", "tree",
})  # fmt: skip
"""Programs for which the solution need not be there, or that leave it alone."""

SAFE_PATH = frozenset({"PYTHONSAFEPATH"})
IMPORT_PATH = "PYTHONPATH"


def look_at(shell: Shell, command: Call, program: str) -> None:
    """Put down what a command tells about isolation; `program` is its first word without the folder."""
    state = shell.isolation
    if program in CLEANING and any(word.endswith("conftest.py") for word in command.values[1:]):
        state.guarded = True
    if program in CLEANING and "clean" in command.values[1:2]:
        state.guarded = True
    _solution(shell, command, program)
    words = [None if HOLE in word else word for word in command.values]
    is_pytest = pytest_start(words) is not None
    if is_pytest or (PYTHON.match(program) and "unittest" in words):
        _tests(shell, command, words)
    if is_pytest or _runs_tests_script(shell, command, program):
        _import_path(shell, command, is_pytest=is_pytest)


def _solution(shell: Shell, command: Call, program: str) -> None:
    """The reference solution is read, or run."""
    if program in HARMLESS:
        return
    if shell.cwd == SOLUTION_DIR or shell.cwd.startswith(SOLUTION_DIR + "/"):
        _sign(shell, READS_SOLUTION, command.at, shell.cwd)
        return
    operands = command.values[1:-1] if program in ("cp", "mv", "install") else command.values
    for word in operands:
        path = shell.resolve(word) if SOLUTION_DIR[1:] in word else ""
        if path == SOLUTION_DIR or path.startswith(SOLUTION_DIR + "/"):
            _sign(shell, READS_SOLUTION, command.at, path)
            return


def export(shell: Shell, names: list[str], at: Location) -> None:
    """Remember that variables are handed to all commands that follow."""
    for name in names:
        if name in (IMPORT_PATH, *SAFE_PATH):
            shell.isolation.exported[name] = at


def _tests(shell: Shell, command: Call, words: list[str | None]) -> None:
    cwd = None if HOLE in shell.cwd else shell.cwd
    folder = agents_folder(words, cwd) or discovery_folder(words, cwd)
    if folder is not None:
        if not shell.isolation.guarded:
            _sign(shell, AGENT_CONFIGURATION, command.at, folder, certain=folder != ".")
    elif (
        "pytest" in words
        and is_shadowed(words)
        and cwd is not None
        and is_agents(cwd)
        and not _has_safe_path(shell, command)
    ):
        _sign(shell, SHADOWED_RUNNER, command.at, f"{words[0]} -m pytest")


def _has_safe_path(shell: Shell, command: Call) -> bool:
    return bool(SAFE_PATH & {*command.environment, *shell.isolation.exported})


def _runs_tests_script(shell: Shell, command: Call, program: str) -> bool:
    """Whether Python is given a script of the task's tests, or code on the spot."""
    if not PYTHON.match(program):
        return False
    for word in command.values[1:]:
        if word in ("-c", "-"):
            return True
        if not word.startswith("-"):
            return shell.resolve(word).startswith("/tests/")
    return command.stdin is not None


def _import_path(shell: Shell, command: Call, *, is_pytest: bool) -> None:
    """A PYTHONPATH into the agent's folder comes before the libraries. Tests that pytest runs may well need it."""
    text, at = dict(command.assigned).get(IMPORT_PATH), command.at
    if text is None and IMPORT_PATH in shell.isolation.exported:
        text, at = shell.variables.get(IMPORT_PATH, HOLE), shell.isolation.exported[IMPORT_PATH]
    for entry in (text or "").split(":"):
        path = shell.resolve(entry) if entry else ""
        if HOLE not in path and is_agents(path):
            _sign(shell, AGENT_PATH, at, path, certain=not is_pytest)
            return


def _sign(shell: Shell, what: str, at: Location, detail: str, *, certain: bool = True) -> None:
    sign = Sign(what, at, detail, certain and not shell.conditional)
    if len(shell.signs) < 100:
        shell.signs.setdefault(sign)
