"""Why a YAML text does not parse, in our own words."""

import re
from typing import Any

from gradewright.finding import Location
from gradewright.model import SYNTAX, Problem, quoted
from gradewright.read.files import line_column


def explain(text: str, path: str, role: str, error: Any) -> Problem:
    """What PyYAML's `error` means, at the place that has to be edited."""
    said = str(getattr(error, "problem", "") or getattr(error, "reason", ""))
    mark, start = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    offset = mark.index if mark else _control_character(text)
    opened = start.index if start else offset
    detail, cure, offset = _cause(text, said, offset, opened, str(getattr(error, "context", "") or ""))
    return Problem(SYNTAX, role, Location(path, *line_column(text, offset)), detail, cure=cure)


def _cause(text: str, said: str, offset: int, opened: int, during: str) -> tuple[str, str, int]:
    """What is wrong, how to mend it, and the offset where."""
    if "mapping values are not allowed" in said:
        return _second_colon(text, offset)
    if "cannot start any token" in said or "undefined alias" in said or "tab character" in said:
        return *_bad_start(text, offset), offset
    left_open = _left_open(text, said, offset, opened, during)
    if left_open:
        return left_open
    for words, detail, cure in _CAUSES:
        if words in said:
            return detail, cure, offset
    return "this is not YAML", "check indentation, quotes and colons on this line and the one above", offset


def _left_open(text: str, said: str, offset: int, opened: int, during: str) -> tuple[str, str, int] | None:
    """Something that began earlier and was not finished."""
    if "expected ',' or" in said:
        return (
            f"the `{text[opened : opened + 1]}` that opens here is not closed",
            "close it, or put text in quotes",
            opened,
        )
    if "node content" in said:
        closer = text[offset : offset + 1]
        if closer in ("]", "}"):
            return f"the `{closer}` closes nothing", "put text in quotes", offset
        return "the text ends before everything is closed", "add the missing end", offset
    if "duplicate anchor" in during:
        return "an anchor of this name was defined before", "rename one of the two", offset
    if "end of stream" in said and "quoted" in during:
        return "the quote that opens here is never closed", "close the quote", opened
    if "could not find expected ':'" in said:
        return f"{_line(text, opened)} has no `:` after it", "write `key: value`, or indent it under its key", opened
    return None


_CAUSES = (
    ("unhashable", "a list or a mapping stands where a key is due", "put text that starts with a brace in quotes"),
    ("expected '-' indicator", "this line does not belong to the list above it", "align its indentation"),
    ("expected key", "this line does not fit the indentation above it", "align its indentation"),
    ("another document", "a second document starts here", "keep one document and delete this `---`"),
    ("document start", "more text after the end of the value", "delete it, or put text in quotes"),
    ("escape", "a backslash that starts no escape", "use single quotes or double the backslash"),
    ("could not determine a constructor", "a tag that means nothing here", "delete the tag, or put text in quotes"),
    ("undefined tag handle", "a tag that means nothing here", "put text that starts with `!` in quotes"),
    ("for merging", "`<<` merges something that is no mapping", "merge an alias of a mapping"),
    ("control characters", "a control character", "delete it"),
    ("special characters", "a character that YAML does not take", "write it as an escape in double quotes"),
)


def _second_colon(text: str, offset: int) -> tuple[str, str, int]:
    start = text.rfind("\n", 0, offset) + 1
    before = text[start:offset]
    if re.search(r":\s", before):
        return "`: ` inside a value that is not in quotes", "put the value in quotes", offset
    above = text.rfind("\n", 0, max(start - 1, 0)) + 1
    line = text[above : max(start - 1, 0)]
    if _indent(line) >= _indent(before) and ":" not in line:
        return f"{quoted(line.strip())} has no `:` after it", "write `key: value`", above + _indent(line)
    return f"{quoted(before.strip(' -'))} is indented deeper than the keys beside it", "align its indentation", offset


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _bad_start(text: str, offset: int) -> tuple[str, str]:
    if text[offset : offset + 1] == "\t":
        return "a tab in the indentation", "indent with spaces"
    return f"a value that is not in quotes starts with {_letter(text, offset)}", "put the value in quotes"


def _letter(text: str, offset: int) -> str:
    letter = text[offset : offset + 1]
    return "a backtick" if letter == "`" else quoted(letter)


def _line(text: str, offset: int) -> str:
    return quoted(text[offset : text.find("\n", offset) % (len(text) + 1)].strip())


def _control_character(text: str) -> int:
    """The first character that YAML refuses everywhere; PyYAML counts it in bytes."""
    match = re.search(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    return match.start() if match else 0
