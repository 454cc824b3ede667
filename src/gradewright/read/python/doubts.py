"""Whether an undefined name will break a Python script for certain. Asked only about scripts that have one."""

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from gradewright.read.python.facts import parse, program_of
from gradewright.read.python.flow import is_constant_false, is_main_guard

CATCH_ALL = frozenset({"Exception", "BaseException", "StandardError"})
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
HARMLESS = None
CERTAIN = ""


class Doubts:
    """A script in which names are undefined."""

    def __init__(self, text: str) -> None:
        tree = parse(text)
        self.tree = tree
        self.program = program_of(tree) if tree else None
        self.lines = text.split("\n")
        self.lazy = tree is not None and any(
            isinstance(node, ast.ImportFrom) and node.module == "__future__" and node.names[0].name == "annotations"
            for node in tree.body
        )

    def about(self, name: str, line: int, column: int, *, unbound: bool) -> str | None:
        """Why the name at this place (both from 1) may do no harm; nothing if it will, None if it cannot.

        `unbound`: the name is bound further down in the same function.
        """
        if self.tree is None or self.program is None or not 0 < line <= len(self.lines):
            return "the script cannot be followed any further"
        offset = len(self.lines[line - 1][: column - 1].encode("utf-8", "surrogatepass"))
        path = list(_towards(self.tree, line, offset))
        if not path or not isinstance(path[-1], ast.Name) or not self._is_reached(path, name):
            return HARMLESS
        reasons = [self._reason(outer, inner, unbound) for outer, inner in pairwise(path)]
        if HARMLESS in reasons:
            return HARMLESS
        return next((reason for reason in reasons if reason), CERTAIN)

    def _is_reached(self, path: list[Any], name: str) -> bool:
        """Whether the walk came by this name, which it does not in code behind a `return`."""
        assert self.program is not None
        for node in reversed(path):
            scope = self.program.scope_of.get(id(node))
            if scope and scope.kind in ("function", "lambda"):
                return name in scope.names or not scope.used
        return name in self.program.module.names

    def _reason(self, outer: Any, inner: Any, unbound: bool) -> str | None:
        kind = type(outer)
        if kind in FUNCTIONS:
            return self._in_function(outer, inner)
        if kind is ast.If and inner is not outer.test:
            if is_constant_false(outer.test) and inner in outer.body:
                return HARMLESS
            return CERTAIN if is_main_guard(outer.test) else "in code that not every run comes to"
        if kind in (ast.IfExp, ast.BoolOp, ast.match_case, ast.ExceptHandler):
            first = getattr(outer, "test", None) or getattr(outer, "values", [None])[0]
            return CERTAIN if inner is first else "in code that not every run comes to"
        if kind in (ast.Try, ast.TryStar) and inner in outer.body:
            return _caught(outer)
        if kind in (ast.For, ast.While, ast.AsyncFor) and unbound:
            return "in a loop that may have bound it before"
        if kind is ast.AnnAssign and inner is outer.annotation:
            return HARMLESS if self.lazy else "in an annotation"
        if kind is ast.arg:
            return HARMLESS if self.lazy else "in an annotation"
        return CERTAIN

    def _in_function(self, function: Any, inner: Any) -> str | None:
        if inner is getattr(function, "returns", None):
            return HARMLESS if self.lazy else "in an annotation"
        body = function.body if isinstance(function.body, list) else [function.body]
        if inner not in body:
            return CERTAIN
        scope = self.program.scope_of.get(id(function)) if self.program else None
        if isinstance(function, ast.Lambda):
            return "in a lambda"
        return CERTAIN if scope and scope.used else f"in `{function.name}`, which nothing calls"


def _towards(tree: ast.AST, line: int, offset: int) -> Iterator[ast.AST]:
    """The nodes around a position, from the script down to the innermost."""
    here: ast.AST | None = tree
    while here is not None:
        yield here
        here = next((child for child in _children(here) if _covers(child, line, offset)), None)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The children that have a position; those without one are looked through."""
    for child in ast.iter_child_nodes(node):
        if hasattr(child, "lineno") or isinstance(child, ast.match_case):
            yield child
        elif isinstance(child, ast.arguments | ast.comprehension | ast.withitem):
            yield from _children(child)


def _covers(node: Any, line: int, offset: int) -> bool:
    if isinstance(node, ast.match_case):
        return any(_covers(child, line, offset) for child in ast.iter_child_nodes(node))
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
    if not first <= line <= node.end_lineno:
        return False
    start = node.col_offset if line == node.lineno else 0
    end = node.end_col_offset if line == node.end_lineno else 1 << 40
    return bool(start <= offset < end)


def _caught(statement: Any) -> str | None:
    """What becomes of a NameError in the body of `try`."""
    for handler in statement.handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        names = {getattr(kind, "id", "") for kind in kinds}
        if names & {"NameError", "UnboundLocalError"}:
            return HARMLESS
        if handler.type is None or names & CATCH_ALL:
            return "where a `try` catches the error"
    return CERTAIN
