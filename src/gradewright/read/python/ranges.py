"""What a score may be: zero, full, a part, or something that is not known."""

import ast
from typing import Any

from gradewright.read.python.flow import Bind, Control, Scope
from gradewright.read.python.kinds import CLASS, FUNCTION, MODULE, OBJECT, Frame
from gradewright.read.python.trace import DIRECT, Picks, Spot, Way
from gradewright.read.python.trace_calls import REDUCED, SAME, Called
from gradewright.read.python.trace_forms import DOCUMENT

ZERO, FULL, PART, UNKNOWN = "zero", "full", "part", "unknown"
TRUTH = frozenset({ZERO, FULL})
SHARE = frozenset({ZERO, FULL, PART})
TRUTHS = frozenset({"bool", "all", "any", "isinstance", "callable", "hasattr", "os.path.exists", "os.path.isfile"})
EXTREMES = frozenset({"min", "max"})


class Ranged(Called):
    """Follows a score to what it is made of, and keeps its range and the names it is made with."""

    def __init__(self, tracer: Called) -> None:
        super().__init__(tracer.resolver)
        self.range: set[str] = set()
        self.names: set[str] = set()

    def decided(self, control: Control | None, scope: Scope, frame: Frame | None, way: Way) -> None:
        """Tests decide which score it is, not what it may be."""

    def identifier(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        self.names.add(node.id)
        self.name(node.id, spot, way, picks)

    def bound(self, bind: Bind, frame: Frame | None, way: Way, picks: Picks) -> None:
        if bind.value is None:
            self.range.add(UNKNOWN)
        super().bound(bind, frame, way, picks)

    def augmented(self, _bind: Bind, node: Any, _spot: Spot, _way: Way, _: Picks) -> None:
        self._mention(node.value)
        self.range |= SHARE

    def _mention(self, node: Any) -> None:
        self.names.update(part.id for part in ast.walk(node) if part.__class__ is ast.Name)

    def constant(self, node: Any, _spot: Spot, _way: Way, _: Picks) -> None:
        value = node.value
        if value.__class__ is str:
            try:
                value = float(value)
            except ValueError:
                return
        if value.__class__ in (int, float, bool):
            self.range.add(ZERO if not value else FULL if value == 1 else PART)

    def truth(self, node: Any, _spot: Spot, _way: Way, _: Picks) -> None:
        self._mention(node)
        self.range |= TRUTH

    def unary(self, node: Any, _spot: Spot, _way: Way, _: Picks) -> None:
        self.range |= TRUTH if node.op.__class__ is ast.Not else SHARE

    def binary(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        texts = [side for side in (node.left, node.right) if getattr(side, "value", None).__class__ is str]
        if texts:
            for side in (node.left, node.right):
                if side not in texts:
                    self.follow(side, spot, way, picks)
            return
        self._mention(node)
        self.range |= SHARE

    def conditional(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        self.follow(node.body, spot, way, picks)
        self.follow(node.orelse, spot, way, picks)

    def is_source(self, node: Any, spot: Spot, way: Way) -> bool:
        callees = self.values(node.func, spot)
        dotted = callees[0].data if callees[0].kind == MODULE else ""
        if dotted in TRUTHS:
            self.range |= TRUTH
        elif dotted in REDUCED:
            self._mention(node)
            self.range |= SHARE
        elif dotted in EXTREMES and len(node.args) > 1:
            for argument in node.args:
                if argument.__class__ is not ast.Constant:
                    self.follow(argument, spot, way)
        elif dotted in SAME or any(callee.kind in (FUNCTION, CLASS) for callee in callees):
            return False
        else:
            return self._is_unknown(dotted, node, spot)
        return True

    def _is_unknown(self, dotted: str, node: Any, spot: Spot) -> bool:
        function = node.func
        if not dotted and function.__class__ is ast.Attribute:
            own = self.resolver._own_methods(function.attr)
            if own or any(value.kind == OBJECT for value in self.values(function.value, spot)):
                return False
        self.range.add(UNKNOWN)
        return True


def range_of(tracer: Called, nodes: list[Any], spot: Spot) -> tuple[frozenset[str], frozenset[str]]:
    """What a reward made of `nodes` may be, and the names it is made with."""
    ranged = Ranged(tracer)
    for node in nodes:
        ranged.follow(node, spot, Way(DIRECT), (DOCUMENT,))
    ranged.run()
    return frozenset(ranged.range or {UNKNOWN}), frozenset(ranged.names)


Ranged.forms = {
    ast.Constant: Ranged.constant,
    ast.Name: Ranged.identifier,
    ast.BinOp: Ranged.binary,
    ast.UnaryOp: Ranged.unary,
    ast.BoolOp: Ranged.boolean,
    ast.Compare: Ranged.truth,
    ast.IfExp: Ranged.conditional,
    ast.NamedExpr: Ranged.inner,
    ast.Await: Ranged.inner,
    ast.JoinedStr: Ranged.formatted,
    ast.List: Ranged.sequence,
    ast.Tuple: Ranged.sequence,
    ast.Dict: Ranged.dictionary,
    ast.Subscript: Ranged.subscript,
    ast.Attribute: Ranged.attribute,
    ast.Call: Ranged.call,
}
