"""Append to an array in a JSON file, in the file's own layout."""

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from gradewright.write.splice.text import Splice, SpliceError, margin, newline_of, refuse_bom, spliced

_SPACE = re.compile(r"[ \t\r\n]*")
_FIRST_INDENT = re.compile(r"\n([ \t]+)[^ \t\r\n]")
_FLUSH = re.compile(r"[\[{][ \t]*\r?\n[^\s\]}]")
_TIGHT = re.compile(r'"\s*:[^\s]')
_value_end = json.JSONDecoder().raw_decode


class _Array(NamedTuple):
    """Where an array stands: its brackets, and start and end of each item."""

    start: int
    end: int
    items: list[tuple[int, int]]


def append_json_item(text: str, keys: Sequence[str], item: Any) -> str:
    """`text` with `item` (any JSON value) at the end of the array found by following `keys` from the root."""
    refuse_bom(text)
    try:
        document = json.loads(text)
        array = _find(text, keys)
        result = spliced(text, [_splice(text, array, item)])
        wanted: Any = document
        for key in keys:
            wanted = wanted[key]
        wanted.append(item)
        if json.dumps(json.loads(result)) != json.dumps(document):
            raise SpliceError("the new entry cannot be added without changing others")
    except (ValueError, RecursionError) as error:
        raise SpliceError(f"this is not JSON: {error}", "mend the file first") from error
    return result


def append_jsonl_item(text: str, item: Any) -> str:
    """`text`, one JSON value a line, with a line for `item`."""
    refuse_bom(text)
    newline = newline_of(text)
    line = json.dumps(item, ensure_ascii=False)
    if not text or text.endswith("\n"):
        return text + line + newline
    return text + newline + line


def _find(text: str, keys: Sequence[str]) -> _Array:
    position = _skip(text, 0)
    for depth, key in enumerate(keys):
        places = [start for name, start in _members(text, position) if name == key] if text[position] == "{" else []
        if len(places) != 1:
            said = "stands there twice" if places else "is missing"
            raise SpliceError(f"`{'.'.join(keys[: depth + 1])}` {said}")
        position = places[0]
    if text[position] != "[":
        raise SpliceError(f"`{'.'.join(keys)}` is not a list" if keys else "the file does not hold a list")
    return _array(text, position)


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _members(text: str, position: int) -> list[tuple[str, int]]:
    """The names in the object at `position`, each with the place of its value."""
    members = []
    position = _skip(text, position + 1)
    while text[position] != "}":
        name, end = _value_end(text, position)
        start = _skip(text, _skip(text, end) + 1)
        members.append((name, start))
        position = _skip(text, _value_end(text, start)[1])
        if text[position] == ",":
            position = _skip(text, position + 1)
    return members


def _array(text: str, start: int) -> _Array:
    items = []
    position = _skip(text, start + 1)
    while text[position] != "]":
        end = _value_end(text, position)[1]
        items.append((position, end))
        position = _skip(text, end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    return _Array(start, position, items)


def _splice(text: str, array: _Array, item: Any) -> Splice:
    newline, unit = newline_of(text), _unit(text)
    if not array.items:
        return _into_empty(text, array, item, unit)
    first, last = array.items[0], array.items[-1]
    gap = text[array.start + 1 : first[0]]
    if len(array.items) > 1:
        before = text[array.items[-2][1] : last[0]]
        separator = before if before.lstrip().startswith(",") else "," + gap
    else:
        separator = "," + (gap if "\n" in gap else _space_between(text))
    spread = "\n" in text[slice(*last)] or ("\n" in gap and (text[last[0]] not in "[{" or last[1] - last[0] == 2))
    rendered = _spread(item, unit, margin(text, last[1]), newline) if spread else _on_one_line(text, item)
    return Splice(last[1], last[1], separator + rendered)


def _into_empty(text: str, array: _Array, item: Any, unit: str) -> Splice:
    if "\n" not in text.strip():
        return Splice(array.start + 1, array.end, _on_one_line(text, item))
    newline, outer = newline_of(text), margin(text, array.start)
    inner = outer + unit
    rendered = newline + inner + _spread(item, unit, inner, newline) + newline + outer
    return Splice(array.start + 1, array.end, rendered)


def _unit(text: str) -> str:
    """The indentation of the first line that has one; none in a file that has lines and no indentation."""
    match = _FIRST_INDENT.search(text)
    if match:
        return match[1]
    return "" if _FLUSH.search(text) else "  "


def _spread(item: Any, unit: str, indent: str, newline: str) -> str:
    return json.dumps(item, indent=unit, ensure_ascii=False).replace("\n", newline + indent)


def _on_one_line(text: str, item: Any) -> str:
    tight = bool(_TIGHT.search(text))
    return json.dumps(item, ensure_ascii=False, separators=(",", ":") if tight else (", ", ": "))


def _space_between(text: str) -> str:
    return "" if _TIGHT.search(text) else " "
