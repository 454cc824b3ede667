"""Follow a shell script statement by statement: what is known where, which branches there are, where it ends."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from gradewright.read.shell.branches import branches
from gradewright.read.shell.chain import chain
from gradewright.read.shell.commands import assign, declare, note_check
from gradewright.read.shell.state import (
    ALIVE,
    ANYTHING,
    BROKEN,
    HOLE,
    MAX_DEPTH,
    MAX_STEPS,
    NOTHING,
    Outputs,
    Shell,
    joined,
)
from gradewright.read.shell.words import words_of


def run(shell: Shell, node: Any) -> Outputs:
    """Follow `node`; gives what it may print."""
    shell.steps += 1
    follow = STATEMENTS.get(node.type)
    if follow is None:
        return NOTHING
    if shell.steps > MAX_STEPS or shell.depth > MAX_DEPTH:
        shell.opaque = True
        return ANYTHING
    shell.depth += 1
    try:
        return follow(shell, node)
    finally:
        shell.depth -= 1


def _sequence(shell: Shell, statements: Sequence[Any]) -> Outputs:
    printed = NOTHING
    for index, statement in enumerate(statements):
        if shell.ended:
            break
        if shell.errexit and len(statements) > 1:
            shell.status_read = any(_reads_status(shell, later) for later in statements[index + 1 : index + 2])
        printed = joined(printed, run(shell, statement))
    return printed


def _reads_status(shell: Shell, statement: Any) -> bool:
    line = shell.source.data[statement.start_byte : statement.end_byte].split(b"\n", 1)[0]
    return b"$?" in line or b"PIPESTATUS" in line or b"${?" in line


def _block(shell: Shell, node: Any) -> Outputs:
    return _sequence(shell, node.named_children)


def _broken(shell: Shell, node: Any) -> Outputs:
    shell.opaque = True
    return _sequence(shell, node.named_children)


def _apart(shell: Shell, node: Any) -> Outputs:
    """A subshell: what it sets and where it goes ends with it."""
    kept = shell.variables, shell.cwd, shell.ended, shell.errexit, shell.may_have_ended
    shell.variables = shell.variables.copy()
    try:
        return _sequence(shell, node.named_children)
    finally:
        shell.variables, shell.cwd, shell.ended, shell.errexit, shell.may_have_ended = kept


def _substituted(shell: Shell, node: Any) -> Outputs:
    shell.guard += 1
    try:
        printed = _apart(shell, node)
        return ANYTHING if is_file(node) else printed
    finally:
        shell.guard -= 1


def is_file(node: Any) -> bool:
    """Whether a substitution is `$(< FILE)`, which gives what the file holds."""
    children = node.named_children
    return len(children) == 1 and children[0].type == "file_redirect" and children[0].children[0].type == "<"


def _guarded(shell: Shell, statements: Sequence[Any]) -> Outputs:
    """Follow a condition: errexit does not act in it."""
    shell.guard += 1
    shell.asked += 1
    try:
        return _sequence(shell, statements)
    finally:
        shell.guard -= 1
        shell.asked -= 1


def _if(shell: Shell, node: Any) -> Outputs:
    """An `if`, or an `elif` with what follows it: a condition, a body, and the clauses after that."""
    condition, body, clauses = parts_of(node.children)
    printed = _guarded(shell, condition)
    if shell.ended:
        return printed
    bodies = [partial(_sequence, shell, body)]
    bodies += [partial(_block if clause.type == "else_clause" else _elif, shell, clause) for clause in clauses]
    exhaustive = bool(clauses) and clauses[-1].type == "else_clause"
    return joined(printed, branches(shell, bodies, exhaustive=exhaustive))


def _elif(shell: Shell, node: Any) -> Outputs:
    condition, body, _ = parts_of(node.children)
    return joined(_guarded(shell, condition), _sequence(shell, body))


def parts_of(children: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """The condition, the body and the further clauses of an `if`, an `elif` or a loop."""
    condition: list[Any] = []
    body: list[Any] = []
    clauses: list[Any] = []
    current = condition
    for child in children:
        if child.type in ("then", "do_group"):
            current = body
        if child.type in ("elif_clause", "else_clause"):
            clauses.append(child)
        elif child.is_named:
            current.append(child)
    return condition, body, clauses


def _loop(shell: Shell, node: Any) -> Outputs:
    condition, body, _ = parts_of(node.children)
    if node.type == "for_statement":
        return _repeat(shell, condition, body)
    _guarded(shell, condition)
    return _repeat(shell, [], body)


def _repeat(shell: Shell, words: list[Any], body: list[Any]) -> Outputs:
    if words:
        values = [text for word in words[1:] for text in words_of(shell, word)]
        single = len(values) == 1 and not set(values[0]) & set("*?[" + HOLE)
        shell.variables[shell.source.text(words[0])] = values[0] if single else HOLE
    printed = branches(shell, [partial(_loop_body, shell, body)], exhaustive=False)
    return NOTHING if printed == NOTHING else ANYTHING


def _loop_body(shell: Shell, body: list[Any]) -> Outputs:
    printed = _sequence(shell, body)
    if shell.ended == BROKEN:
        shell.ended = ALIVE
    return printed


def _case(shell: Shell, node: Any) -> Outputs:
    items = [child for child in node.children if child.type == "case_item"]
    exhaustive = any(shell.source.text(item.children[0]).strip() == "*" for item in items)
    bodies = [partial(_case_item, shell, item) for item in items]
    return branches(shell, bodies, exhaustive=exhaustive) if bodies else NOTHING


def _case_item(shell: Shell, item: Any) -> Outputs:
    return _sequence(shell, case_body(item))


def case_body(item: Any) -> list[Any]:
    """The statements behind the patterns of a `case`."""
    children = item.children
    start = next((index for index, child in enumerate(children) if child.type == ")"), len(children))
    return [child for child in children[start + 1 :] if child.is_named]


def _function(shell: Shell, node: Any) -> Outputs:
    children = node.children
    name = next((child for child in children if child.type == "word"), None)
    if name is not None:
        shell.functions[shell.source.text(name)] = shell.source, node
    return NOTHING


def _assignment(shell: Shell, node: Any) -> Outputs:
    """`NAME=value`. The status of `NAME=$(command)` is the command's, so that errexit acts on it."""
    given = node.children[-1]
    if given.type == "string" and len(given.named_children) == 1:
        given = given.named_children[0]
    bare = given.type == "command_substitution" and len(given.named_children) == 1
    shell.guard -= bare
    try:
        return assign(shell, node)
    finally:
        shell.guard += bare


def _negated(shell: Shell, node: Any) -> Outputs:
    return _guarded(shell, node.named_children)


def _test(shell: Shell, node: Any) -> Outputs:
    for child in node.named_children:
        _substitutions(shell, child, 0)
    note_check(shell, (shell.source.text(node.children[0]),), node)
    return NOTHING


def _substitutions(shell: Shell, node: Any, depth: int) -> None:
    if node.type == "command_substitution":
        run(shell, node)
    elif depth < MAX_DEPTH:
        for child in node.named_children:
            _substitutions(shell, child, depth + 1)


STATEMENTS: dict[str, Callable[[Shell, Any], Outputs]] = {
    "program": _block,
    "compound_statement": _block,
    "do_group": _block,
    "ERROR": _broken,
    "subshell": _apart,
    "command_substitution": _substituted,
    "process_substitution": _substituted,
    "if_statement": _if,
    "while_statement": _loop,
    "until_statement": _loop,
    "for_statement": _loop,
    "c_style_for_statement": _loop,
    "case_statement": _case,
    "function_definition": _function,
    "negated_command": _negated,
    "test_command": _test,
    "command": chain,
    "list": chain,
    "pipeline": chain,
    "redirected_statement": chain,
    "declaration_command": declare,
    "variable_assignment": _assignment,
    "variable_assignments": _block,
}
