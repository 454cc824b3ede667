"""Loops and choices by pattern, on one way through a shell script."""

import re
from typing import Any

from gradewright.finding import Location
from gradewright.read.shell.decide import tested
from gradewright.read.shell.sequence import guarded, leave_status, sequence, succeeded
from gradewright.read.shell.state import ALIVE, ANYTHING, BROKEN, HOLE, NOTHING, Outputs, Shell
from gradewright.read.shell.trail import OTHER, SUCCESS, UNKNOWN_STATUS, Question, Trail
from gradewright.read.shell.walk import case_body, parts_of
from gradewright.read.shell.words import value, words_of

ASSIGNED = re.compile(
    r"\b([A-Za-z_]\w*+)(?:\[[^\]\n]*+\])?(?:[-+*/]?=|\+\+|--)|\bread\b([^|;&\n]*+)|\bfor[ \t]++(\w++)"
)
GLOB = re.compile(r"[*?\[]")


def loop(shell: Shell, node: Any) -> Outputs:
    """A loop is passed by, or its body is followed once, knowing nothing of what any round may have set."""
    condition, body, _ = parts_of(node.children)
    trail: Trail = shell.trail
    names = assigned_names(_text_with_functions(shell, node))
    for name in names:
        shell.variables[name] = HOLE
    at = shell.source.location(node)
    entered = True
    if node.type == "for_statement":
        entered = _first_word(shell, condition, trail, at)
    elif node.type == "c_style_for_statement":
        entered = trail.ask(Question(OTHER, ("loop", str(at.line), str(at.column), str(shell.steps)), "", at))
    else:
        guarded(shell, condition)
        if not shell.ended:
            entered = succeeded(shell, node) == (node.type == "while_statement")
    printed = NOTHING
    if entered and not shell.ended:
        printed = sequence(shell, body)
        if shell.ended == BROKEN:
            shell.ended = ALIVE
    for name in names:
        shell.variables[name] = HOLE
    if not shell.ended:
        leave_status(shell, SUCCESS)
    return NOTHING if printed == NOTHING else ANYTHING


def _first_word(shell: Shell, condition: list[Any], trail: Trail, at: Location) -> bool:
    """Whether a `for` has anything to go through; asks if that cannot be told."""
    values = [text for word in condition[1:] for text in words_of(shell, word)]
    if not condition:
        return True
    name = shell.source.text(condition[0])
    shell.variables[name] = values[0] if len(values) == 1 and not GLOB.search(values[0]) else HOLE
    if any(HOLE not in text and not GLOB.search(text) for text in values):
        return True
    return trail.ask(Question(OTHER, ("loop", str(at.line), str(at.column), str(shell.steps)), "", at))


def assigned_names(text: str) -> set[str]:
    names: set[str] = set()
    for match in ASSIGNED.finditer(text):
        names.update(word for word in (match[2] or "").split() if not word.startswith(("-", "<")))
        names.update(name for name in (match[1], match[3]) if name)
    return {name.strip("\"'") for name in names}


def _text_with_functions(shell: Shell, node: Any) -> str:
    """The text of a loop, and of all functions if it names one: they can set the same variables."""
    text = shell.source.text(node)
    if any(name in text for name in shell.functions):
        text += "\n".join(source.text(function) for source, function in shell.functions.values())
    return text


def case(shell: Shell, node: Any) -> Outputs:
    trail: Trail = shell.trail
    subject = value(shell, node.children[1])
    at = shell.source.location(node)
    for number, item in enumerate(child for child in node.children if child.type == "case_item"):
        if _fits(shell, trail, item, subject, ("case", str(at.line), str(at.column), str(number))):
            trail.blind = trail.blind or any(child.type in (";&", ";;&") for child in item.children)
            leave_status(shell, SUCCESS)
            return sequence(shell, case_body(item))
    leave_status(shell, SUCCESS)
    return NOTHING


def _fits(shell: Shell, trail: Trail, item: Any, subject: str, key: tuple[str, ...]) -> bool:
    end = next((index for index, child in enumerate(item.children) if child.type == ")"), 0)
    patterns = [value(shell, child) for child in item.children[:end] if child.is_named]
    patterns = [pattern.strip() for pattern in patterns]
    at = shell.source.location(item)
    if "*" in patterns:
        return True
    if any(HOLE in pattern or GLOB.search(pattern) for pattern in patterns):
        return trail.ask(Question(OTHER, key, subject, at))
    if UNKNOWN_STATUS.match(subject):
        return any(trail.is_success(tested(shell, trail, [subject, "-eq", number], at), at) for number in patterns)
    return trail.ask(Question(OTHER, key, subject, at)) if HOLE in subject else subject in patterns
