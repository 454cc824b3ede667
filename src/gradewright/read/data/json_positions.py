"""Positions in JSON: one scan over the text, which also finds keys that are given twice.

The text is known to parse, apart from comments and commas after the last item; of any other text the scan makes what
it can.
"""

import json
import re
from typing import Any, NamedTuple

from gradewright.read.data.limits import MAX_JSON_VALUES, json_values
from gradewright.read.data.positions import Members, Spot

_TOKEN = re.compile(
    r"""
    "(?:[^"\\\n]++|\\.)*+"
  | //[^\n]*+ | \#[^\n]*+ | /\*(?:[^*]++|\*(?!/))*+\*/
  | [\[\]{},]
  | "|/\*
  | [^\s",:\[\]{}/\#\ufeff]++
    """,
    re.VERBOSE,
)


class Scan(NamedTuple):
    """The root value, and every repeated key: its name, the offset of the first and of this one."""

    root: Spot | None
    repeats: list[tuple[str, int, int]]


def scan(text: str, start: int = 0, end: int | None = None) -> Scan:
    """Where the keys and items of the JSON value in `text[start:end]` stand."""
    if start == 0 and end is None and json_values(text) > MAX_JSON_VALUES:
        return Scan(None, [])
    root: Spot | None = None
    repeats: list[tuple[str, int, int]] = []
    stack: list[tuple[str, Members]] = []
    key: tuple[str, int] | None = None
    for match in _TOKEN.finditer(text, start, len(text) if end is None else end):
        offset = match.start()
        first = text[offset]
        if match[0] in ('"', "/*"):
            break  # never closed: from here on nothing is certain
        if first in "/#":
            continue
        if first in "]}":
            del stack[-1:]
            key = None
            continue
        if first == ",":
            key = None
            continue
        if first == '"' and key is None and stack and stack[-1][0] == "{":
            key = _name(match[0]), offset
            continue
        node: Members | None = {} if first in "[{" else None
        if not stack:
            root = root or Spot(offset, node)
        else:
            _attach(stack[-1], key, Spot(offset, node), repeats)
            key = None
        if node is not None:
            stack.append((first, node))
    return Scan(root, repeats)


def scan_lines(text: str) -> Spot | None:
    """A JSONL text as a list of its records."""
    records: Members = {}
    start = 0
    if json_values(text) + text.count("\n") > MAX_JSON_VALUES:
        return None
    for line in text.split("\n"):
        if line.strip(" \t\r\ufeff"):
            found = scan(text, start, start + len(line)).root
            records[len(records)] = found or Spot(start, None)
        start += len(line) + 1
    return Spot(records[0].offset, records) if records else None


def _attach(container: tuple[str, Members], key: tuple[str, int] | None, spot: Spot, repeats: list[Any]) -> None:
    kind, members = container
    if kind == "[":
        members[len(members)] = spot
    elif key is not None:
        name, offset = key
        before = members.get(name)
        if before is not None:
            repeats.append((name, before.offset, offset))
        members[name] = Spot(offset, spot.node)


def _name(token: str) -> str:
    if "\\" not in token:
        return token[1:-1]
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token[1:-1]
