"""Follow the commands of a shell script and put down what they run."""

import re
from typing import Any

from gradewright.model import Gap, Run
from gradewright.read.shell.effects import EFFECTS
from gradewright.read.shell.isolation import export, look_at
from gradewright.read.shell.origin import after, before
from gradewright.read.shell.programs import CHECKS, PRINTING, RUNNERS, SILENT, WRAPPERS
from gradewright.read.shell.start import started
from gradewright.read.shell.state import (
    ALIVE,
    EXITED,
    HOLE,
    MAX_FACTS,
    NOTHING,
    Call,
    Outputs,
    Shell,
    may_be_reward,
)
from gradewright.read.shell.words import value

NOT_READING = SILENT - CHECKS | {"cd", "dirname", "basename", "echo", "printf", "tee", "realpath"}
"""Programs whose arguments are no files that they read."""

KNOWN = SILENT | PRINTING | EFFECTS.keys()
MAX_GAPS = 20

COUNTS = re.compile(r"-[a-zA-Z]*c|--count\Z")
"""The option of a search that prints 0, and fails, where it finds nothing."""

OWN_PYTHON = "VIRTUAL_ENV"
"""What runners such as `uv run` set for what they start, as it has packages of its own."""

ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z_0-9]*=")


def call(shell: Shell, command: Call) -> Outputs:
    """Follow one command; gives what it may print."""
    ends_script = command.values[0] == "exec" and len(command.values) > 1
    command = _unwrapped(command)
    if not command.values:
        return NOTHING
    name = command.values[0]
    if name in shell.functions:
        return _inlined(shell, command)
    printed = _effect(shell, command, name)
    if ends_script:
        shell.ended = EXITED
    return printed


def _effect(shell: Shell, command: Call, name: str) -> Outputs:
    program = name.rsplit("/", 1)[-1]
    if program not in NOT_READING:
        shell.reads.update((word, None) for word in command.values[1:] if word.startswith("/") and HOLE not in word)
    if shell.trail is not None:
        return _on_way(shell, command, program)
    look_at(shell, command, program)
    what, printed = started(shell, command, program)
    _note_run(shell, command, what, known=program in KNOWN)
    return printed


def _on_way(shell: Shell, command: Call, program: str) -> Outputs:
    """Follow a command on one way through the script."""
    was_opaque, shell.opaque = shell.opaque, False
    before(shell, command, program)
    (script, inline), printed = started(shell, command, program)
    after(shell, command, program, script, inline=inline)
    shell.opaque = was_opaque
    return printed


def _note_run(shell: Shell, command: Call, what: tuple[str | None, bool], *, known: bool) -> None:
    """Put down that a command runs, and whether its failure would end the script without a reward."""
    words = tuple(None if HOLE in word else word for word in command.values)
    run = Run(
        words, command.at, what[0], command.environment, what[1], shell.conditional, shell.optional, shell.asked > 0
    )
    if len(shell.runs) < MAX_FACTS:
        shell.runs.append(run)
    is_check = what[0] or words[0] in CHECKS or run.is_pytest
    if is_check or (shell.status_read and not known):
        _note_gap(shell, run)


def note_check(shell: Shell, words: tuple[str, ...], node: Any) -> None:
    """Put down a `[ ... ]` or `[[ ... ]]` that stands as a command of its own."""
    _note_gap(shell, Run(words, shell.source.location(node)))


def _note_gap(shell: Shell, run: Run) -> None:
    if not shell.errexit or shell.guard or len(shell.gaps) >= MAX_GAPS:
        return
    is_count = run.words[0] in ("grep", "egrep", "rg") and any(COUNTS.match(word or "") for word in run.words[1:])
    if not any(map(may_be_reward, shell.writes)):
        shell.gaps.append((Gap(run, shell.status_read or is_count, False, run.at), len(shell.writes)))


def _unwrapped(command: Call) -> Call:
    """Leave out programs such as `timeout 60` that only start another."""
    for _ in range(6):
        name = command.values[0].rsplit("/", 1)[-1] if command.values else ""
        skip = _skipped(command.values, name)
        if skip is None:
            return command
        count, positional = skip
        if name not in WRAPPERS and name != "coverage":
            command = command._replace(environment=(*command.environment, OWN_PYTHON))
        while count < len(command.values) and ASSIGNMENT.match(command.values[count]) and name in ("env", "sudo"):
            variable, _, text = command.values[count].partition("=")
            command = command._replace(
                environment=(*command.environment, variable), assigned=(*command.assigned, (variable, text))
            )
            count += 1
        command = command.after(count + positional)
    return command


def _skipped(values: list[str], name: str) -> tuple[int, int] | None:
    """How many words stand before the command that a wrapper starts; None if `name` is no wrapper."""
    if name in WRAPPERS:
        if len(values) == 1 or (name == "command" and values[1] in ("-v", "-V")):
            return None
        options, positional = WRAPPERS[name]
        count = 1
    elif len(values) > 2 and (name, values[1]) in RUNNERS:
        options, positional, count = RUNNERS[name, values[1]], 0, 2
    else:
        return None
    while count < len(values) and values[count].startswith("-"):
        if values[count] in ("--module", "-m") and name != "env":
            return None
        count += 2 if values[count] in options else 1
    return count, positional


def _inlined(shell: Shell, command: Call) -> Outputs:
    """Follow a call of one of the script's own functions."""
    source, node = shell.functions[command.values[0]]
    kept = shell.source, shell.positional, shell.locals
    shell.source, shell.positional, shell.locals = source, command.values[1:], {}
    given = shell.trail.enter() if shell.trail is not None else None
    body = next((child for child in reversed(node.children) if not child.type.endswith("_redirect")), None)
    shell.opaque = shell.opaque or node.children[-1].type.endswith("_redirect")
    printed = shell.run(shell, body) if body is not None else NOTHING
    for name, old in shell.locals.items():
        if old is None:
            shell.variables.pop(name, None)
        else:
            shell.variables[name] = old
    shell.source, shell.positional, shell.locals = kept
    if given is not None:
        shell.trail.leave(given)
    if shell.ended != EXITED:
        shell.ended = ALIVE
    return printed


def assign(shell: Shell, node: Any) -> Outputs:
    """`NAME=value`; an element of an array or an addition makes the whole variable unknown."""
    if shell.trail is None:
        return _assign(shell, node)
    outer, shell.trail.flow = shell.trail.flow, set()
    _assign(shell, node)
    name = shell.source.text(node.children[0]).split("[")[0]
    shell.trail.origins[name] = frozenset(shell.trail.flow)
    shell.trail.flow = outer
    return NOTHING


def _assign(shell: Shell, node: Any) -> Outputs:
    children = node.children
    name = shell.source.text(children[0])
    if len(children) < 3:
        shell.variables[name] = ""
    elif children[0].type != "variable_name" or children[1].type != "=" or children[2].type == "array":
        for child in children[2:]:
            value(shell, child) if child.type != "array" else [value(shell, item) for item in child.named_children]
        shell.variables[name.split("[")[0]] = HOLE
    else:
        shell.variables[name] = value(shell, children[2])
    return NOTHING


def declare(shell: Shell, node: Any) -> Outputs:
    """`export`, `local`, `declare`, `readonly`, `typeset`."""
    keyword = node.children[0].type
    names = []
    for child in node.named_children:
        is_assignment = child.type == "variable_assignment"
        name = shell.source.text(child.children[0] if is_assignment else child)
        names.append(name)
        if keyword != "export" and shell.positional is not None:
            shell.locals.setdefault(name, shell.variables.get(name))
        if is_assignment:
            shell.guard += 1
            assign(shell, child)
            shell.guard -= 1
    options = "".join(shell.source.text(child) for child in node.named_children if child.text[:1] == b"-")
    if keyword == "export" or "x" in options:
        at = shell.source.location(node)
        export(shell, names, at)
        shell.runs.append(Run((keyword, *names), at, conditional=shell.conditional))
    return NOTHING
