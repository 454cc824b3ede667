"""Which values calls may give, and under which tests: functions of the script, and those that make scores."""

import ast
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from gradewright.read.python.flow import Scope, Site
from gradewright.read.python.kinds import (
    BAG,
    CLASS,
    CONSTANT,
    FUNCTION,
    INSTANCE,
    MAX_VALUES,
    MODULE,
    OBJECT,
    TEXT,
    Frame,
    Place,
    Value,
)
from gradewright.read.python.library import TRUTH_METHODS, TRUTHS
from gradewright.read.python.outcome_folds import Folded
from gradewright.read.python.outcome_forms import Formed
from gradewright.read.python.outcome_items import COLUMNS
from gradewright.read.python.outcomes import (
    OPEN,
    UNSETTLED,
    Outcome,
    Outcomes,
    both,
    crossed,
    under,
)
from gradewright.read.python.routes import Fork
from gradewright.read.python.texts import is_number

SAME = frozenset({
    "str", "repr", "json.dumps", "orjson.dumps", "simplejson.dumps", "ujson.dumps", "copy.copy", "copy.deepcopy",
    "typing.cast", "decimal.Decimal", "fractions.Fraction",
})  # fmt: skip
SAME_METHODS = frozenset({"strip", "rstrip", "lstrip", "encode", "item", "copy", "lower"})
MEANS = frozenset({"statistics.mean", "statistics.fmean", "numpy.mean", "statistics.median", "numpy.average"})
SUMS = frozenset({"sum", "math.fsum", "numpy.sum"})
LOOKUPS = frozenset({"get", "pop", "setdefault"})
"""Methods that give their second argument where a key is missing."""

MAX_RETURNS = 16


class Outcomer(Folded):
    """Everything, calls included."""

    def call(self, place: Place) -> Iterable[Outcome]:
        node = place.node
        found: list[Outcome] = []
        for callee in self.resolver.at(node.func, place)[:MAX_VALUES]:
            if callee.kind == FUNCTION:
                found += self.called(callee.data, place)
            elif callee.kind == CLASS:
                found.append(Outcome(Value(INSTANCE, place, node)))
            elif callee.kind == MODULE:
                found += self.library(callee.data, place)
            else:
                found += self.method(place)
        return found

    # --- functions of the script ---

    def called(self, scope: Scope, place: Place) -> Iterable[Outcome]:
        frame = self.resolver.entered(scope, Site(place.node, place.point, place.scope), place.frame)
        return UNSETTLED if frame is None else self.returns(scope, frame)

    def returns(self, scope: Scope, frame: Frame | None) -> Iterable[Outcome]:
        if "yield" in scope.attributes or len(scope.returns) > MAX_RETURNS:
            return UNSETTLED
        found: list[Outcome] = []
        for site in scope.returns:
            given: Outcomes = (Outcome(Value(CONSTANT, None, scope.node)),)
            if site.node is not None:
                given = self.values(site.node, Place(site.node, site.point, site.scope, frame))
            found += under(given, self.routes.before(site.point, site.scope, frame))
        return found

    # --- functions of libraries ---

    def library(self, dotted: str, place: Place) -> Iterable[Outcome]:
        node = place.node
        handler = FUNCTIONS.get(dotted)
        if handler and node.args:
            return handler(self, place)
        if dotted in SAME and node.args:
            return self.values(node.args[0], place)
        if dotted in SUMS and node.args:
            return self.folded(sum, place)
        if dotted in MEANS and node.args:
            return self.mean(node.args[0], place) or UNSETTLED
        if dotted in ("dict", "collections.OrderedDict", "dataclasses.asdict", "vars"):
            return (Outcome(Value(OBJECT, place, node)),)
        if dotted in TRUTHS:
            return self.split(node, place)
        if dotted in ("asyncio.run",) and node.args:
            return self.values(node.args[0], place)
        return UNSETTLED

    def number(self, place: Place) -> Iterator[Outcome]:
        whole = getattr(place.node.func, "id", "") == "int"
        for value, tests in self.values(place.node.args[0], place):
            known = _as_number(value)
            if known is not None and math.isfinite(known):
                yield Outcome(Value(CONSTANT, int(known) if whole else known, value.node or place.node), tests)
            else:
                yield Outcome(OPEN, tests)

    def magnitude(self, place: Place) -> Iterator[Outcome]:
        """`abs`."""
        for value, tests in self.values(place.node.args[0], place):
            number = Value(CONSTANT, abs(value.data), place.node) if is_number(value) else OPEN
            yield Outcome(number, tests)

    def rounded(self, place: Place) -> Iterator[Outcome]:
        for value, tests in self.values(place.node.args[0], place):
            yield Outcome(value if is_number(value) else OPEN, tests)

    def truth(self, place: Place) -> Iterator[Outcome]:
        for holds, tests in self.truths(place.node.args[0], place):
            yield Outcome(Value(CONSTANT, holds, place.node), tests)

    def text(self, place: Place) -> Outcomes:
        """`format(value, spec)`."""
        return self.values(place.node.args[0], place)

    # --- methods ---

    def method(self, place: Place) -> Iterable[Outcome]:
        node = place.node
        function = node.func
        if function.__class__ is not ast.Attribute:
            return UNSETTLED
        own = self.resolver._own_methods(function.attr)
        if own:
            return [outcome for scope in own[:MAX_VALUES] for outcome in self.called(scope, place)]
        if function.attr in LOOKUPS and node.args:
            return self._looked_up(place)
        if function.attr in TRUTH_METHODS:
            return self.split(node, place)
        if function.attr in SAME_METHODS:
            return self.values(function.value, place)
        if function.attr in COLUMNS:
            return (Outcome(Value(BAG, place, node)),)
        if function.attr == "format":
            return self._formatted(place)
        return UNSETTLED

    def _looked_up(self, place: Place) -> Iterator[Outcome]:
        """`.get(key, default)`; where the dictionary is not known, the default is had if the key is missing."""
        node = place.node
        keys = self.values(node.args[0], place)
        default = self.values(node.args[1], place) if len(node.args) > 1 else ()
        missing = Fork(node.func, None, place.point, place.scope, place.frame)
        for base, key, tests in crossed(self.values(node.func.value, place), keys):
            held = self.member(base, key.data) if base.kind == OBJECT and key.kind == TEXT else ()
            if held:
                yield from under(held, tests)
            else:
                yield Outcome(OPEN, tests)
                yield from under(default, both(tests, (missing,)) or tests)

    def _formatted(self, place: Place) -> Iterable[Outcome]:
        node = place.node
        text = node.func.value.value if node.func.value.__class__ is ast.Constant else None
        if text.__class__ is not str or node.keywords:
            return UNSETTLED
        pieces = text.replace("{{", "\0").replace("}}", "\1").split("{")
        parts: list[Any] = [pieces[0]]
        for field, piece in zip(node.args, pieces[1:], strict=False):
            parts += [field, piece.partition("}")[2]]
        if len(pieces) != len(node.args) + 1:
            return UNSETTLED
        plain = [part.replace("\0", "{").replace("\1", "}") if part.__class__ is str else part for part in parts]
        return self.template(plain, place)


def _as_number(value: Value) -> float | None:
    if value.kind == CONSTANT and value.data.__class__ in (int, float, bool):
        return float(value.data) if abs(value.data) < 1e300 else None
    if value.kind != TEXT:
        return None
    try:
        return float(value.data[:400])
    except ValueError:
        return None


FUNCTIONS: dict[str, Callable[[Outcomer, Place], Iterable[Outcome]]] = {
    "float": Outcomer.number,
    "int": Outcomer.number,
    "round": Outcomer.rounded,
    "abs": Outcomer.magnitude,
    "bool": Outcomer.truth,
    "format": Outcomer.text,
    "min": Outcomer.extreme,
    "max": Outcomer.extreme,
    "len": Outcomer.counted,
    "all": Outcomer.all_of,
    "any": Outcomer.any_item,
}


def _table() -> dict[type, Any]:
    return {
        ast.Constant: Formed.constant,
        ast.Name: Outcomer.identifier,
        ast.JoinedStr: Outcomer.formatted,
        ast.BinOp: Outcomer.binary,
        ast.UnaryOp: Outcomer.unary,
        ast.BoolOp: Outcomer.boolean,
        ast.Compare: Outcomer.comparison,
        ast.IfExp: Outcomer.conditional,
        ast.NamedExpr: Outcomer.inner,
        ast.Await: Outcomer.inner,
        ast.Dict: Outcomer.container,
        ast.DictComp: Outcomer.container,
        ast.List: Outcomer.container,
        ast.Tuple: Outcomer.container,
        ast.Set: Outcomer.container,
        ast.ListComp: Outcomer.container,
        ast.SetComp: Outcomer.container,
        ast.GeneratorExp: Outcomer.container,
        ast.Lambda: Outcomer.function,
        ast.Subscript: Outcomer.subscript,
        ast.Attribute: Outcomer.attribute,
        ast.Call: Outcomer.call,
    }


Outcomer.expressions = _table()
