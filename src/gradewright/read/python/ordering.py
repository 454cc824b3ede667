"""Whether it is left to accident which item of a container is taken: sets, and listings of folders."""

import ast
from typing import Any

from gradewright.read.python.flow import ASSIGNED, ITEM, Bind, Control, Found, Site
from gradewright.read.python.kinds import FUNCTION, MODULE, TEXT
from gradewright.read.python.trace import Spot, spot_of
from gradewright.read.python.trace_calls import Called

LISTINGS = frozenset({"os.listdir", "os.scandir", "glob.glob", "glob.iglob"})
LISTING_METHODS = frozenset({"iterdir", "glob", "rglob"})
SETS = frozenset({"set", "frozenset"})
SET_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference"})
KEEPING = frozenset({"list", "tuple", "iter", "filter", "map", "enumerate", "reversed"})
SET_OPERATORS = (ast.BitAnd, ast.BitOr, ast.Sub, ast.BitXor)
WILD = frozenset("*?[")
UNIQUE = frozenset({"name", "stem"})
MAX_DEPTH = 8


class Ordered(Called):
    """Finds the expression that lists things without order."""

    def unordered(self, node: Any, spot: Spot, depth: int = 0) -> Any:
        """The expression from which the items of `node` come in no particular order; None if they have one."""
        if depth > MAX_DEPTH:
            return None
        kind = node.__class__
        if kind is ast.Call:
            return self._unordered_call(node, spot, depth)
        if kind in (ast.Set, ast.SetComp):
            return node if kind is ast.SetComp or len(node.elts) > 1 else None
        if kind in (ast.ListComp, ast.GeneratorExp):
            if any(_picks_one(test) for generator in node.generators for test in generator.ifs):
                return None
            return self.unordered(node.generators[0].iter, spot, depth + 1)
        if kind is ast.BinOp and isinstance(node.op, SET_OPERATORS):
            left = self.unordered(node.left, spot, depth + 1)
            return left if left is not None and _is_set(left) else None
        if kind is ast.Subscript and node.slice.__class__ is ast.Slice:
            return self.unordered(node.value, spot, depth + 1)
        return self._unordered_name(node, spot, depth) if kind is ast.Name else None

    def _unordered_call(self, node: Any, spot: Spot, depth: int) -> Any:
        for callee in self.values(node.func, spot)[:1]:
            if callee.kind == FUNCTION:
                frame = self.resolver.entered(
                    callee.data, Site(node, spot.point, spot.scope, control=spot.control), spot.frame
                )
                sites = [site for site in callee.data.returns if site.node is not None]
                if frame is None or len(sites) != 1:
                    return None
                return self.unordered(sites[0].node, spot_of(sites[0], frame), depth + 1)
            if callee.kind == MODULE:
                return self._unordered_function(callee.data, node, spot, depth)
        name = getattr(node.func, "attr", "")
        if name in LISTING_METHODS and not self.resolver._own_methods(name):
            return node if name == "iterdir" or self._is_wild(node, spot) else None
        if name in SET_METHODS:
            return self.unordered(node.func.value, spot, depth + 1)
        return None

    def _unordered_function(self, dotted: str, node: Any, spot: Spot, depth: int) -> Any:
        if dotted in LISTINGS:
            return node if not dotted.startswith("glob") or self._is_wild(node, spot) else None
        if dotted in SETS and node.args:
            return node
        if dotted in KEEPING and node.args:
            return self.unordered(node.args[-1 if dotted in ("filter", "map") else 0], spot, depth + 1)
        return None

    def _is_wild(self, node: Any, spot: Spot) -> bool:
        """Whether a pattern may match more than one file."""
        if not node.args:
            return False
        texts = [value.data for value in self.values(node.args[0], spot) if value.kind == TEXT]
        return bool(texts) and all(WILD & set(text) for text in texts)

    def _unordered_name(self, node: Any, spot: Spot, depth: int) -> Any:
        found: Found = self.lookup(node.id, spot.point)
        binds = found.binds or tuple(self.program.module.binds.get(node.id, ()))
        if len(binds) != 1 or binds[0].how != ASSIGNED or self._is_sorted(node.id) or self._is_counted(node.id, spot):
            return None
        bind = binds[0]
        return self.unordered(bind.value, Spot(bind.origin, bind.scope, spot.frame, bind.control), depth + 1)

    def _is_sorted(self, name: str) -> bool:
        sites = self.program.calls.get("sort", ())
        return any(getattr(getattr(site.node.func, "value", None), "id", "") == name for site in sites)

    def _is_counted(self, name: str, spot: Spot) -> bool:
        """Whether a test has looked at how many there are."""
        tests = [test for test, _ in self.guards(name, spot.point)]
        control = spot.control
        while control is not None:
            tests.append(control.test)
            control = control.outer
        return any(_counts(part, name) for test in tests if test is not None for part in ast.walk(test))

    # --- loops ---

    def loop_source(self, bind: Bind, spot: Spot) -> Any:
        """The listing of a loop that leaves in a name what it has taken from one item, if order decides which."""
        if bind.how not in (ASSIGNED, ITEM):
            return None
        loop = _loop_of(bind.control)
        if loop is None or _is_inside(spot.control, loop) or bind.name in _names(bind.value):
            return None
        tests = _tests_inside(bind.control, loop)
        if any(_picks_one(test) or bind.name in _names(test) for test in tests):
            return None
        return self.taken(bind.value, Spot(bind.origin, bind.scope, spot.frame, bind.control), loop)

    def taken(self, value: Any, spot: Spot, loop: Control) -> Any:
        """The listing of `loop`, if `value` depends on the item that the loop has got to."""
        targets = _names(loop.node.target)
        names = _names(value)
        if not names & targets and not any(self._is_taken(name, spot, loop, targets) for name in names):
            return None
        return self.unordered(loop.node.iter, Spot(loop.point, spot.scope, spot.frame, loop.outer))

    def _is_taken(self, name: str, spot: Spot, loop: Control, targets: set[str]) -> bool:
        binds = self.lookup(name, spot.point).binds
        return any(_is_inside(bind.control, loop) and targets & _names(bind.value) for bind in binds)

    def returned_source(self, site: Any, frame: Any) -> Any:
        """The listing of a loop out of which a function returns something of the item it has got to."""
        loop = _loop_of(site.control)
        if loop is None or site.node is None or any(_picks_one(test) for test in _tests_inside(site.control, loop)):
            return None
        return self.taken(site.node, spot_of(site, frame), loop)


def _is_set(node: Any) -> bool:
    function = getattr(node, "func", None)
    name = getattr(function, "id", getattr(function, "attr", ""))
    return node.__class__ in (ast.Set, ast.SetComp) or name in SETS or name in SET_METHODS


def _names(node: Any) -> set[str]:
    return {part.id for part in ast.walk(node) if part.__class__ is ast.Name} if isinstance(node, ast.AST) else set()


def _loop_of(control: Control | None) -> Control | None:
    while control is not None and control.node.__class__ is not ast.For:
        control = control.outer
    return control


def _is_inside(control: Control | None, loop: Control) -> bool:
    while control is not None and control.node is not loop.node:
        control = control.outer
    return control is not None


def _tests_inside(control: Control | None, loop: Control) -> list[Any]:
    tests = []
    while control is not None and control is not loop:
        if control.test is not None:
            tests.append(control.test)
        control = control.outer
    return tests


def _counts(part: Any, name: str) -> bool:
    if part.__class__ is not ast.Call or getattr(part.func, "id", "") != "len":
        return False
    return any(getattr(argument, "id", "") == name for argument in part.args)


def _picks_one(test: Any) -> bool:
    """Whether a test is true for one item at most: it compares a name."""
    for part in ast.walk(test):
        if part.__class__ is ast.Compare and part.ops[0].__class__ is ast.Eq:
            for side in (part.left, *part.comparators):
                if side.__class__ is ast.Name or getattr(side, "attr", "") in UNIQUE:
                    return True
    return False
