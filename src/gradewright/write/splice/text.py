"""What splices of every syntax share: the refusal, line ends, insertion after a line, comparison by meaning."""

from collections.abc import Iterable
from typing import Any, NamedTuple

_BOM = "\ufeff"


class SpliceError(Exception):
    """The text cannot be edited without risk; `hint` says what to do by hand, as an imperative."""

    def __init__(self, message: str, hint: str = "make this change by hand") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Splice(NamedTuple):
    """Replace the characters `start` to `end` (0-based, end exclusive) by `text`."""

    start: int
    end: int
    text: str


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """`text` with all `splices` made; they must not overlap, and those at one place stay in their order."""
    parts, position = [], 0
    for splice in sorted(splices, key=lambda splice: splice.start):
        parts += [text[position : splice.start], splice.text]
        position = splice.end
    return "".join([*parts, text[position:]])


def refuse_bom(text: str) -> None:
    """Raise SpliceError for a text that starts with a byte order mark: its readers stumble over that first."""
    if text.startswith(_BOM):
        raise SpliceError("the file starts with a byte order mark", "save it as UTF-8 without a byte order mark")


def newline_of(text: str) -> str:
    """The line end of the first line, `\\n` if there is none."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def line_start(text: str, position: int) -> int:
    """Where the line of `position` starts."""
    return text.rfind("\n", 0, position) + 1


def margin(text: str, position: int) -> str:
    """The white space that the line of `position` starts with."""
    start = line_start(text, position)
    end = start
    while end < len(text) and text[end] in " \t":
        end += 1
    return text[start:end]


def lines_after(text: str, position: int, lines: str) -> Splice:
    """Insert `lines` (with line ends `\\n`, the last one included) below the line of `position`.

    They get the line ends of the file; a file without a final line end stays without one.
    """
    newline = newline_of(text)
    lines = lines.replace("\n", newline)
    if position > 0 and text[position - 1] == "\n":
        return Splice(position, position, lines)
    end = text.find("\n", position)
    if end >= 0:
        return Splice(end + 1, end + 1, lines)
    if not text:
        return Splice(0, 0, lines)
    return Splice(len(text), len(text), newline + lines.removesuffix(newline))


def same(one: Any, other: Any) -> bool:
    """Whether two parsed values are equal in type and content, order of keys included; NaN equals NaN."""
    return _same(one, other, set())


def _same(one: Any, other: Any, seen: set[tuple[int, int]]) -> bool:
    """`seen` holds the pairs under comparison or compared, so that shared and circular parts cost nothing more."""
    if type(one) is not type(other):
        return False
    if not isinstance(one, dict | list | tuple | set):
        return bool(one == other or (one != one and other != other))
    pair = (id(one), id(other))
    if pair in seen:
        return True
    seen.add(pair)
    if isinstance(one, dict):
        return len(one) == len(other) and all(
            _same(key, other_key, seen) and _same(value, other_value, seen)
            for (key, value), (other_key, other_value) in zip(one.items(), other.items(), strict=True)
        )
    if isinstance(one, set):
        return bool(one == other)
    return len(one) == len(other) and all(_same(item, twin, seen) for item, twin in zip(one, other, strict=True))
