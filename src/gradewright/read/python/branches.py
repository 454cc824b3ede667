"""The walk through statements that hold others: branches, loops, handlers."""

import ast
from collections.abc import Iterable
from typing import Any

from gradewright.read.python.flow import (
    EACH,
    ENTERED,
    OPAQUE,
    Guard,
    Join,
    Point,
    is_constant_false,
    is_constant_true,
    is_main_guard,
    join,
)
from gradewright.read.python.walker import Walker

SUPPRESSORS = frozenset({"suppress", "raises", "assertRaises"})


def branches(self: Walker, node: ast.If) -> None:
    ends: list[Point] = []
    outer = self.control
    while True:
        self.expression(node.test)
        start, otherwise = self.guarded(node.test, True), self.guarded(node.test, False)
        if is_constant_false(node.test):
            self.point = otherwise
        elif is_constant_true(node.test) or is_main_guard(node.test):
            self.point = start
            self.block(node.body)
            ends.append(self.point)
            break
        else:
            self.under(node, node.test)
            ends.append(self.branch(node.body, start))
            self.point = otherwise
        if len(node.orelse) == 1 and node.orelse[0].__class__ is ast.If:
            node = node.orelse[0]
            continue
        ends.append(self.branch(node.orelse, self.point))
        break
    self.point = join(ends)
    self.control = outer


def _loop(self: Walker, node: Any, head: Join, after: Point) -> None:
    """Walk the body of a loop once; its end leads back to its head."""
    sure = node.__class__ is not ast.While and node.iter.__class__ in (ast.Tuple, ast.List) and bool(node.iter.elts)
    exits: list[Point] = []
    self.program.heads.append(head)
    self.loops.append((head, exits))
    outer = self.under(node, getattr(node, "test", None))
    end = self.branch(node.body, self.point) if not sure else _sure_body(self, node.body)
    self.loops.pop()
    self.control = outer
    if end is not None:
        head.sources.append(end)
    self.point = after
    if after is not None:
        self.block(node.orelse)
    self.point = join([self.point, *exits])


def _sure_body(self: Walker, statements: Iterable[Any]) -> Point:
    self.block(statements)
    return self.point


def for_loop(self: Walker, node: Any) -> None:
    self.expression(node.iter)
    head = Join([self.point])
    outside = self.point
    self.point = head
    self.target(node.target, EACH, node.iter, outside)
    _loop(self, node, head, head)


def while_loop(self: Walker, node: ast.While) -> None:
    head = Join([self.point])
    self.point = head
    self.expression(node.test)
    if is_constant_false(node.test):
        self.block(node.orelse)
        return
    endless = is_constant_true(node.test)
    after = None if endless else self.guarded(node.test, False)
    self.point = head if endless else self.guarded(node.test, True)
    _loop(self, node, head, after)


def break_loop(self: Walker, _: ast.Break) -> None:
    if self.loops:
        self.loops[-1][1].append(self.point)
    self.point = None


def continue_loop(self: Walker, _: ast.Continue) -> None:
    if self.loops:
        self.loops[-1][0].sources.append(self.point)
    self.point = None


def try_statement(self: Walker, node: Any) -> None:
    start = self.point
    self.raised.append([start])
    outer = self.under(node, None)
    self.block(node.body)
    risen = self.raised.pop()
    self.note_raised(risen)
    handlers_start = join([*risen, self.point])
    self.block(node.orelse)
    ends = [self.point]
    for handler in node.handlers:
        self.program.tries[id(handler)] = node
        self.point = _failed(handlers_start, handler)
        if handler.type is not None:
            self.expression(handler.type)
        if handler.name:
            self.bind(handler.name, OPAQUE, None, self.point)
        ends.append(self.branch(handler.body, self.point))
    self.control = outer
    normal = join(ends)
    if node.finalbody:
        before = join([*ends, *risen])
        self.point = before
        self.block(node.finalbody)
        if normal is None or self.point is None:
            self.point = None
        elif self.point is before:
            self.point = normal
    else:
        self.point = normal


def _failed(point: Point, node: Any) -> Point:
    """The point behind an error that `node` has caught."""
    return None if point is None else Guard(set(), point, node)


def with_statement(self: Walker, node: Any) -> None:
    suppresses = False
    for item in node.items:
        context = item.context_expr
        self.expression(context)
        function = context.func if context.__class__ is ast.Call else context
        suppresses = suppresses or getattr(function, "attr", getattr(function, "id", "")) in SUPPRESSORS
        if item.optional_vars is not None:
            self.target(item.optional_vars, ENTERED, context, self.point)
    self.raised.append([self.point])
    self.block(node.body)
    risen = self.raised.pop()
    self.note_raised(risen)
    if suppresses:
        self.point = join([_failed(join(risen), node), self.point])


def match_statement(self: Walker, node: ast.Match) -> None:
    self.expression(node.subject)
    start = self.guarded(node.subject, None)
    ends: list[Point] = [start]
    outer = self.under(node, node.subject)
    for case in node.cases:
        self.point = start
        self.pattern(case.pattern)
        if case.guard is not None:
            self.expression(case.guard)
            self.point = self.guarded(case.guard, True)
        ends.append(self.branch(case.body, self.point))
        if case.guard is None and case.pattern.__class__ is ast.MatchAs and case.pattern.pattern is None:
            ends[0] = None
    self.point = join(ends)
    self.control = outer
