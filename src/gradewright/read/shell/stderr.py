"""Commands whose error messages end up in the reward file."""

from collections.abc import Sequence
from typing import Any

from gradewright.contract import REWARD_FILES
from gradewright.model import STDERR_IN_REWARD, Sign
from gradewright.read.shell.state import MAX_FACTS, Shell
from gradewright.read.shell.trail import Origin
from gradewright.read.shell.words import value

QUIET = frozenset({"echo", "printf", "true", ":", "[", "test", "exit", "return", "set", "local", "export"})
"""Built in, and without a word on standard error when used as they are in tests."""

BOTH = frozenset({"&>", "&>>"})
OUTPUT = frozenset({">", ">>", ">|"})
MAX_NODES = 500


def note_stderr(shell: Shell, statement: Any, redirects: Sequence[Any]) -> None:
    """Put down that `statement` sends its errors where its redirections send a reward."""
    target = _target(shell, redirects) if len(redirects) else None
    if target is None or statement is None or shell.resolve(value(shell, target)) not in REWARD_FILES:
        return
    program = _talkative(shell, statement)
    if program and len(shell.signs) < MAX_FACTS:
        shell.signs.setdefault(Sign(STDERR_IN_REWARD, shell.source.location(target), program))


def note_mixed(shell: Shell, statement: Any, redirects: Sequence[Any], *, piped: bool = False) -> None:
    """Put down, on one way, that what `statement` prints has its errors in it: `2>&1` or, if `piped`, `|&`."""
    own = [redirect for redirect in redirects if redirect.type == "file_redirect"]
    texts = ["".join(shell.source.text(redirect).split()) for redirect in own]
    if statement is not None and (texts == ["2>&1"] or (piped and not texts)):
        program = _talkative(shell, statement)
        if program:
            shell.trail.flow.add(Origin(STDERR_IN_REWARD, program, shell.source.location(statement)))


def _target(shell: Shell, redirects: Sequence[Any]) -> Any:
    """The file that gets standard error together with the output; None if there is none."""
    output: Any = None
    errors: Any = None
    for redirect in redirects:
        if redirect.type != "file_redirect":
            continue
        children = redirect.children
        has_descriptor = children[0].type == "file_descriptor"
        descriptor = shell.source.text(children[0]) if has_descriptor else "1"
        operator, target = children[1 if has_descriptor else 0].type, children[-1]
        if not target.is_named:
            continue
        word = shell.source.text(target)
        if operator in BOTH or (operator == ">&" and not has_descriptor and not word.isdigit() and word != "-"):
            output = errors = target
        elif operator == ">&" and descriptor == "2":
            errors = output if word == "1" else None
        elif operator in OUTPUT and descriptor == "2":
            errors = target
        elif operator in OUTPUT and descriptor == "1":
            output = target
    return errors if errors is output else None


def _talkative(shell: Shell, statement: Any) -> str:
    """The first command of `statement` that may complain, if no redirection of its own takes care of that."""
    pending = [statement]
    for _ in range(MAX_NODES):
        if not pending:
            break
        node = pending.pop()
        if node.type == "command":
            name = shell.source.text(node.children[0])
            reads_text = name == "cat" and node.named_child_count == 1
            if name not in QUIET and not reads_text and name not in shell.functions:
                return name
        elif node.type == "redirected_statement" and any(_is_own(shell, child) for child in node.named_children):
            continue
        elif node.type not in ("heredoc_body", "function_definition"):
            pending += reversed(node.named_children)
    return ""


def _is_own(shell: Shell, redirect: Any) -> bool:
    """Whether a redirection takes standard error elsewhere."""
    text = shell.source.text(redirect) if redirect.type == "file_redirect" else ""
    return text.startswith(("2>", "&>"))
