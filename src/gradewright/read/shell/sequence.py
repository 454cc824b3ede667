"""One statement after another on one way through a shell script, and the exit status that each leaves."""

from collections.abc import Sequence
from typing import Any

from gradewright.read.shell.state import EXITED, NOTHING, Outputs, Shell, joined
from gradewright.read.shell.trail import SUCCESS, Trail

FAILING = frozenset({
    "command", "list", "pipeline", "redirected_statement", "subshell", "variable_assignment", "test_command",
    "compound_statement",
})  # fmt: skip


def status_of(shell: Shell) -> str:
    """The exit status of the last command."""
    return shell.variables.get("?", SUCCESS)


def leave_status(shell: Shell, status: str) -> None:
    shell.variables["?"] = status


def succeeded(shell: Shell, node: Any) -> bool:
    trail: Trail = shell.trail
    return trail.is_success(status_of(shell), shell.source.location(node))


def sequence(shell: Shell, statements: Sequence[Any]) -> Outputs:
    printed = NOTHING
    for statement in statements:
        if shell.ended:
            break
        shell.trail.exempt = False
        printed = joined(printed, shell.run(shell, statement))
        _errexit(shell, statement)
    return printed


def _errexit(shell: Shell, statement: Any) -> None:
    """End the script behind a command that has failed, where the shell does so."""
    trail: Trail = shell.trail
    if not shell.errexit or shell.guard or shell.ended or trail.exempt or statement.type not in FAILING:
        return
    status = status_of(shell)
    if not trail.is_success(status, shell.source.location(statement)):
        trail.failed_at = trail.question_of(status)
        shell.ended = EXITED


def guarded(shell: Shell, statements: Sequence[Any]) -> Outputs:
    shell.guard += 1
    try:
        return sequence(shell, statements)
    finally:
        shell.guard -= 1
