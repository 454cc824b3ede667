"""What a data file may cost: bounds that no honest file meets, checked before or right after parsing."""

from typing import Any

from gradewright.finding import Location
from gradewright.model import OVERSIZED, SYNTAX, TOO_DEEP, Problem
from gradewright.read.files import line_column

MAX_DEPTH = 100
"""Levels of lists and mappings. Enough for any dataset, and far from every parser's own limit."""

MAX_JSON_VALUES = 250_000
"""Counted as commas, opening brackets and (in JSONL) lines: under 2 seconds and 100 MiB, whatever the values are."""

MAX_PROBLEMS = 100
"""Problems of one kind that are listed for one file."""


def depth(value: Any) -> int:
    """How deeply lists and mappings nest in `value`, counted no further than one level over `MAX_DEPTH`."""
    level = [value]
    for count in range(MAX_DEPTH + 2):
        level = [item for item in level if type(item) is dict or type(item) is list]
        if not level:
            return count
        level = [child for item in level for child in (item.values() if type(item) is dict else item)]
    return MAX_DEPTH + 1


def json_values(text: str) -> int:
    """At most how many values are in a JSON text."""
    return text.count("{") + text.count("[") + text.count(",")


def too_deep(path: str, role: str, line: int = 0, column: int = 0) -> Problem:
    at = Location(path, line, column)
    return Problem(TOO_DEEP, role, at, f"nests lists and mappings more than {MAX_DEPTH} levels deep")


def too_many(path: str, role: str, number: int, what: str) -> Problem:
    return Problem(OVERSIZED, role, Location(path), f"holds more than {number:,} {what}")


def conflict(text: str, path: str, role: str) -> Problem | None:
    """An unresolved merge of two versions: the usual reason why a whole file does not parse."""
    offset = 0 if text.startswith("<<<<<<< ") else text.find("\n<<<<<<< ") + 1
    if (offset or text.startswith("<<<<<<< ")) and "\n>>>>>>> " in text:
        at = Location(path, *line_column(text, offset))
        return Problem(
            SYNTAX, role, at, "an unresolved merge conflict starts here", cure="keep one side and delete the markers"
        )
    return None
