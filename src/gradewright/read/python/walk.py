"""One walk over the syntax tree of a script, statement by statement; see `python_flow` for what it builds."""

import ast
from collections.abc import Callable
from typing import Any

from gradewright.read.python.branches import (
    branches,
    break_loop,
    continue_loop,
    for_loop,
    match_statement,
    try_statement,
    while_loop,
    with_statement,
)
from gradewright.read.python.flow import (
    ASSIGNED,
    AUGMENTED,
    DEFINED,
    IMPORTED,
    OPAQUE,
    Change,
    Program,
    is_constant_false,
)
from gradewright.read.python.walker import Walker

NEVER_RETURN = frozenset({"exit", "quit", "_exit", "abort"})


def _expression_statement(self: Walker, node: ast.Expr) -> None:
    value = node.value
    if value.__class__ is ast.Constant:
        return
    self.expression(value)
    if value.__class__ is ast.Call:
        function = value.func
        name = function.attr if function.__class__ is ast.Attribute else getattr(function, "id", "")
        if name in NEVER_RETURN:
            self.end()


def _assign(self: Walker, node: ast.Assign) -> None:
    self.expression(node.value)
    point = self.point
    if node.value.__class__ is ast.Lambda and node.targets[0].__class__ is ast.Name:
        self.program.scope_of[id(node.value)].name = node.targets[0].id
    for target in node.targets:
        self.target(target, ASSIGNED, node.value, point)


def _annotated_assign(self: Walker, node: ast.AnnAssign) -> None:
    if self.scope.kind != "function":
        self.expression(node.annotation)
    if node.value is not None:
        self.expression(node.value)
        self.target(node.target, ASSIGNED, node.value, self.point)
    elif self.scope.kind == "class" and node.target.__class__ is ast.Name:
        self.bind(node.target.id, OPAQUE, None, self.point)


def _augmented_assign(self: Walker, node: ast.AugAssign) -> None:
    self.expression(node.value)
    target = node.target
    if target.__class__ is ast.Name:
        if node.op.__class__ is ast.BitOr:
            self.program.changes.append(Change("update", target, None, node.value, self.site(node)))
        self.bind(target.id, AUGMENTED, node, self.point)
        return
    self.expression(target)
    if node.op.__class__ is ast.BitOr:
        self.program.changes.append(Change("update", target, None, node.value, self.site(node)))
    elif target.__class__ is ast.Subscript:
        key = target.slice
        self.program.changes.append(Change("store", target.value, key, None, self.site(target)))
    elif target.__class__ is ast.Attribute:
        self.attribute(target.attr, OPAQUE, node.value, self.point)


def _return(self: Walker, node: ast.Return) -> None:
    if node.value is not None:
        self.expression(node.value)
    self.scope.returns.append(self.site(node.value))
    self.end()


def _raise(self: Walker, node: ast.Raise) -> None:
    for part in (node.exc, node.cause):
        if part is not None:
            self.expression(part)
    self.program.raises.append(self.site(node))
    self.end()


def _assert(self: Walker, node: ast.Assert) -> None:
    self.expression(node.test)
    if node.msg is not None:
        self.expression(node.msg)
    self.program.asserts.append(self.site(node))
    if is_constant_false(node.test):
        self.end()
    else:
        self.point = self.guarded(node.test, True)


def _function(self: Walker, node: Any) -> None:
    scope = self.new_scope("function", node.name, node)
    for decorator in node.decorator_list:
        self.expression(decorator)
    scope.used = bool(node.decorator_list) and self.scope.kind != "class"
    arguments = node.args
    for default in (*arguments.defaults, *arguments.kw_defaults):
        if default is not None:
            self.expression(default)
    self.bind(node.name, DEFINED, scope, self.point)
    self.pending.append((scope, node))


def _class(self: Walker, node: ast.ClassDef) -> None:
    for part in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
        self.expression(part)
    scope = self.new_scope("class", node.name, node)
    outer, start = self.scope, self.point
    self.scope = scope
    self.block(node.body)
    outer.names |= scope.names
    outer.attributes |= scope.attributes
    self.scope, self.point = outer, start
    self.bind(node.name, DEFINED, scope, start)


def _import(self: Walker, node: ast.Import) -> None:
    for alias in node.names:
        dotted = alias.name if alias.asname else alias.name.partition(".")[0]
        self.bind(alias.asname or dotted, IMPORTED, dotted, self.point)


def _import_from(self: Walker, node: ast.ImportFrom) -> None:
    module = "." * node.level + (node.module or "")
    for alias in node.names:
        self.bind(alias.asname or alias.name, IMPORTED, f"{module}.{alias.name}", self.point)


def _shared(self: Walker, node: Any) -> None:
    self.scope.shared.update(node.names)
    self.program.shared.update(node.names)


def _delete(self: Walker, node: ast.Delete) -> None:
    for target in node.targets:
        if target.__class__ is ast.Subscript:
            self.expression(target)
            base, key = target.value, target.slice
            self.program.changes.append(Change("remove", base, key, None, self.site(target)))


STATEMENTS: dict[type, Callable[[Walker, Any], None]] = {
    ast.Expr: _expression_statement,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated_assign,
    ast.AugAssign: _augmented_assign,
    ast.If: branches,
    ast.For: for_loop,
    ast.AsyncFor: for_loop,
    ast.While: while_loop,
    ast.Break: break_loop,
    ast.Continue: continue_loop,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Try: try_statement,
    ast.TryStar: try_statement,
    ast.With: with_statement,
    ast.AsyncWith: with_statement,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Global: _shared,
    ast.Nonlocal: _shared,
    ast.Delete: _delete,
    ast.Match: match_statement,
}


def walk(tree: ast.Module) -> Program:
    """Everything that the resolver needs to know of a script."""
    walker = Walker(Program(tree), STATEMENTS)
    walker.block(tree.body)
    walker.finish()
    return walker.program
