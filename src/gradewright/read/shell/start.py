"""What a command starts: another script, code given on the spot, or a program that is known."""

import re

from gradewright.read.shell import inline
from gradewright.read.shell.effects import EFFECTS
from gradewright.read.shell.programs import (
    DOING,
    HARMLESS_SOURCES,
    MAY_WRITE,
    PRINTING,
    PYTEST,
    PYTHON_TOOLS,
    PYTHON_VALUES,
    SHELLS,
    SILENT,
    TALKING,
    TOOL_VERBS,
)
from gradewright.read.shell.state import ANYTHING, HOLE, NOTHING, Call, Outputs, Shell, only

PYTHON = re.compile(r"(python|pypy)(\d+(\.\d+)?)?\Z")

Started = tuple[tuple[str | None, bool], Outputs]
"""The script that a command starts, whether it is given code on the spot, and what it prints."""


def started(shell: Shell, command: Call, program: str) -> Started:
    """What a command starts (a script, or code given on the spot), and what it prints."""
    if program in SHELLS:
        return _start_shell(shell, command)
    if PYTHON.match(program) or (program in ("uv", "coverage") and "-m" in command.values[1:3]):
        return _start_python(shell, command)
    if program in PYTEST or (program in ("uvx", "pipx") and "pytest" in command.values):
        shell.opaque = shell.opaque or not shell.is_test
        return (None, False), ANYTHING
    if program in ("source", "."):
        return (_source(shell, command), False), NOTHING
    effect = EFFECTS.get(program)
    if effect:
        return (None, False), effect(shell, command)
    if program in SILENT or program in PRINTING:
        shell.opaque = shell.opaque or (program in MAY_WRITE and _names_reward(shell, command))
        return (None, False), NOTHING if _is_silent(program, command.values) else ANYTHING
    verbs = TOOL_VERBS.get(program)
    if verbs and len(command.values) > 1 and command.values[1] in verbs:
        return (None, False), ANYTHING
    if "/" in command.values[0]:
        return (_script(shell, command.values[0]), False), ANYTHING
    shell.opaque = True
    return (None, False), ANYTHING


def _is_silent(program: str, values: list[str]) -> bool:
    """Whether a program prints nothing that matters: `git rev-list` answers, `git checkout` does not."""
    return program in SILENT and (program not in TALKING or not DOING.isdisjoint(values[1:]))


def _names_reward(shell: Shell, command: Call) -> bool:
    return shell.cwd.startswith("/logs") or any("reward" in word or "/logs" in word for word in command.values[1:])


def _script(shell: Shell, word: str) -> str | None:
    """The script file that `word` names. Only a test script's own scripts can be followed, by a rule that has them."""
    path = shell.resolve(word)
    if HOLE in path or not path.startswith("/") or not shell.is_test:
        shell.opaque = True
    return path if HOLE not in path else None


def _start_shell(shell: Shell, command: Call) -> Started:
    for index, word in enumerate(command.values[1:], 1):
        if (
            word.startswith("-")
            and not word.startswith("--")
            and word.endswith("c")
            and index + 1 < len(command.values)
        ):
            return (None, True), inline.shell_code(shell, command.nodes[index + 1], command.values[index + 1])
        if not word.startswith(("-", "+")) and command.values[index - 1] not in ("-o", "+o", "-O"):
            return (_script(shell, word), False), ANYTHING
    shell.opaque = True
    return (None, True), ANYTHING


def _start_python(shell: Shell, command: Call) -> Started:
    values = command.values
    index = 1
    while index < len(values) and values[index].startswith("-") and values[index] != "-":
        word = values[index]
        if not word.startswith("--") and "c" in word and index + 1 < len(values):
            inline.python_code(shell, command.nodes[index + 1], values[index + 1], quoted=True)
            return (None, True), ANYTHING
        if not word.startswith("--") and "m" in word:
            return (None, False), _start_module(shell, values[index + 1 : index + 2])
        if word in ("-V", "--version"):
            return (None, False), ANYTHING
        index += 2 if word in PYTHON_VALUES else 1
    if index < len(values) and values[index] not in ("-", "/dev/stdin"):
        return (_script(shell, values[index]), False), ANYTHING
    code = command.stdin
    if code and code[0].node is not None and code[0].source is shell.source:
        inline.python_code(shell, code[0].node, only(code), quoted=code[0].node.type != "heredoc_body")
    else:
        shell.opaque = True
    return (None, True), ANYTHING


def _start_module(shell: Shell, names: list[str]) -> Outputs:
    name = names[0] if names else HOLE
    if name in PYTEST or name == "unittest":
        shell.opaque = shell.opaque or not shell.is_test or name == "unittest"
    elif name not in PYTHON_TOOLS:
        shell.opaque = True
    return ANYTHING


def _source(shell: Shell, command: Call) -> str | None:
    word = command.values[1] if len(command.values) > 1 else HOLE
    if word.endswith(HARMLESS_SOURCES):
        return None
    return _script(shell, word)
