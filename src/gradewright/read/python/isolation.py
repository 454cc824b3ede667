"""Test runners that a Python script starts among the agent's files, and tests that are handed paths into them."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from gradewright.finding import Location
from gradewright.model import AGENT_CONFIGURATION, AGENT_PATH, SHADOWED_RUNNER, Run, Sign
from gradewright.read.python.flow import Scope
from gradewright.read.python.objects import Resolver
from gradewright.read.python.sources import agent_path
from gradewright.read.runner import agents_folder, discovery_folder, is_agents, is_shadowed, pytest_start

SHELLS = frozenset({"bash", "sh"})
PYTHON = re.compile(r"(?:.*/)?python[\d.]*")
IMPORT_PATH = "PYTHONPATH"
MAX_DEPTH = 6
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


def import_paths(resolver: Resolver, runs: Iterable[Run], at: Callable[[Any], Location]) -> Iterator[Sign]:
    """A PYTHONPATH into the agent's folder, for tests that the script starts. The agent's own programs may need it."""
    runs = tuple(runs)
    tests = [run for run in runs if pytest_start(run.words) is not None]
    scripts = [run for run in runs if PYTHON.fullmatch(run.words[0] or "") and (run.script or "").startswith("/tests/")]
    if not (tests or scripts) or len(tests) + len(scripts) < len(runs):
        return
    module = resolver.program.module
    for value in _given(module.node):
        path = agent_path(_beginning(value, module).split(":")[0])
        if path:
            yield Sign(AGENT_PATH, at(value), path, bool(scripts))


def _beginning(value: Any, module: Scope, depth: int = 0) -> str:
    """The text that a path begins with, as far as it is spelt out."""
    if depth > MAX_DEPTH:
        return ""
    if isinstance(value, ast.Constant):
        return str(value.value)
    if isinstance(value, ast.Name):
        binds = module.binds.get(value.id, ())
        return _beginning(binds[0].value, module, depth + 1) if len(binds) == 1 else ""
    if isinstance(value, ast.Call):
        inner = value.args[0] if value.args else None
    elif isinstance(value, ast.JoinedStr):
        inner = value.values[0] if value.values else None
    else:
        inner = getattr(value, "left", getattr(value, "value", None))
    return _beginning(inner, module, depth + 1) if inner is not None else ""


def _given(tree: ast.AST) -> Iterator[ast.expr]:
    """What is put under the name: in a dictionary, by an assignment, by a call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            yield from (value for key, value in zip(node.keys, node.values, strict=True) if _is_name(key))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            yield from [node.value] if _is_name(node.targets[0].slice) else []
        elif isinstance(node, ast.Call):
            yield from (word.value for word in node.keywords if word.arg == IMPORT_PATH)
            yield from [node.args[1]] if len(node.args) == 2 and _is_name(node.args[0]) else []


def _is_name(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value == IMPORT_PATH
