"""What an expression of a script may be: resolved on demand, never run.

Everything is a tuple of possible `Value`s. Where too much is possible, one of them is `UNKNOWN`.
"""

import ast
from collections.abc import Callable
from typing import Any

from gradewright.read.python.flow import (
    ASSIGNED,
    AUGMENTED,
    DEFINED,
    EACH,
    EACH_ITEM,
    ENTERED,
    FUNCTIONS,
    IMPORTED,
    ITEM,
    Bind,
    Point,
    Program,
    Scope,
    Site,
    find,
)
from gradewright.read.python.kinds import (
    BAG,
    CLASS,
    CONSTANT,
    FUNCTION,
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

MAX_STEPS = 20_000
MAX_DEPTH = 60
MAX_FRAMES = 6
MAX_WAYS = 32


class Core:
    """Names, bindings, parameters and attributes; what an expression's own form means is added by subclasses."""

    expressions: dict[type, Callable[[Any, Place], Values]]

    def __init__(self, program: Program) -> None:
        self.program = program
        self.steps = 0
        self.depth = 0
        self.known: dict[tuple[int, int], Values] = {}
        self.frames: dict[tuple[int, int, int], Frame] = {}
        self.sites: dict[int, list[Site]] = {}
        self.ways: dict[int, list[Frame | None]] = {}

    def values(self, node: Any, point: Point, scope: Scope, frame: Frame | None = None) -> Values:
        """What the expression `node` may be at `point`."""
        handler = self.expressions.get(node.__class__)
        if handler is None:
            return UNKNOWN
        key = id(node), id(frame)
        known = self.known.get(key)
        if known is not None:
            return known
        self.steps += 1
        if self.depth > MAX_DEPTH or self.steps > MAX_STEPS:
            return UNKNOWN
        self.known[key] = UNKNOWN
        self.depth += 1
        result = self.known[key] = handler(self, Place(node, point, scope, frame))
        self.depth -= 1
        return result

    def at(self, node: Any, place: Place) -> Values:
        """What `node` may be where `place` is."""
        return self.values(node, place.point, place.scope, place.frame)

    def of_site(self, node: Any, site: Site, frame: Frame | None = None) -> Values:
        return self.values(node, site.point, site.scope, frame)

    def name(self, name: str, place: Place) -> Values:
        """What `name` may be bound to."""
        if name in self.program.shared:
            everywhere = [bind for scope in self.program.scopes for bind in scope.binds.get(name, ())]
            return unsure(merged(self.bound(bind, place.frame) for bind in everywhere[:MAX_VALUES]))
        found = find(name, place.point)
        if not found.whole or len(found.binds) > MAX_VALUES:
            return UNKNOWN
        parts = [self._one_of(bind, len(found.binds), place.frame) for bind in found.binds]
        for entry in found.entries:
            outside = self._from_outside(name, entry, place.frame, bool(parts))
            if outside:
                parts.append(outside)
        values = merged(parts)
        return unsure(values) if found.guarded else values

    def _one_of(self, bind: Bind, count: int, frame: Frame | None) -> Values:
        values = self.bound(bind, frame)
        return unsure(values) if count > 1 and not bind.alternative else values

    def _from_outside(self, name: str, scope: Scope, frame: Frame | None, local: bool) -> Values:
        """What `name` is at the start of `scope`: a parameter, something of a scope around it, or a builtin."""
        here: Scope | None = scope
        while here is not None:
            if here.kind in FUNCTIONS and name in here.parameters:
                return self.parameter(here, name, frame)
            if here.kind != "class" and name in here.binds and name not in here.shared:
                if here is scope:
                    return () if local else UNKNOWN
                binds = here.binds[name]
                if len(binds) > MAX_VALUES:
                    return UNKNOWN
                values = merged(self.bound(bind, None if here.kind == "module" else frame) for bind in binds)
                return values if len(binds) == 1 else unsure(values)
            here = here.parent
        if name == "__file__" and not local:
            return (Value(TEXT, self.program.staged, scope.node),)
        return () if local else (Value(MODULE, name),)

    def bound(self, bind: Bind, frame: Frame | None) -> Values:
        """What a binding gives its name."""
        how, value = bind.how, bind.value
        if how == IMPORTED:
            return (Value(MODULE, value),)
        if how == DEFINED:
            return (Value(CLASS if value.kind == "class" else FUNCTION, value, value.node),)
        if how == AUGMENTED:
            return self.augmented(bind, frame)
        if value is None or how not in (ASSIGNED, ITEM, EACH, EACH_ITEM, ENTERED):
            return UNKNOWN
        values = self.values(value, bind.origin, bind.scope, frame)
        if how in (ASSIGNED, ENTERED):
            return values
        if how == ITEM:
            return merged(self.item(one, bind.index) for one in values)
        items = merged(self.each(one) for one in values)
        return items if how == EACH else merged(self.item(one, bind.index) for one in items)

    def item(self, value: Value, index: int) -> Values:
        """The item `index` (from 0) of `value`."""
        if value.kind == SEQUENCE and 0 <= index < len(value.data):
            return value.data[index] if value.sure else unsure(value.data[index])
        return UNKNOWN

    def each(self, value: Value) -> Values:
        """All items of `value`."""
        if value.kind == SEQUENCE:
            return merged(value.data) if value.data else ()
        if value.kind == BAG:
            return value.data  # type: ignore[no-any-return]
        return UNKNOWN

    def augmented(self, bind: Bind, frame: Frame | None) -> Values:
        raise NotImplementedError

    # --- calls ---

    def entered(self, scope: Scope, site: Site, outer: Frame | None) -> Frame | None:
        """The frame of a call of `scope` at `site`; None when calls are nested too deeply to be told apart."""
        if outer and outer.depth >= MAX_FRAMES:
            return None
        key = id(scope), id(site.node), id(outer)
        frame = self.frames.get(key)
        if frame is None:
            frame = self.frames[key] = Frame(scope, site, outer)
        return frame

    def parameter(self, scope: Scope, name: str, frame: Frame | None) -> Values:
        """What the parameter `name` may be: from the call being looked into, else from every call in the script."""
        here = frame
        while here is not None:
            if here.scope is scope:
                return self.argument(scope, name, here.site, here.outer)
            here = here.outer
        sites = self.call_sites(scope)
        if not sites or len(sites) > MAX_VALUES:
            return UNKNOWN
        values = merged(self.argument(scope, name, site, None) for site in sites)
        return values if len(sites) == 1 else unsure(values)

    def argument(self, scope: Scope, name: str, site: Site, outer: Frame | None) -> Values:
        """What a call hands over as the parameter `name`."""
        call, arguments = site.node, scope.node.args
        positional = [item.arg for item in (*arguments.posonlyargs, *arguments.args)]
        if scope.parent and scope.parent.kind == "class" and scope.kind == "function" and not _is_static(scope.node):
            positional = positional[1:]
        spread = any(item.__class__ is ast.Starred for item in call.args)
        for keyword in call.keywords:
            if keyword.arg == name:
                return self.of_site(keyword.value, site, outer)
            spread = spread or keyword.arg is None
        if arguments.kwarg and arguments.kwarg.arg == name:
            return (Value(OBJECT, Place(call, site.point, site.scope, outer), call),)
        if name in positional and not spread:
            index = positional.index(name)
            if index < len(call.args):
                return self.of_site(call.args[index], site, outer)
        default = None if spread else scope.parameters.get(name)
        if default is None or scope.parent is None:
            return UNKNOWN
        defined = next((b for b in scope.parent.binds.get(scope.name, ()) if b.value is scope), None)
        return self.values(default, defined.origin, scope.parent, None) if defined else UNKNOWN

    def call_sites(self, scope: Scope) -> list[Site]:
        """The calls of a function of the script that can be told to be calls of it."""
        sites = self.sites.get(id(scope))
        if sites is None:
            self.sites[id(scope)] = []
            method = scope.parent is not None and scope.parent.kind == "class"
            name = scope.parent.name if method and scope.name == "__init__" else scope.name  # type: ignore[union-attr]
            sites = [site for site in self.program.calls.get(name, ()) if site.scope.used and name]
            if not method:
                sites = [site for site in sites if self._calls(site, scope)]
            self.sites[id(scope)] = sites
        return sites

    def _calls(self, site: Site, scope: Scope) -> bool:
        return any(value.kind == FUNCTION and value.data is scope for value in self.of_site(site.node.func, site))

    def returned(self, scope: Scope, site: Site, outer: Frame | None) -> Values:
        """What a call of a function of the script may give."""
        frame = self.entered(scope, site, outer)
        if frame is None or _is_generator(scope):
            return UNKNOWN
        nothing: Values = (Value(CONSTANT, None, site.node, sure=False),)
        results = scope.returns[: MAX_VALUES + 1]
        return merged(nothing if one.node is None else self.of_site(one.node, one, frame) for one in results)

    def frames_of(self, scope: Scope) -> list[Frame | None]:
        """One frame for each way in which code of `scope` is reached; None where they are too many to be told apart."""
        known = self.ways.get(id(scope))
        if known is None:
            self.ways[id(scope)] = [None]
            known = self.ways[id(scope)] = self._frames_of(scope) if scope.kind in FUNCTIONS else [None]
        return known

    def _frames_of(self, scope: Scope) -> list[Frame | None]:
        found: list[Frame | None] = []
        for site in self.call_sites(scope):
            found.extend(self.entered(scope, site, outer) for outer in self.frames_of(site.scope))
            if len(found) > MAX_WAYS:
                return [None]
        return found or [None]


def _is_static(node: Any) -> bool:
    return any(getattr(decorator, "id", "") == "staticmethod" for decorator in node.decorator_list)


def _is_generator(scope: Scope) -> bool:
    return scope.node.__class__ is ast.AsyncFunctionDef or "yield" in scope.attributes
