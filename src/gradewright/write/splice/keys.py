"""Rename a key or replace a text in a data file: JSON, JSONL, YAML or TOML."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from gradewright.read.data.document import parse
from gradewright.read.data.positions import locate
from gradewright.read.files import Text
from gradewright.write.splice.text import Splice, SpliceError, same, spliced

_Keys = Sequence[str | int]
_MAX_PLACES = 20
"""TOML may open one table in many places: `[a]`, `[a.b]`, `a.c = 1`."""

_TO_VALUE = re.compile(r"[ \t]*+[:=][ \t]*+(?:\r?\n[ \t]*+)?")


def rename_key(text: str, syntax: str, keys: _Keys, to: str) -> str:
    """`text` with the key at `keys` (names, and 0-based indexes of lists) called `to`, in its place and its quotes."""
    document = _parsed(text, syntax)
    parent = _at(document, keys[:-1])
    name = keys[-1] if keys else None
    if not isinstance(parent, dict) or name not in parent or not isinstance(name, str):
        raise SpliceError("there is no such key any more")
    if to in parent:
        raise SpliceError(f"there is a `{to}` beside it already", "keep one of the two")
    wanted = _rebuilt(document, keys[:-1], lambda table: {to if key == name else key: table[key] for key in table})
    result, level = text, document
    for _ in range(_MAX_PLACES):
        if name not in _at(level, keys[:-1]):
            break
        result = _replaced(result, _offset(result, syntax, keys), name, to)
        level = _parsed(result, syntax)
    return _confirmed(result, level, wanted)


def set_text(text: str, syntax: str, keys: _Keys, to: str) -> str:
    """`text` with `to` in place of the text at `keys`, in the same quotes."""
    document = _parsed(text, syntax)
    old = _at(document, keys)
    if not isinstance(old, str) or not keys:
        raise SpliceError("there is no such text any more")
    wanted = _rebuilt(document, keys, lambda _: to)
    start = _offset(text, syntax, keys)
    if isinstance(keys[-1], str):
        start = _value_start(text, start, keys[-1])
    result = _replaced(text, start, old, to)
    return _confirmed(result, _parsed(result, syntax), wanted)


def _confirmed(result: str, document: Any, wanted: Any) -> str:
    if not same(document, wanted):
        raise SpliceError("the file is laid out in a way that cannot be edited safely")
    return result


def _parsed(text: str, syntax: str) -> Any:
    value, problems = parse(Text("", text, b""), syntax, "")
    if value is None:
        detail = problems[0].detail if problems else "it is empty"
        raise SpliceError(f"the file cannot be read: {detail}", "mend the file first")
    return value


def _at(value: Any, keys: _Keys) -> Any:
    for key in keys:
        try:
            value = value[key]
        except (LookupError, TypeError) as error:
            raise SpliceError("there is no such key any more") from error
    return value


def _rebuilt(value: Any, keys: _Keys, change: Callable[[Any], Any]) -> Any:
    """`value` with what is at `keys` changed; everything that is not on the way there is shared."""
    if not keys:
        return change(value)
    if isinstance(value, list):
        items = list(value)
        items[int(keys[0])] = _rebuilt(value[int(keys[0])], keys[1:], change)
        return items
    return {key: _rebuilt(value[key], keys[1:], change) if key == keys[0] else value[key] for key in value}


def _offset(text: str, syntax: str, keys: _Keys) -> int:
    line, column = locate(Text("", text, b""), syntax, tuple(keys))
    start = 0
    for _ in range(line - 1):
        start = text.index("\n", start) + 1
    return start + column - 1 + (line == 1 and text.startswith("\ufeff"))


def _value_start(text: str, start: int, key: str) -> int:
    for quote in ("", '"', "'"):
        token = f"{quote}{key}{quote}"
        match = _TO_VALUE.match(text, start + len(token)) if text.startswith(token, start) else None
        if match:
            return match.end()
    raise SpliceError("the file is laid out in a way that cannot be edited safely")


def _replaced(text: str, start: int, old: str, new: str) -> str:
    for quote in ("", '"', "'"):
        if text.startswith(f"{quote}{old}{quote}", start):
            end = start + len(old) + 2 * len(quote)
            return spliced(text, [Splice(start, end, f"{quote}{new}{quote}")])
    raise SpliceError("the file is laid out in a way that cannot be edited safely")
