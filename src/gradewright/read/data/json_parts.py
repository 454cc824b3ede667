"""Take a large JSON object apart without decoding or parsing it: where the items of one of its lists begin and end.

Only brackets are looked at, strings are skipped; whether the parts are JSON is for the parser that gets them.
"""

import re
from typing import NamedTuple

_RUN_AND_BRACKET = re.compile(rb'(?s)(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+(?:([{\[])|([}\]])|(.)|\Z)')
"""Strings and scalars, then what ends them: an opening or a closing bracket, a quote that is never closed, the end."""

_KEY = re.compile(rb'(?<!\\)"([^"\\]{1,64}+)"\s{0,64}+:\s{0,64}+\Z')
_MAX_BRACKETS = 1_000_000
"""Half a second of scanning, and 60 MiB for the places of what they enclose; an agent's step has some twenty."""

_MAX_LINES = 8_000_000
"""Line breaks, which all go into the skeleton. Lists of token ids, one to a line, take 20 bytes for each."""


class Parts(NamedTuple):
    """A JSON object in parts, as pairs of byte offsets.

    `items` are the lists and objects in the list that was asked for, `others` those that stand beside it in the object.
    `skeleton` is the text without them all: for each an empty one of its kind, with as many line breaks.
    `closed` is false where the text ends too early, `crowded` true where it has too many brackets or lines.
    """

    items: list[tuple[int, int]]
    others: list[tuple[int, int]]
    skeleton: bytes
    closed: bool
    crowded: bool = False


def split_object(data: bytes, key: bytes) -> Parts:
    """Split the object in `data` at the items of its list `key`; of a repeated key the last counts, as in Python."""
    crowded = Parts([], [], b"", closed=False, crowded=True)
    if data.count(b"\n") > _MAX_LINES:
        return crowded
    items: list[tuple[int, int]] = []
    others: list[tuple[int, int]] = []
    depth, start, in_list = 0, 0, False
    for number, match in enumerate(_RUN_AND_BRACKET.finditer(data)):
        if number >= _MAX_BRACKETS:
            return crowded
        offset = match.end() - 1
        if match[1]:
            depth += 1
            if depth == 2 and match[1] == b"[" and _key_before(data, match.start(), offset) == key:
                in_list = True
                others += items
                items = []
            elif depth == 2 + in_list:
                start = offset
        elif match[2]:
            depth -= 1
            if depth == 1 + in_list:
                (items if in_list else others).append((start, offset + 1))
            in_list = in_list and depth > 1
        if not (match[1] or match[2]) or depth <= 0:
            break
    return Parts(items, others, _without(data, sorted(items + others)), closed=depth <= 0)


def _without(data: bytes, spans: list[tuple[int, int]]) -> bytes:
    parts, done = [], 0
    for start, end in spans:
        empty = b"[" + b"\n" * data.count(b"\n", start, end) + b"]"
        parts += [data[done:start], empty if data[start] == 0x5B else b"{" + empty[1:-1] + b"}"]
        done = end
    return b"".join([*parts, data[done:]])


def _key_before(data: bytes, start: int, end: int) -> bytes:
    """The key whose value begins at `end`."""
    found = _KEY.search(data, max(start, end - 256), end)
    return found[1] if found else b""
