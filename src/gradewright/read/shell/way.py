"""Follow a shell script along one way: every condition has one answer, so that all values on it are exact."""

from collections.abc import Callable, Sequence
from typing import Any

from gradewright.read.shell.chain import Step, redirected, steps_of
from gradewright.read.shell.commands import assign, declare
from gradewright.read.shell.decide import FAILURE, negated, summed, test_words, tested
from gradewright.read.shell.flows import file_origins
from gradewright.read.shell.rounds import assigned_names, case, loop
from gradewright.read.shell.sequence import guarded, leave_status, sequence, status_of, succeeded
from gradewright.read.shell.state import ANYTHING, HOLE, NOTHING, Outputs, Shell, joined
from gradewright.read.shell.stderr import note_mixed
from gradewright.read.shell.trail import OTHER, SUCCESS, Question, Trail
from gradewright.read.shell.walk import is_file, parts_of
from gradewright.read.shell.words import value

MAX_STEPS = 4000
MAX_DEPTH = 60
MAX_CHAIN = 200


def follow(shell: Shell, node: Any) -> Outputs:
    """Follow `node` on the way that `shell.trail` holds; gives what it prints."""
    shell.steps += 1
    statement = STATEMENTS.get(node.type)
    if statement is None:
        return NOTHING
    trail: Trail = shell.trail
    if shell.steps > MAX_STEPS or shell.depth > MAX_DEPTH:
        trail.blind = True
        return ANYTHING
    shell.depth += 1
    try:
        return statement(shell, node)
    finally:
        shell.depth -= 1


def _block(shell: Shell, node: Any) -> Outputs:
    if node.children and node.children[0].type == "((":
        return _arithmetic(shell, node)
    return sequence(shell, node.named_children)


def _arithmetic(shell: Shell, node: Any) -> Outputs:
    """`(( ... ))`: fails if the sum is zero."""
    trail: Trail = shell.trail
    text = shell.source.text(node)[2:-2]
    at = shell.source.location(node)
    for name in assigned_names(text):
        shell.variables[name] = HOLE
    outer, trail.flow = trail.flow, set()
    result = summed(shell, trail, text, at)
    if HOLE in result:
        question = Question(OTHER, ("sum", str(len(trail.statuses))), text, at)
        trail.depends(question, frozenset(trail.flow))
        leave_status(shell, trail.status("ask", question=question))
    else:
        leave_status(shell, SUCCESS if result != "0" else FAILURE)
    trail.flow = outer
    return NOTHING


def add_up(shell: Shell, node: Any) -> str:
    """The value of `$(( ... ))`, or a HOLE."""
    text = shell.source.text(node)[3:-2]
    for name in assigned_names(text):
        shell.variables[name] = HOLE
    return summed(shell, shell.trail, text, shell.source.location(node))


def _broken(shell: Shell, node: Any) -> Outputs:
    shell.trail.blind = True
    return sequence(shell, node.named_children)


def _apart(shell: Shell, node: Any) -> Outputs:
    """A subshell: what it sets and where it goes ends with it, its exit status stays."""
    kept = shell.variables, shell.cwd, shell.ended, shell.errexit
    shell.variables = shell.variables.copy()
    try:
        return sequence(shell, node.named_children)
    finally:
        status = status_of(shell)
        shell.variables, shell.cwd, shell.ended, shell.errexit = kept
        leave_status(shell, status)


def _substituted(shell: Shell, node: Any) -> Outputs:
    """`$( ... )`: its status counts only where nothing but a variable is set."""
    trail: Trail = shell.trail
    before, guard = status_of(shell), shell.guard
    flow, stdin = trail.flow, trail.stdin
    trail.flow = set()
    shell.guard += 1
    printed = _apart(shell, node)
    if is_file(node):  # $(< FILE)
        path = shell.resolve(value(shell, node.named_children[0].children[-1]))
        trail.flow |= file_origins(shell, path)
        printed = shell.files.get(path) or ANYTHING
    shell.guard = guard
    trail.substituted = status_of(shell)
    trail.flow, trail.stdin = flow | trail.flow, stdin
    leave_status(shell, before)
    return printed


def _if(shell: Shell, node: Any) -> Outputs:
    """An `if`, or an `elif` with what follows it."""
    condition, body, clauses = parts_of(node.children)
    printed = guarded(shell, condition)
    if shell.ended:
        return printed
    if succeeded(shell, node):
        leave_status(shell, SUCCESS)
        return joined(printed, sequence(shell, body))
    for clause in clauses:
        if clause.type == "else_clause":
            return joined(printed, sequence(shell, clause.named_children))
        condition, body, _ = parts_of(clause.children)
        printed = joined(printed, guarded(shell, condition))
        if shell.ended:
            return printed
        if succeeded(shell, clause):
            return joined(printed, sequence(shell, body))
    leave_status(shell, SUCCESS)
    return printed


def _function(shell: Shell, node: Any) -> Outputs:
    name = next((child for child in node.children if child.type == "word"), None)
    if name is not None:
        shell.functions[shell.source.text(name)] = shell.source, node
    leave_status(shell, SUCCESS)
    return NOTHING


def _assignment(shell: Shell, node: Any) -> Outputs:
    """`NAME=value`. The status of `NAME=$(command)` is the command's."""
    shell.trail.substituted = None
    assign(shell, node)
    leave_status(shell, shell.trail.substituted or SUCCESS)
    return NOTHING


def _declare(shell: Shell, node: Any) -> Outputs:
    declare(shell, node)
    leave_status(shell, SUCCESS)
    return NOTHING


def _test(shell: Shell, node: Any) -> Outputs:
    trail: Trail = shell.trail
    outer, trail.flow = trail.flow, set()
    words = list(test_words(shell, node))
    leave_status(shell, tested(shell, trail, words, shell.source.location(node)))
    trail.flow = outer
    return NOTHING


def _negated(shell: Shell, node: Any) -> Outputs:
    printed = guarded(shell, node.named_children)
    leave_status(shell, negated(shell.trail, status_of(shell)))
    shell.trail.exempt = True
    return printed


def _chain(shell: Shell, node: Any) -> Outputs:
    steps = steps_of(node)
    if len(steps) > MAX_CHAIN:
        shell.trail.blind = True
        return ANYTHING
    printed = NOTHING
    position, exempt = 0, False
    while position < len(steps) and not shell.ended:
        end = position + 1
        while end < len(steps) and steps[end][0] in ("|", "|&"):
            end += 1
        operator = steps[position][0]
        if operator and succeeded(shell, node) != (operator == "&&"):
            exempt = True
        else:
            last = end == len(steps)
            shell.guard += not last
            shell.trail.exempt = False
            printed = joined(printed, _pipeline(shell, steps[position:end]))
            shell.guard -= not last
            exempt = not last or shell.trail.exempt
        position = end
    shell.trail.exempt = exempt
    return printed


def _pipeline(shell: Shell, steps: list[Step]) -> Outputs:
    trail: Trail = shell.trail
    if len(steps) == 1:
        only_one = _step(shell, *steps[0][1:], None)
        shell.variables["PIPESTATUS[0]"] = status_of(shell)
        return only_one
    kept = shell.variables, shell.cwd, shell.ended
    stdin, outer = trail.stdin, trail.flow
    printed: Outputs | None = None
    statuses: list[str] = []
    inverted = steps[0][1] is not None and steps[0][1].type == "negated_command"
    for position, (_, statement, redirects) in enumerate(steps):
        shell.variables = kept[0].copy()
        trail.flow = set()
        if inverted and position == 0:
            statement = statement.named_children[0]
        printed = _step(shell, statement, redirects, printed)
        if position + 1 < len(steps) and steps[position + 1][0] == "|&":
            note_mixed(shell, statement, redirects, piped=True)
        trail.stdin = frozenset(trail.flow)
        statuses.append(status_of(shell))
        shell.cwd, shell.ended = kept[1:]
    shell.variables = shell.variables if b"lastpipe" in shell.source.data else kept[0]
    trail.stdin, trail.flow = stdin, outer | trail.flow
    for position, status in enumerate(statuses):
        shell.variables[f"PIPESTATUS[{position}]"] = status
    status = statuses[-1]
    if shell.pipefail:
        unknown = [one for one in statuses if HOLE in one]
        known = [one for one in statuses if HOLE not in one and one != SUCCESS]
        status = known[-1] if known else trail.status("all", *unknown) if unknown else SUCCESS
        status = unknown[0] if len(unknown) == 1 and not known else status
    leave_status(shell, negated(trail, status) if inverted else status)
    trail.exempt = inverted
    return printed or NOTHING


def _step(shell: Shell, statement: Any, redirects: Sequence[Any], stdin: Outputs | None) -> Outputs:
    """Follow one command or compound of a pipeline with its redirections."""
    trail: Trail = shell.trail
    outer, trail.flow = trail.flow, set()
    given = trail.stdin
    if statement is None:
        leave_status(shell, SUCCESS)
    printed = redirected(shell, statement, redirects, stdin)
    trail.flow = outer | trail.flow if printed != NOTHING else outer
    trail.stdin = given
    return printed


STATEMENTS: dict[str, Callable[[Shell, Any], Outputs]] = {
    "program": _block,
    "compound_statement": _block,
    "do_group": _block,
    "ERROR": _broken,
    "subshell": _apart,
    "command_substitution": _substituted,
    "process_substitution": _substituted,
    "if_statement": _if,
    "while_statement": loop,
    "until_statement": loop,
    "for_statement": loop,
    "c_style_for_statement": loop,
    "case_statement": case,
    "function_definition": _function,
    "negated_command": _negated,
    "test_command": _test,
    "command": _chain,
    "list": _chain,
    "pipeline": _chain,
    "redirected_statement": _chain,
    "declaration_command": _declare,
    "variable_assignment": _assignment,
    "variable_assignments": _block,
}
