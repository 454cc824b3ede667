"""Find what a shell script that does not parse has left open."""

from typing import Any, NamedTuple

from gradewright.read.shell.inline import parse

CLOSERS = {"if": "fi", "case": "esac", "do": "done", "{": "}", "(": ")", "$(": ")", "[[": "]]"}


class Opener(NamedTuple):
    """A keyword or bracket that nothing closes; line and column count from 1."""

    word: str
    closer: str
    line: int
    column: int


def unclosed(data: bytes) -> Opener | None:
    """The innermost keyword or bracket of a script that is still open at its end."""
    opened: list[Opener] = []
    for leaf in _leaves(parse(data)):
        if leaf.is_missing:  # put in by the parser to get on
            continue
        word = leaf.type if not leaf.is_named else leaf.text.decode("utf-8", "replace") if leaf.type == "word" else ""
        if word in CLOSERS:
            row, column = leaf.start_point
            opened.append(Opener(word, CLOSERS[word], row + 1, column + 1))
        elif word in CLOSERS.values() and opened and opened[-1].closer == word:
            opened.pop()
    return opened[-1] if opened else None


def _leaves(root: Any) -> Any:
    pending = [root]
    while pending:
        node = pending.pop()
        if node.child_count == 0:
            yield node
        else:
            pending.extend(reversed(node.children))
