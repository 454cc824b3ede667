"""The keys and values of dictionaries that a script builds, however it builds them."""

import ast
from collections.abc import Iterable
from typing import Any, NamedTuple

from gradewright.read.python.flow import AUGMENTED, Bind, Change, Scope
from gradewright.read.python.kinds import (
    BAG,
    FUNCTION,
    HOLE,
    INSTANCE,
    MAX_VALUES,
    MODULE,
    OBJECT,
    SEQUENCE,
    TEXT,
    UNKNOWN,
    Frame,
    Place,
    Value,
    Values,
    merged,
    unsure,
)
from gradewright.read.python.library import Library
from gradewright.read.python.texts import (
    as_texts,
    concatenated,
)

MAX_KEYS = 200


class Entry(NamedTuple):
    """What a key may hold, and where the key is spelt."""

    values: Values
    node: Any


class Entries:
    """A dictionary. Not `whole`: it may have other keys too. `loose`: some of its keys may be taken away."""

    __slots__ = ("items", "loose", "whole")

    def __init__(self) -> None:
        self.items: dict[str, Entry] = {}
        self.whole = True
        self.loose = False

    def add(self, keys: Values, values: Values, node: Any) -> None:
        """Any of `keys` is set to any of `values`."""
        for key in keys:
            if key.kind != TEXT or HOLE in key.data or not key.sure or len(self.items) >= MAX_KEYS:
                self.whole = False
                continue
            known = self.items.get(key.data)
            spelt = key.node if key.node is not None else node
            self.items[key.data] = Entry(merged([known.values, values]), known.node) if known else Entry(values, spelt)

    def include(self, other: "Entries") -> None:
        for key, entry in other.items.items():
            known = self.items.get(key)
            self.items[key] = Entry(merged([known.values, entry.values]), known.node) if known else entry
        self.whole = self.whole and other.whole
        self.loose = self.loose or other.loose


class Resolver(Library):
    """Resolves everything, dictionaries included."""

    changed: dict[int, list[tuple[Change, Frame | None]]]

    def follow_changes(self) -> None:
        """Find out which dictionaries the script changes. Call it once, before anything is asked."""
        self.changed = {}
        self.opened: dict[tuple[int, int], Entries] = {}
        self.implied: dict[int, dict[str, Value]] = {}
        deep = [change for change in self.program.changes if change.base.__class__ is ast.Subscript]
        plain = [change for change in self.program.changes if change.base.__class__ is not ast.Subscript]
        for changes in (plain, deep):
            for change in changes:
                if change.site.scope.used:
                    self._follow(change)
            self.known.clear()
            self.opened.clear()

    def _follow(self, change: Change) -> None:
        for frame in self.frames_of(change.site.scope):
            for base in self.of_site(change.base, change.site, frame):
                if base.kind == OBJECT:
                    self.changed.setdefault(id(base.data.node), []).append((change, frame))

    def entries(self, value: Value) -> Entries:
        """The keys of an OBJECT, those it gets later included."""
        place = value.data
        key = id(place.node), id(place.frame)
        known = self.opened.get(key)
        if known is None:
            known = self.opened[key] = Entries()
            self._created(known, place)
            for name, item in self.implied.get(id(place.node), {}).items():
                known.add((Value(TEXT, name, item.node),), (item,), item.node)
            for change, frame in self.changed.get(id(place.node), ())[:MAX_KEYS]:
                self._apply(known, change, frame)
        return known

    def entry(self, base: Value, keys: Values) -> Values:
        """What `base[key]` may be."""
        if any(key.kind != TEXT or HOLE in key.data for key in keys):
            return UNKNOWN
        entries = self.entries(base)
        return merged(entries.items[key.data].values if key.data in entries.items else UNKNOWN for key in keys)

    def imply(self, base: Value, keys: Values) -> None:
        """A key of `defaultdict(dict)` is there as soon as it is asked for."""
        place = base.data
        if place.node.__class__ is not ast.Call or not place.node.args or len(keys) != 1 or keys[0].kind != TEXT:
            return
        makes = [*self.at(place.node.func, place), *self.at(place.node.args[0], place)]
        if [value.data for value in makes] == ["collections.defaultdict", "dict"] and HOLE not in keys[0].data:
            known = self.implied.setdefault(id(place.node), {})
            if len(known) < MAX_KEYS and keys[0].data not in known:
                node = ast.copy_location(ast.Dict(keys=[], values=[]), keys[0].node or place.node)
                known[keys[0].data] = Value(OBJECT, place._replace(node=node), node)
                self.opened.pop((id(place.node), id(place.frame)), None)

    def each(self, value: Value) -> Values:
        return self.columns(value)[0] if value.kind == OBJECT else super().each(value)

    def columns(self, value: Value) -> tuple[Values, Values]:
        entries = self.entries(value)
        keys = [(Value(TEXT, key, entry.node),) for key, entry in entries.items.items()]
        values = [entry.values for entry in entries.items.values()]
        if not keys and entries.whole:
            return (), ()
        rest = [] if entries.whole and not entries.loose else [UNKNOWN]
        return merged([*keys, *rest]), merged([*values, *rest])

    def _created(self, entries: Entries, place: Place) -> None:
        node = place.node
        kind = node.__class__
        if kind is ast.Dict:
            for key, item in zip(node.keys[:MAX_KEYS], node.values, strict=False):
                if key is None:
                    self._spread(entries, self.at(item, place))
                else:
                    entries.add(self.at(key, place), self.at(item, place), key)
        elif kind is ast.DictComp:
            self._comprehended(entries, place)
        elif kind is ast.BinOp:
            self._spread(entries, self.at(node.left, place))
            self._spread(entries, self.at(node.right, place))
        elif kind is ast.Call:
            self._called(entries, place)

    def _comprehended(self, entries: Entries, place: Place) -> None:
        node = place.node
        inner = self.program.inner.get(id(node))
        if inner is None or any(generator.ifs for generator in node.generators):
            entries.whole = False
            return
        keys = self.values(node.key, inner, place.scope, place.frame)
        entries.add(keys, self.values(node.value, inner, place.scope, place.frame), node.key)

    def _spread(self, entries: Entries, values: Values) -> None:
        """All keys of another dictionary, or of pairs, are taken over."""
        for value in values:
            if value.kind == OBJECT and (len(values) == 1 or value.sure):
                entries.include(self.entries(value))
            elif value.kind in (SEQUENCE, BAG):
                pairs = self.each(value)
                keys, held = (merged(self.item(pair, index) for pair in pairs) for index in (0, 1))
                entries.add(keys, held, value.node)
            else:
                entries.whole = False

    def _called(self, entries: Entries, place: Place) -> None:
        callees = self.at(place.node.func, place)
        name = callees[0].data if callees[0].kind == MODULE else ""
        first = self.argument_at(place, 0)
        if name == "dict.fromkeys":
            keys = merged(self.each(value) for value in first or UNKNOWN)
            entries.add(keys, self.argument_at(place, 1) or UNKNOWN, place.node)
        elif name in ("dataclasses.asdict", "vars"):
            self._fields(entries, first or UNKNOWN)
        elif callees[0].kind == FUNCTION:
            self._keywords(entries, place, frozenset(callees[0].data.parameters))
        else:
            if name != "collections.defaultdict" and first is not None:
                self._spread(entries, first)
            self._keywords(entries, place, frozenset())

    def _keywords(self, entries: Entries, place: Place, taken: frozenset[str]) -> None:
        for keyword in place.node.keywords:
            if keyword.arg is None:
                self._spread(entries, self.at(keyword.value, place))
            elif keyword.arg not in taken:
                entries.add((Value(TEXT, keyword.arg, keyword),), self.at(keyword.value, place), keyword)

    def _fields(self, entries: Entries, values: Values) -> None:
        for value in values:
            if value.kind != INSTANCE:
                entries.whole = False
                continue
            scope: Scope = value.data
            for name, binds in scope.binds.items():
                if binds[0].how != AUGMENTED and not self._own_methods(name):
                    entries.add((Value(TEXT, name, scope.node),), self.stored(name) or UNKNOWN, scope.node)

    def _apply(self, entries: Entries, change: Change, frame: Frame | None) -> None:
        site = change.site
        if change.how == "store":
            keys = self.of_site(change.key, site, frame)
            values = UNKNOWN if change.value is None else self.of_site(change.value, site, frame)
            entries.add(keys, unsure(values) if site.conditional else values, change.key)
        elif change.how == "update":
            self._spread(entries, self.of_site(change.value, site, frame))
        elif change.how == "remove" and change.key is not None:
            keys = self.of_site(change.key, site, frame)
            self._remove(entries, [key.data for key in keys if key.kind == TEXT and HOLE not in key.data], len(keys))
        else:
            entries.items.clear()
            entries.whole, entries.loose = False, True

    def _remove(self, entries: Entries, keys: Iterable[str], count: int) -> None:
        names = list(keys)
        if len(names) < count:
            entries.items.clear()
        for name in names:
            entries.items.pop(name, None)
        entries.whole, entries.loose = False, True

    def augmented(self, bind: Bind, frame: Frame | None) -> Values:
        """`name += text` and `name |= dictionary`."""
        node = bind.value
        before = self.values(node.target, bind.before, bind.scope, frame)
        if node.op.__class__ is ast.BitOr:
            return tuple(value if value.kind == OBJECT else UNKNOWN[0] for value in before)
        if node.op.__class__ is ast.Add and all(value.kind == TEXT for value in before):
            if len(before) > MAX_VALUES:
                return UNKNOWN
            return concatenated([before, as_texts(self.values(node.value, bind.origin, bind.scope, frame))])
        return UNKNOWN


def _table() -> dict[type, Any]:
    return {
        ast.Constant: Resolver.constant,
        ast.Name: Resolver.identifier,
        ast.JoinedStr: Resolver.formatted,
        ast.BinOp: Resolver.binary,
        ast.UnaryOp: Resolver.unary,
        ast.BoolOp: Resolver.boolean,
        ast.Compare: Resolver.comparison,
        ast.IfExp: Resolver.conditional,
        ast.NamedExpr: Resolver.named,
        ast.Dict: Resolver.dictionary,
        ast.DictComp: Resolver.dictionary,
        ast.List: Resolver.sequence,
        ast.Tuple: Resolver.sequence,
        ast.Set: Resolver.sequence,
        ast.ListComp: Resolver.comprehension,
        ast.SetComp: Resolver.comprehension,
        ast.GeneratorExp: Resolver.comprehension,
        ast.Lambda: Resolver.function,
        ast.Await: Resolver.awaited,
        ast.Subscript: Resolver.subscript,
        ast.Attribute: Resolver.attribute,
        ast.Call: Resolver.call,
    }


Resolver.expressions = _table()
