"""Whether a number has been checked on its way: compared with something that the script has found out itself."""

import ast
from typing import Any

from gradewright.read.python.kinds import CONSTANT, HOLE, MODULE, SEQUENCE, TEXT
from gradewright.read.python.trace import Spot, Tracer

TYPES = frozenset({"int", "float", "str", "bool", "dict", "list"})
HARMLESS_CALLS = frozenset({
    "isinstance", "float", "int", "len", "type", "get", "isfinite", "isnan", "isinf",
    "hasattr", "callable", "any", "all", "strip", "round", "str", "isdigit", "bool", "abs", "keys",
})  # fmt: skip
"""What a test may call without making sure that a number is right."""


class Checked(Tracer):
    """Tells tests that look at type, range and presence from those that find out whether something is right."""

    def is_checked(self, name: str, spot: Spot) -> bool:
        """Whether a test on the way here has compared `name` with something that the script has found out itself."""
        if not self.lookup(name, spot.point).guarded:
            return False
        return any(
            not self.is_formal(test, spot._replace(point=guard.before)) for test, guard in self.guards(name, spot.point)
        )

    def is_formal(self, test: Any, there: Spot) -> bool:
        """Whether a test looks at nothing but type, range and presence."""
        for part in ast.walk(test):
            if part.__class__ is ast.Call:
                function = part.func
                name = getattr(function, "attr", getattr(function, "id", ""))
                if name not in HARMLESS_CALLS:
                    return False
            elif part.__class__ is ast.Compare:
                sides = [part.left, *part.comparators]
                if part.ops[0].__class__ not in (ast.In, ast.NotIn) and not any(
                    self.is_fixed(one, there) for one in sides
                ):
                    return False
        return True

    def is_fixed(self, node: Any, spot: Spot) -> bool:
        """Whether an expression is a literal, or a name for one."""
        if node.__class__ is ast.Constant:
            return True
        for value in self.values(node, spot):
            if value.kind == SEQUENCE:
                if not all(one.kind in (CONSTANT, TEXT) for item in value.data for one in item):
                    return False
            elif value.kind == MODULE:
                if value.data not in TYPES:
                    return False
            elif value.kind not in (CONSTANT, TEXT) or (value.kind == TEXT and HOLE in value.data):
                return False
        return True
