"""How code is walked: block by block, branch by branch."""

from collections.abc import Callable, Iterable
from typing import Any

from gradewright.read.python.expressions import Expressions
from gradewright.read.python.flow import Control, Entry, Point, Program


class Walker(Expressions):
    """Walks all code that can be reached; functions are put aside and walked after the code around them."""

    def __init__(self, program: Program, handlers: "dict[type, Callable[[Walker, Any], None]]") -> None:
        super().__init__(program)
        self.handlers = handlers

    def block(self, statements: Iterable[Any]) -> None:
        for statement in statements:
            if self.point is None:
                return
            handler = self.handlers.get(statement.__class__)
            if handler:
                handler(self, statement)

    def branch(self, statements: Iterable[Any], start: Point) -> Point:
        """Walk code that may be skipped; the point at its end."""
        self.point = start
        self.depth += 1
        self.block(statements)
        self.depth -= 1
        return self.point

    def under(self, node: Any, test: Any) -> Control | None:
        """What follows runs only as `node` decides, by `test`; the control to go back to afterwards."""
        outer = self.control
        self.control = Control(node, test, self.point, outer)
        return outer

    def end(self) -> None:
        """The flow ends here, by `return`, `raise` or an exit."""
        self.point = None
        if self.depth:
            self.scope.ended_early = True

    def finish(self) -> None:
        """Walk the bodies of all functions that were put aside."""
        while self.pending:
            scope, node = self.pending.pop()
            self.scope, self.point, self.depth = scope, Entry(scope), 0
            self.raised, self.loops, self.control = [], [], None
            if scope.kind == "lambda":
                self.expression(node.body)
                scope.returns.append(self.site(node.body))
            else:
                self.block(node.body)
                if self.point is not None:
                    scope.returns.append(self.site(None))
