"""And-or chains, pipelines and redirections of a shell script."""

from collections.abc import Sequence
from typing import Any

from gradewright.read.runner import is_agents
from gradewright.read.shell.branches import branches
from gradewright.read.shell.commands import assign, call
from gradewright.read.shell.flows import file_origins
from gradewright.read.shell.state import ANYTHING, HOLE, MAX_FACTS, NOTHING, Call, Output, Outputs, Shell, joined
from gradewright.read.shell.stderr import note_mixed, note_stderr
from gradewright.read.shell.unset import note_target
from gradewright.read.shell.words import value, words_of

Step = tuple[str, Any, Sequence[Any]]
"""Part of a chain: the operator before it, the statement, the redirections that belong to it."""

READING = frozenset({"<", "<&"})
APPENDING = frozenset({">>", "&>>"})
CHAINED = frozenset({"&&", "||", "|", "|&"})
SUCCEEDING = frozenset({"cd", "mkdir", "pushd", "rm", "true", ":", "export", "set", "chmod", "cat", "echo", "printf"})
ALL_ARGUMENTS = frozenset({b'"$@"', b"$@", b'"$*"', b"$*", b'"${@}"'})


def chain(shell: Shell, node: Any) -> Outputs:
    steps = _steps(node, ())
    if len(steps) == 1:
        return redirected(shell, *steps[0][1:], None)
    if len(steps) > MAX_FACTS:
        shell.opaque = True
        return ANYTHING
    has_fallback = any(operator == "||" for operator, _, _ in steps)
    shell.fallback += has_fallback
    try:
        return _chained(shell, steps)
    finally:
        shell.fallback -= has_fallback


def _chained(shell: Shell, steps: list[Step]) -> Outputs:
    if [operator for operator, _, _ in steps] == ["", "&&", "||"]:
        return _choice(shell, steps)
    printed = NOTHING
    position = 0
    while position < len(steps) and not shell.ended:
        end = position + 1
        while end < len(steps) and steps[end][0] in ("|", "|&"):
            end += 1
        link = steps[position:end]
        if position and link[0][0] == "&&" and _succeeds(shell, steps[position - 1]):
            link = [("", *link[0][1:]), *link[1:]]
        asked = end < len(steps) and _ends(shell, steps[end])
        shell.asked += asked
        printed = joined(printed, _link(shell, link, last=end == len(steps)))
        shell.asked -= asked
        position = end
    return printed


def _ends(shell: Shell, step: Step) -> bool:
    """Whether a step does nothing but tell what the one before it is to be taken for."""
    statement = step[1]
    return statement is not None and shell.source.text(statement).split(" ", 1)[0] in ("exit", "return", "false")


def _succeeds(shell: Shell, step: Step) -> bool:
    """Whether a command can be taken to succeed, so that what `&&` puts after it is not skipped."""
    statement = step[1]
    if statement is None or statement.type != "command" or step[0] == "||":
        return False
    words = shell.source.text(statement).split() or [""]
    return words[0] in SUCCEEDING or (words[0] in ("cp", "ln") and not any(map(is_agents, words[1:-1])))


def _choice(shell: Shell, steps: list[Step]) -> Outputs:
    """`test && one || other`: one of the two."""
    one, other = ([("", *step[1:])] for step in steps[1:])
    printed = _link(shell, steps[:1], last=False)
    if shell.ended:
        return printed
    bodies = [lambda: _link(shell, one, last=False), lambda: _link(shell, other, last=True)]
    return joined(printed, branches(shell, bodies, exhaustive=True))


def _link(shell: Shell, pipeline: list[Step], *, last: bool) -> Outputs:
    """One pipeline of an and-or chain: all but the first may be skipped, and only the last can end the script."""
    operator = pipeline[0][0]
    shell.guard += not last
    shell.ands += operator == "&&"
    try:
        if operator:
            return branches(shell, [lambda: _pipeline(shell, pipeline)], exhaustive=False)
        return _pipeline(shell, pipeline)
    finally:
        shell.guard -= not last
        shell.ands -= operator == "&&"


def _pipeline(shell: Shell, steps: list[Step]) -> Outputs:
    if len(steps) == 1:
        return redirected(shell, *steps[0][1:], None)
    kept = shell.variables, shell.cwd, shell.ended, shell.may_have_ended
    printed: Outputs | None = None
    negated = steps[0][1] is not None and steps[0][1].type == "negated_command"
    for index, (_, statement, redirects) in enumerate(steps):
        quiet = negated or (index + 1 < len(steps) and not shell.pipefail)
        shell.guard += quiet
        shell.variables = kept[0].copy()
        printed = redirected(shell, statement, redirects, printed)
        shell.guard -= quiet
        shell.cwd, shell.ended, shell.may_have_ended = kept[1:]
    shell.variables = kept[0]
    return printed or NOTHING


def _steps(node: Any, redirects: Sequence[Any]) -> list[Step]:
    """Take an and-or chain or a pipeline apart. Redirections after it belong to its last command."""
    parts: list[list[Step]] = []
    while node is not None and node.type in ("redirected_statement", "list", "pipeline"):
        if node.type == "redirected_statement":
            children = [child for child in node.children if child.type != "comment"]
            body = None if children[0].type.endswith("_redirect") else children[0]
            own = [child for child in children[body is not None :] if child.is_named]
            parts.append(_after_heredocs(own))
            redirects = (*own, *redirects)
            node = body
        else:
            parts.append(_later_steps(node, redirects))
            redirects = ()
            node = node.children[0]
    return [("", node, redirects), *(step for part in reversed(parts) for step in part)]


def _later_steps(node: Any, redirects: Sequence[Any]) -> list[Step]:
    """All of a list or a pipeline but its first part."""
    steps: list[Step] = []
    operator = ""
    parts = [child for child in node.children[1:] if child.is_named or child.type in CHAINED]
    for index, child in enumerate(parts):
        if child.type in CHAINED:
            operator = child.type
        elif child.type != "comment":
            first, *more = _steps(child, redirects if index + 1 == len(parts) else ())
            steps += [(operator, *first[1:]), *more]
    return steps


def _after_heredocs(redirects: Sequence[Any]) -> list[Step]:
    """The rest of a line on which a here-document begins: the tree puts it inside of the here-document."""
    steps: list[Step] = []
    for redirect in redirects:
        operator = ""
        for child in redirect.children if redirect.type == "heredoc_redirect" else ():
            if child.type in CHAINED:
                operator = child.type
            elif child.type == "pipeline" and not child.children[0].is_named:
                first, *more = _steps(child.children[1], ())
                steps += [("|", *first[1:]), *more]
            elif operator and child.is_named and not child.type.startswith("heredoc"):
                first, *more = _steps(child, ())
                steps += [(operator, *first[1:]), *more]
                operator = ""
    return steps


def steps_of(node: Any) -> list[Step]:
    """The parts of an and-or chain or a pipeline, in order."""
    return _steps(node, ())


def redirected(shell: Shell, statement: Any, redirects: Sequence[Any], stdin: Outputs | None) -> Outputs:
    """Follow `statement` with its redirections; gives what still goes to its standard output."""
    flat = _flat(shell, redirects)
    for redirect in flat:
        stdin = _given(shell, redirect) or stdin
    if statement is None:
        printed = NOTHING
    elif statement.type == "command":
        printed = _command(shell, statement, stdin, flat)
    else:
        printed = shell.run(shell, statement)
    note_stderr(shell, statement, flat)
    if shell.trail is not None:
        note_mixed(shell, statement, flat)
    for redirect in flat:
        printed = _output(shell, redirect, printed)
    return printed


def _flat(shell: Shell, redirects: Sequence[Any]) -> list[Any]:
    flat = []
    for redirect in redirects:
        if not redirect.children:  # left over from a syntax error
            shell.opaque = True
            continue
        flat.append(redirect)
        if redirect.type == "heredoc_redirect":
            flat += [child for child in redirect.children if child.type == "file_redirect"]
            shell.opaque = shell.opaque or any(child.type == "ERROR" for child in redirect.children)
        else:
            shell.opaque = shell.opaque or redirect.has_error
    return flat


def _given(shell: Shell, redirect: Any) -> Outputs | None:
    """What a redirection puts on the standard input, told apart from the words of the command."""
    if shell.trail is None:
        return _input(shell, redirect)
    words, shell.trail.flow = shell.trail.flow, set()
    given = _input(shell, redirect)
    shell.trail.stdin |= shell.trail.flow
    shell.trail.flow = words
    return given


def _input(shell: Shell, redirect: Any) -> Outputs | None:
    """What a redirection puts on the standard input."""
    if redirect.type == "heredoc_redirect":
        return _heredoc(shell, redirect)
    if redirect.type == "herestring_redirect":
        node = redirect.children[-1]
        return (Output(value(shell, node) + "\n", shell.source, node),)
    if redirect.children[0].type == "<":
        path = shell.resolve(value(shell, redirect.children[-1]))
        if shell.trail is not None:
            shell.trail.stdin |= file_origins(shell, path)
        if path.startswith("/") and HOLE not in path:
            shell.reads.setdefault(path)
        return shell.files.get(path) or ANYTHING
    return None


def _heredoc(shell: Shell, redirect: Any) -> Outputs:
    start = next((child for child in redirect.children if child.type == "heredoc_start"), None)
    body = next((child for child in redirect.children if child.type == "heredoc_body"), None)
    if start is None or body is None:
        return NOTHING if body is None else ANYTHING
    literal = shell.source.text(start)[:1] in ("'", '"', "\\")
    text = shell.source.text(body) if literal else value(shell, body)
    if redirect.children[0].type == "<<-":
        text = "\n".join(line.lstrip("\t") for line in text.split("\n"))
    return (Output(text, shell.source, body),)


def _output(shell: Shell, redirect: Any, printed: Outputs) -> Outputs:
    """Send what was printed where a redirection says; gives what is left."""
    if redirect.type != "file_redirect":
        return printed
    children = redirect.children
    has_descriptor = children[0].type == "file_descriptor"
    descriptor = shell.source.text(children[0]) if has_descriptor else "1"
    operator, target = children[1 if has_descriptor else 0].type, children[-1]
    if operator in READING or not target.is_named:
        return printed
    if target.type == "process_substitution":
        shell.run(shell, target)
        return NOTHING
    note_target(shell, target)
    word = value(shell, target)
    if operator == ">&" and (word.isdigit() or word == "-"):
        return NOTHING if descriptor == "1" and word != "1" else printed
    content = printed if descriptor == "1" else ANYTHING
    shell.write(word, content, shell.source.location(target), append=operator in APPENDING)
    return NOTHING if descriptor == "1" else printed


def _command(shell: Shell, node: Any, stdin: Outputs | None, redirects: list[Any]) -> Outputs:
    """Fill in the words of a simple command and follow it."""
    before: list[Any] = []
    nodes: list[Any] = []
    for child in node.children:
        if child.type == "variable_assignment" and not nodes:
            before.append(child)
        elif child.type.endswith("_redirect"):
            stdin = _given(shell, child) or stdin
            redirects.append(child)
        else:
            nodes.append(child)
    if before and nodes and b"\n" in shell.source.data[before[-1].end_byte : nodes[0].start_byte]:
        for assignment in before:  # the grammar takes assignments on the line before for a part of the command
            assign(shell, assignment)
        before = []
    assigned = [(shell.source.text(each.children[0]), value(shell, each.children[-1])) for each in before]
    environment = tuple(name for name, _ in assigned)
    words = [(text, word) for word in nodes for text in _texts(shell, word)]
    if not words:
        return NOTHING
    at = shell.source.location(node)
    texts, word_nodes = [text for text, _ in words], [word for _, word in words]
    return call(shell, Call(texts, word_nodes, environment, stdin, at, tuple(assigned)))


def _texts(shell: Shell, word: Any) -> list[str]:
    if shell.positional is not None and word.end_byte - word.start_byte <= 6 and word.text in ALL_ARGUMENTS:
        return shell.positional
    return words_of(shell, word)
