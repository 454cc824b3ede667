"""The part of the walk that goes through expressions: names bound in them, calls, changes to dictionaries."""

import ast
from typing import Any

from gradewright.read.python.flow import (
    ASSIGNED,
    EACH,
    EACH_ITEM,
    ITEM,
    OPAQUE,
    Bind,
    Change,
    Control,
    Entry,
    Guard,
    Join,
    Point,
    Program,
    Scope,
    Site,
)

PARTS: dict[type, tuple[str, ...]] = {
    ast.Attribute: ("value",),
    ast.Await: ("value",),
    ast.BinOp: ("left", "right"),
    ast.BoolOp: ("values",),
    ast.Compare: ("left", "comparators"),
    ast.Dict: ("keys", "values"),
    ast.FormattedValue: ("value", "format_spec"),
    ast.IfExp: ("test", "body", "orelse"),
    ast.JoinedStr: ("values",),
    ast.List: ("elts",),
    ast.NamedExpr: ("value",),
    ast.Set: ("elts",),
    ast.Slice: ("lower", "upper", "step"),
    ast.Starred: ("value",),
    ast.Subscript: ("value", "slice"),
    ast.Tuple: ("elts",),
    ast.UnaryOp: ("operand",),
    ast.Yield: ("value",),
    ast.YieldFrom: ("value",),
}
COMPREHENSIONS = frozenset({ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp})
CHANGERS = {
    "update": "update", "setdefault": "store", "__setitem__": "store", "pop": "remove", "popitem": "clear",
    "clear": "clear", "__delitem__": "remove",
}  # fmt: skip
FILLERS = frozenset({"add", "append", "appendleft", "extend", "insert", *CHANGERS})
"""Methods that change what a container holds; where one is not called at once, it may be at any time."""

WRITERS = frozenset({
    "write_text", "write_bytes", "write", "writelines", "dump", "open", "fdopen", "replace", "rename", "move", "copy",
    "copy2", "copyfile",
})  # fmt: skip
"""Methods and functions that put something into a file; mentioned without a call, they are handed on."""

YIELD = "yield"
"""Stands among the attributes that a scope mentions; no attribute can be called so."""


class Expressions:
    """What is known at the place that the walk has reached."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.scope = program.module
        self.point: Point = Entry(program.module)
        self.depth = 0
        self.control: Control | None = None
        self.pending: list[tuple[Scope, Any]] = []
        self.raised: list[list[Point]] = []
        self.loops: list[tuple[Join, list[Point]]] = []
        self.recent: list[str] = []

    def site(self, node: Any) -> Site:
        return Site(node, self.point, self.scope, bool(self.depth) or self.scope.ended_early, self.control)

    def new_scope(self, kind: str, name: str, node: Any) -> Scope:
        scope = Scope(kind, name, node, self.scope)
        self.program.scopes.append(scope)
        self.program.scope_of[id(node)] = scope
        return scope

    def note_raised(self, points: list[Point]) -> None:
        """An exception may also leave the statement around from any of `points`."""
        if self.raised:
            self.raised[-1].extend(points)

    def bind(self, name: str, how: int, value: Any, before: Point, index: int = -1) -> None:
        bound = Bind(name, how, value, self.point, self.scope)
        bound.origin = before
        bound.index = index
        bound.control = self.control
        bound.alternative = self.depth > 0
        self.scope.binds.setdefault(name, []).append(bound)
        self.point = bound
        if self.raised:
            self.raised[-1].append(bound)

    def attribute(self, name: str, how: int, value: Any, before: Point) -> None:
        """An attribute of some object is bound; attributes are told apart by their name only."""
        bound = Bind(name, how, value, before, self.scope)
        bound.control = self.control
        bound.alternative = self.depth > 0
        self.program.attributes.setdefault(name, []).append(bound)

    def target(self, node: Any, how: int, value: Any, before: Point, index: int = -1) -> None:
        """Bind the target of an assignment, a loop or `with`; `value` is evaluated at the point `before`."""
        kind = node.__class__
        if kind is ast.Name:
            self.bind(node.id, how, value, before, index)
        elif kind in (ast.Tuple, ast.List):
            inner = {ASSIGNED: ITEM, EACH: EACH_ITEM}.get(how, OPAQUE)
            for position, element in enumerate(node.elts):
                self.target(element, inner, value, before, position)
        elif kind is ast.Starred:
            self.target(node.value, OPAQUE, None, before)
        elif kind is ast.Attribute:
            self.expression(node.value)
            self.attribute(node.attr, how, value, before)
        elif kind is ast.Subscript:
            self.expression(node.value)
            self.expression(node.slice)
            stored = value if how == ASSIGNED else None
            self.program.changes.append(Change("store", node.value, node.slice, stored, self.site(node)))

    def guarded(self, test: Any, holds: bool | None) -> Point:
        """The point behind a test that was just walked: it may let only some values of its names through."""
        names = set(self.recent)
        return Guard(names, self.point, test, holds) if names and test is not None else self.point

    def expression(self, root: Any) -> None:
        """Walk an expression of any depth."""
        self.recent = []
        self._walk(root)

    def _walk(self, root: Any) -> None:
        pending = [root]
        names, recent = self.scope.names, self.recent
        while pending:
            node = pending.pop()
            kind = node.__class__
            if kind is ast.Name:
                names.add(node.id)
                recent.append(node.id)
            elif kind is ast.Constant:
                if node.value.__class__ is str and node.value[:1] == "/":
                    self.program.texts.append(self.site(node))
            elif kind is ast.Call:
                self._call(node)
                if node.func.__class__ is ast.Attribute:
                    self.scope.attributes.add(node.func.attr)
                    pending.append(node.func.value)
                else:
                    pending.append(node.func)
                pending.extend(node.args)
                pending.extend(keyword.value for keyword in node.keywords)
            elif kind in PARTS:
                self._parts(node, kind, pending)
            elif kind in COMPREHENSIONS:
                self._comprehension(node)
            elif kind is ast.Lambda:
                self._lambda(node, pending)

    def _parts(self, node: Any, kind: type, pending: list[Any]) -> None:
        if kind is ast.Attribute:
            self.scope.attributes.add(node.attr)
            if node.attr in WRITERS:
                self.program.handed.append(self.scope)
            if node.attr in FILLERS:
                self.program.changes.append(Change("clear", node.value, None, None, self.site(node)))
        elif kind is ast.NamedExpr:
            self.bind(node.target.id, ASSIGNED, node.value, self.point)
        elif kind in (ast.Yield, ast.YieldFrom):
            self.scope.attributes.add(YIELD)
        elif kind is ast.Set:
            self.program.sets.append(node.lineno)
        for name in PARTS[kind]:
            part = getattr(node, name)
            if part.__class__ is list:
                pending.extend(part)
            elif part is not None:
                pending.append(part)

    def _call(self, node: Any) -> None:
        function = node.func
        name = ""
        if function.__class__ is ast.Name:
            name = function.id
        elif function.__class__ is ast.Attribute:
            name = function.attr
            if name in CHANGERS:
                self._change(CHANGERS[name], node, function.value)
        self.program.calls.setdefault(name, []).append(self.site(node))

    def _change(self, how: str, node: Any, base: Any) -> None:
        arguments = node.args
        key = arguments[0] if arguments and how != "update" else None
        site = self.site(node)
        if how == "store" and len(arguments) > 1:
            self.program.changes.append(Change(how, base, key, arguments[1], site))
        elif how == "update":
            for argument in arguments:
                self.program.changes.append(Change(how, base, None, argument, site))
            for keyword in node.keywords:
                stored = "store" if keyword.arg else "update"
                name = ast.copy_location(ast.Constant(keyword.arg), keyword) if keyword.arg else None
                self.program.changes.append(Change(stored, base, name, keyword.value, site))
        elif how in ("remove", "clear"):
            self.program.changes.append(Change(how, base, key, None, site))

    def _comprehension(self, node: Any) -> None:
        start = self.point
        if node.__class__ is ast.SetComp:
            self.program.sets.append(node.lineno)
        for generator in node.generators:
            self._walk(generator.iter)
            self.target(generator.target, EACH, generator.iter, self.point)
            for test in generator.ifs:
                self._walk(test)
        if node.__class__ is ast.DictComp:
            self._walk(node.key)
            self._walk(node.value)
        else:
            self._walk(node.elt)
        self.program.inner[id(node)] = self.point
        self.point = start

    def pattern(self, root: Any) -> None:
        """The names that a pattern of `match` may bind."""
        for part in ast.walk(root):
            names = (getattr(part, "name", None), getattr(part, "rest", None))
            for name in names:
                if name.__class__ is str:
                    self.bind(name, OPAQUE, None, self.point)

    def _lambda(self, node: Any, pending: list[Any]) -> None:
        scope = self.new_scope("lambda", "", node)
        scope.used = True
        pending.extend(default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None)
        self.pending.append((scope, node))
