"""Texts and paths of which parts may not be known."""

import posixpath
from typing import Any

from gradewright.read.python.kinds import (
    BAG,
    BOOLEAN,
    CONSTANT,
    HOLE,
    JSON,
    MAX_TEXT,
    MAX_VALUES,
    OBJECT,
    REPR,
    SEQUENCE,
    TEXT,
    Value,
    Values,
    merged,
)

CONTENT = frozenset({JSON, REPR, OBJECT, SEQUENCE})
MAX_NUMBER = 1e15


def is_number(value: Value) -> bool:
    return value.kind == CONSTANT and value.data.__class__ in (int, float)


def as_texts(values: Values, *, percent: bool = False) -> Values:
    """`values` as Python prints them."""
    found: list[Values] = []
    for value in values:
        kind, data = value.kind, value.data
        if kind == TEXT or kind in (JSON, REPR):
            found.append((value,))
        elif kind in (OBJECT, SEQUENCE, BAG):
            found.append((Value(REPR, value, value.node, value.sure),))
        elif kind == BOOLEAN:
            found.append(tuple(Value(TEXT, text, value.node, value.sure) for text in ("True", "False")))
        elif kind == CONSTANT and not percent and len(shown := _shown(data)) < MAX_TEXT:
            found.append((Value(TEXT, shown, value.node, value.sure),))
        else:
            found.append((Value(TEXT, HOLE, value.node, value.sure),))
    return merged(found)


def _shown(data: Any) -> str:
    """`str(data)` of a constant; integers too long to be printed are not known."""
    if data.__class__ is int and abs(data) > MAX_NUMBER:
        return HOLE
    return str(data)


def concatenated(parts: list[Values]) -> Values:
    """Texts one after another. White space around a whole document leaves it what it is."""
    written = [part for part in parts if not _is_blank(part)]
    if len(written) == 1 and any(value.kind in CONTENT for value in written[0]):
        return written[0]
    texts: list[Value] = [Value(TEXT, "")]
    for part in parts:
        texts = [_appended(text, value) for text in texts for value in part]
        if len(texts) > MAX_VALUES:
            return (Value(TEXT, HOLE),)
    return tuple(texts)


def _is_blank(part: Values) -> bool:
    return all(value.kind == TEXT and not value.data.strip() for value in part)


def _appended(text: Value, value: Value) -> Value:
    added = value.data if value.kind == TEXT else HOLE
    whole = text.data + added
    if len(whole) > MAX_TEXT:
        whole = HOLE
    node = value.node if text.node is None and added.strip() else text.node
    return Value(TEXT, whole, node, text.sure and value.sure)


def joined_path(parts: list[Values]) -> Values:
    """The parts of a path put together as `os.path.join` does."""
    paths: list[Value] = [Value(TEXT, "")]
    for part in parts:
        paths = [_joined(path, value) for path in paths for value in part]
        if len(paths) > MAX_VALUES:
            return (Value(TEXT, HOLE),)
    return merged([tuple(paths)])


def _joined(path: Value, value: Value) -> Value:
    added = value.data if value.kind == TEXT else HOLE
    whole = posixpath.join(path.data, added) if path.data else added
    return Value(TEXT, whole if len(whole) < MAX_TEXT else HOLE, value.node or path.node, path.sure and value.sure)


def parent_of(values: Values) -> Values:
    return tuple(
        Value(TEXT, posixpath.dirname(value.data), value.node, value.sure)
        if value.kind == TEXT and HOLE not in posixpath.basename(value.data)
        else Value(TEXT, HOLE, value.node)
        for value in values
    )
