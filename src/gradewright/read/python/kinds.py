"""The kinds of values that an expression of a script may have."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from gradewright.read.python.flow import Point, Scope, Site

CONSTANT, TEXT, BOOLEAN, OBJECT, SEQUENCE, BAG, JSON, REPR = range(8)
FILE, FUNCTION, CLASS, INSTANCE, MODULE, ANYTHING = range(8, 14)
"""Kinds of values: a constant; a text, in which a HOLE stands for a part that is not known; true or false; a
dictionary; a sequence with its items; items without order; a value as JSON text; a value as Python prints it; an open
file; a function, class or instance of the script; a module or a function of one, by its dotted name; not known."""

HOLE = "\0"
MAX_VALUES = 16
MAX_ITEMS = 64
MAX_TEXT = 20_000


class Frame:
    """A call that is being looked into: where a function's parameters get their values from."""

    __slots__ = ("depth", "outer", "scope", "site")

    def __init__(self, scope: Scope, site: Site, outer: "Frame | None") -> None:
        self.scope = scope
        self.site = site
        self.outer = outer
        self.depth: int = 1 + (outer.depth if outer else 0)


class Place(NamedTuple):
    """An expression with all it takes to resolve another one beside it."""

    node: Any
    point: Point
    scope: Scope
    frame: Frame | None


class Value(NamedTuple):
    """One possible value. `node` is where it was written down; not `sure`: a test may keep it from getting here."""

    kind: int
    data: Any = None
    node: Any = None
    sure: bool = True


Values = tuple[Value, ...]
UNKNOWN: Values = (Value(ANYTHING),)


def merged(parts: Iterable[Values]) -> Values:
    """All that is possible in any of `parts`."""
    filled = [part for part in parts if part]
    if len(filled) < 2:
        return filled[0] if filled else UNKNOWN
    found: dict[Any, Value] = {}
    for part in filled:
        for value in part:
            key = (value.kind, id(value.data) if value.kind != TEXT else value.data, id(value.node))
            known = found.get(key)
            if known is None or not known.sure:
                found[key] = value
            if len(found) > MAX_VALUES:
                return UNKNOWN
    return tuple(found.values())


def unsure(values: Values) -> Values:
    return tuple(value._replace(sure=False) for value in values)
