"""Text of a scaffold that nobody has replaced yet, in a shell script."""

import re

from gradewright.finding import Location
from gradewright.model import EMPTY, MARKED_SCORE, PEER_SCAFFOLD, PEER_TEXT, UNWRITTEN_CHECK, Stub
from gradewright.read.files import Text

IDLE = re.compile(r"\s*+(#.*|:|true|set [-+].*)?\s*+\Z")
NOT_WRITTEN = re.compile(r"^[ \t]*+(not_written)[ \t]++[^\s(]", re.M)
SCAFFOLDED = re.compile(r"replace this with real custom grading logic", re.I)
ASSIGNED = re.compile(r"^([ \t]*+(?:export )?+(\w++)=[\"']?+)([^\s\"']*+)(.*)", re.M)
SCORE = re.compile(r"score|reward|overall", re.I)
NUMBER = re.compile(r"\d++(\.\d*+)?\Z")
WHOLE = re.compile(r"(?:0\.|1\.?)\d*+\Z")
COMMENT = re.compile(r"[\"']?[ \t]*+#")
MARK = re.compile(r"\b(?:TODO|FIXME|XXX)\b", re.I)
MOST = 1000
"""Stubs that are told of one script."""


def shell_stubs(text: Text) -> tuple[Stub, ...]:
    """All stubs of a script."""
    code = text.text
    if all(IDLE.match(line) for line in code.splitlines()):
        return (Stub(EMPTY, Location(text.path, 1, 1)),)
    scores = [match for match in ASSIGNED.finditer(code) if SCORE.search(match[2])]
    values = {match[3] for match in scores if not match[3].startswith(("/", "${HARBOR"))}
    constant = len(values) == 1 and all(NUMBER.match(value) for value in values)
    found = [(UNWRITTEN_CHECK, match.start(1)) for match in NOT_WRITTEN.finditer(code)]
    found += [(PEER_SCAFFOLD if constant else PEER_TEXT, match.start()) for match in SCAFFOLDED.finditer(code)]
    found += [(MARKED_SCORE, match.start()) for match in scores if constant and _is_marked(match)]
    return tuple(Stub(what, _location(text, offset)) for what, offset in found[:MOST])


def _is_marked(assignment: re.Match[str]) -> bool:
    """Whether a score is a number between 0 and 1, with a mark in the comment behind it."""
    comment = COMMENT.match(assignment[4])
    return bool(WHOLE.match(assignment[3]) and comment and MARK.search(assignment[4], comment.end()))


def _location(text: Text, offset: int) -> Location:
    start = text.text.rfind("\n", 0, offset) + 1
    return Location(text.path, text.text.count("\n", 0, offset) + 1, offset - start + 1)
