"""Rename a key or replace a text in a data file: JSON, JSONL, YAML or TOML."""

import re
from collections.abc import Sequence
from typing import Any

from gradewright.read.data.document import parse
from gradewright.read.data.positions import locate
from gradewright.read.files import Text
from gradewright.write.splice.text import Splice, SpliceError, same, spliced

_Keys = Sequence[str | int]
Rename = tuple[_Keys, str]
"""Where a key is, and what it is to be called."""

_MAX_PLACES = 20
"""TOML may open one table in many places: `[a]`, `[a.b]`, `a.c = 1`."""

_TO_VALUE = re.compile(r"[ \t]*+[:=][ \t]*+(?:\r?\n[ \t]*+)?")


def rename_key(text: str, syntax: str, keys: _Keys, to: str) -> str:
    """`text` with the key at `keys` (names, and 0-based indexes of lists) called `to`, in its place and its quotes."""
    document = _parsed(text, syntax)
    wanted = _renamed(document, [(keys, to)])
    name = str(keys[-1])
    result, level = text, document
    for _ in range(_MAX_PLACES):
        if name not in _at(level, keys[:-1]):
            break
        [start] = _offsets(result, syntax, [keys])
        result = spliced(result, [_replacement(result, start, name, to)])
        level = _parsed(result, syntax)
    return _confirmed(result, level, wanted)


def rename_keys(text: str, syntax: str, renames: Sequence[Rename]) -> str:
    """`text` with many keys renamed, all of them or none, for little more than the price of one; inner ones first."""
    wanted = _renamed(_parsed(text, syntax), renames)
    starts = _offsets(text, syntax, [keys for keys, _ in renames])
    pairs = zip(starts, renames, strict=True)
    result = spliced(text, [_replacement(text, start, str(keys[-1]), to) for start, (keys, to) in pairs])
    return _confirmed(result, _parsed(result, syntax), wanted)


def _renamed(document: Any, renames: Sequence[Rename]) -> Any:
    wanted = _copied(document)
    for keys, to in renames:
        parent = _at(wanted, keys[:-1])
        name = keys[-1] if keys else None
        if not isinstance(parent, dict) or name not in parent or not isinstance(name, str):
            raise SpliceError("there is no such key any more")
        if to in parent:
            raise SpliceError(f"there is a `{to}` beside it already", "keep one of the two")
        items = [(to if key == name else key, value) for key, value in parent.items()]
        parent.clear()
        parent.update(items)
    return wanted


def set_text(text: str, syntax: str, keys: _Keys, to: str) -> str:
    """`text` with `to` in place of the text at `keys`, in the same quotes."""
    document = _parsed(text, syntax)
    old = _at(document, keys)
    if not isinstance(old, str) or not keys:
        raise SpliceError("there is no such text any more")
    wanted = _copied(document)
    _at(wanted, keys[:-1])[keys[-1]] = to
    [start] = _offsets(text, syntax, [keys])
    if isinstance(keys[-1], str):
        start = _value_start(text, start, keys[-1])
    result = spliced(text, [_replacement(text, start, old, to)])
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


def _copied(value: Any) -> Any:
    """A copy in which nothing is shared, as it may be in YAML: a change shows in one place only."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def _offsets(text: str, syntax: str, places: Sequence[_Keys]) -> list[int]:
    whole = Text("", text, b"")
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    found = [locate(whole, syntax, tuple(keys)) for keys in places]
    mark = text.startswith("\ufeff")
    return [starts[line - 1] + column - 1 + (mark and line == 1) for line, column in found]


def _value_start(text: str, start: int, key: str) -> int:
    for quote in ("", '"', "'"):
        token = f"{quote}{key}{quote}"
        match = _TO_VALUE.match(text, start + len(token)) if text.startswith(token, start) else None
        if match:
            return match.end()
    raise SpliceError("the file is laid out in a way that cannot be edited safely")


def _replacement(text: str, start: int, old: str, new: str) -> Splice:
    for quote in ("", '"', "'"):
        if text.startswith(f"{quote}{old}{quote}", start):
            return Splice(start, start + len(old) + 2 * len(quote), f"{quote}{new}{quote}")
    raise SpliceError("the file is laid out in a way that cannot be edited safely")
