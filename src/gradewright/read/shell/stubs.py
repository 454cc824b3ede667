"""Text of a scaffold that nobody has replaced yet, in a shell script."""

import re

from gradewright.finding import Location
from gradewright.model import EMPTY, MARKED_SCORE, PEER_SCAFFOLD, PEER_TEXT, UNWRITTEN_CHECK, Stub
from gradewright.read.files import Text

IDLE = re.compile(r"\s*(#.*|:|true|set [-+].*)?\s*\Z")
NOT_WRITTEN = re.compile(r"^[ \t]*(not_written)[ \t]+[^\s(]", re.M)
SCAFFOLDED = re.compile(r"replace this with real custom grading logic", re.I)
ASSIGNED = re.compile(r"^[ \t]*(?:export )?\w*(?:score|reward|overall)\w*=[\"']?([^\s\"']*)", re.M | re.I)
NUMBER = re.compile(r"\d+(\.\d*)?\Z")
MARKED = re.compile(
    r"^[ \t]*(?:export )?\w*(?:score|reward|overall)\w*=[\"']?(?:0\.|1\.?)\d*[\"']?[ \t]*#.*\b(?:TODO|FIXME|XXX)\b",
    re.M | re.I,
)


def shell_stubs(text: Text) -> tuple[Stub, ...]:
    """All stubs of a script."""
    code = text.text
    if all(IDLE.match(line) for line in code.splitlines()):
        return (Stub(EMPTY, Location(text.path, 1, 1)),)
    values = {match[1] for match in ASSIGNED.finditer(code) if not match[1].startswith(("/", "${HARBOR"))}
    constant = len(values) == 1 and all(NUMBER.match(value) for value in values)
    patterns = [(NOT_WRITTEN, UNWRITTEN_CHECK), (SCAFFOLDED, PEER_SCAFFOLD if constant else PEER_TEXT)]
    patterns += [(MARKED, MARKED_SCORE)] if constant else []
    return tuple(
        Stub(what, _location(text, match.start(1) if match.groups() else match.start()))
        for pattern, what in patterns
        for match in pattern.finditer(code)
    )


def _location(text: Text, offset: int) -> Location:
    start = text.text.rfind("\n", 0, offset) + 1
    return Location(text.path, text.text.count("\n", 0, offset) + 1, offset - start + 1)
