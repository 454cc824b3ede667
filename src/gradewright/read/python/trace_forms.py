"""How a value is traced through the forms of an expression: operators, tests, containers, items, attributes."""

import ast
from typing import Any

from gradewright.read.python.flow import OPAQUE, Bind, Control, Scope
from gradewright.read.python.kinds import (
    CONSTANT,
    HOLE,
    MAX_ITEMS,
    MAX_VALUES,
    MODULE,
    OBJECT,
    TEXT,
    Frame,
)
from gradewright.read.python.texts import is_number
from gradewright.read.python.trace import (
    ANY,
    DIRECT,
    FLIPPED,
    LOOSE,
    MATCHED,
    NO_PICKS,
    NUMERIC,
    TESTED,
    Pick,
    Picks,
    Spot,
    Way,
    spot_of,
)
from gradewright.read.python.trace_checks import Checked

DOCUMENT, METRICS = "<document>", "<metrics>"
"""Pick what of a reward is a score: of the whole document, of `custom_metrics`."""

SCORE_KEYS = frozenset({"overall", "reward", "score"})
METRIC_KEYS = frozenset({"custom_metrics", "metrics"})
REMARKS = frozenset({"details", "detail", "reason", "reasons", "message", "messages", "error", "notes", "metadata"})
ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class Formed(Checked):
    """Traces every form of expression but calls."""

    def identifier(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        if way.level >= FLIPPED and self.is_checked(node.id, spot):
            way = way.at_most(NUMERIC)
        self.name(node.id, spot, way, picks)

    # --- operators ---

    def binary(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        self.calculated(node.op, node.left, node.right, spot, way, picks)

    def calculated(self, operator: Any, left: Any, right: Any, spot: Spot, way: Way, picks: Picks) -> None:
        """Follow both sides of an operator."""
        kind = operator.__class__
        if way.level == TESTED and not self.is_fixed(left, spot) and not self.is_fixed(right, spot):
            way = way.at_most(MATCHED)
        if kind is ast.Div:
            self.follow(left, spot, way.at_most(self._divided(way.level, right, spot)))
            self.follow(right, spot, way.at_most(MATCHED))
        elif kind is ast.Sub and way.level >= FLIPPED:
            flips = way.level == DIRECT and self.is_fixed(left, spot)
            self.follow(left, spot, way if way.level == DIRECT else way.at_most(NUMERIC))
            self.follow(right, spot, way.at_most(FLIPPED if flips else NUMERIC))
        else:
            plain = kind in (ast.Add, ast.Mult)
            kept = picks if kind in (ast.Add, ast.BitOr) else NO_PICKS
            for side in (left, right):
                self.follow(side, spot, way if plain or kept else way.at_most(NUMERIC), kept)

    def _divided(self, level: int, divisor: Any, spot: Spot) -> int:
        """How closely what is divided still decides: a ratio to something found out elsewhere is a measurement."""
        if level < FLIPPED or self.is_scale(divisor, spot) or self.is_count(divisor) or self.is_agents(divisor, spot):
            return level
        return NUMERIC

    def is_scale(self, divisor: Any, spot: Spot) -> bool:
        """Whether a divisor is a whole number; a literal such as 42.5 is an answer that is expected."""
        if not self.is_fixed(divisor, spot):
            return False
        return all(is_number(value) and value.data % 1 == 0 for value in self.values(divisor, spot))

    def is_count(self, node: Any) -> bool:
        """Whether a divisor is a number of items or a sum of weights."""
        if node.__class__ is ast.Call:
            name = getattr(node.func, "id", "")
            return name in ("len", "sum") or (name in ("max", "float") and any(self.is_count(one) for one in node.args))
        return False

    def is_agents(self, node: Any, spot: Spot) -> bool:
        raise NotImplementedError

    def unary(self, node: Any, spot: Spot, way: Way, _: Picks) -> None:
        self.follow(node.operand, spot, way.at_most(TESTED if node.op.__class__ is ast.Not else NUMERIC))

    def boolean(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        for part in node.values[:MAX_ITEMS]:
            self.follow(part, spot, way, picks)
            if node.op.__class__ is ast.And:
                spot = spot._replace(control=Control(node, part, spot.point, spot.control))

    def comparison(self, node: Any, spot: Spot, way: Way, _: Picks) -> None:
        """A number that is compared with something unknown is evidence; compared with a literal it decides."""
        sides = [node.left, *node.comparators]
        ordered = all(operator.__class__ in ORDERED for operator in node.ops)
        for side in sides:
            others = [one for one in sides if one is not side]
            decides = ordered or all(self.is_fixed(one, spot) for one in others)
            self.follow(side, spot, way.at_most(TESTED if decides else MATCHED))

    def conditional(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        self.follow(node.test, spot, way.at_most(TESTED))
        chosen = spot._replace(control=Control(node, node.test, spot.point, spot.control))
        self.follow(node.body, chosen, way, picks)
        self.follow(node.orelse, chosen, way, picks)

    def inner(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        self.follow(node.value, spot, way, picks)

    def formatted(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        for part in node.values[:MAX_ITEMS]:
            if part.__class__ is ast.FormattedValue:
                self.follow(part.value, spot, way, picks)

    # --- containers ---

    def sequence(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        index = picks[0] if picks else ANY
        rest = picks[1:]
        whole = index.__class__ is not int or any(element.__class__ is ast.Starred for element in node.elts)
        elements = node.elts[:MAX_ITEMS] if whole else node.elts[index:][:1]
        for element in elements:
            self.follow(element, spot, way, picks if element.__class__ is ast.Starred else rest)
        self.added(node, way, rest)

    def added(self, node: Any, way: Way, rest: Picks) -> None:
        """What the script adds to a list after it was created."""
        for site, frame in self.additions.get(id(node), ()):
            self.decided(site.control, site.scope, frame, way)
            for argument in site.node.args[-1:]:
                picks = (ANY, *rest) if site.node.func.attr in ("extend", "update") else rest
                self.follow(argument, spot_of(site, frame), way, picks)

    @property
    def additions(self) -> dict[int, list[tuple[Any, Frame | None]]]:
        raise NotImplementedError

    def comprehension(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        point = self.program.inner.get(id(node), spot.point)
        there = spot._replace(point=point)
        tests = [test for generator in node.generators for test in generator.ifs]
        checked = way.level >= FLIPPED and not all(self.is_formal(test, there) for test in tests)
        element = node.value if node.__class__ is ast.DictComp else node.elt
        self.follow(element, there, way.at_most(NUMERIC) if checked else way, picks[1:])
        for generator in node.generators:
            for test in generator.ifs:
                self.follow(test, there, way.at_most(TESTED))
            self.follow(generator.iter, spot, way.at_most(LOOSE))

    def dictionary(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        pairs: list[tuple[str, Any]] = []
        for key, item in zip(node.keys, node.values, strict=True):
            if key is None:
                self.follow(item, spot, way, picks)
            else:
                pairs.append((self.key_of(key, spot), item))
        self.members(pairs, node, spot, way, picks)

    def key_of(self, key: Any, spot: Spot) -> str:
        """The text of a key, empty where it is not known."""
        texts = [value.data for value in self.values(key, spot) if value.kind == TEXT and HOLE not in value.data]
        return texts[0] if len(texts) == 1 else ""

    def members(self, pairs: list[tuple[str, Any]], node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        """Follow the picked members of a dictionary that `node` creates, those it gets later included."""
        changed = [(self._changed_key(change, frame), change, frame) for change, frame in self.changes(node)]
        names = {key for key, _ in pairs} | {key for key, _, _ in changed}
        scores = names & SCORE_KEYS
        for key, item in pairs:
            inner = self.chosen(key, picks, bool(scores))
            if inner is not None:
                self.follow(item, spot, way._replace(beside=True) if inner == (METRICS,) else way, inner)
        for key, change, frame in changed:
            inner = picks if change.how == "update" else self.chosen(key, picks, bool(scores))
            if inner is None or change.value is None:
                continue
            there = spot_of(change.site, frame)
            weak = way.weak or (picks[:1] in ((DOCUMENT,), (METRICS,)) and key not in SCORE_KEYS)
            self.decided(change.site.control, change.site.scope, frame, way._replace(weak=weak))
            self.follow(change.value, there, way._replace(beside=True) if inner == (METRICS,) else way, inner)

    def _changed_key(self, change: Any, frame: Frame | None) -> str:
        return self.key_of(change.key, spot_of(change.site, frame)) if change.key is not None else ""

    def chosen(self, key: str, picks: Picks, has_score: bool) -> Picks | None:
        """What matters of the member `key`; None if nothing does."""
        if not picks:
            return None if key in REMARKS else NO_PICKS
        first, rest = picks[0], picks[1:]
        if first == DOCUMENT:
            if key in METRIC_KEYS:
                return (METRICS,)
            return None if key in REMARKS or (has_score and key not in SCORE_KEYS) else NO_PICKS
        if first == METRICS:
            return None if key in REMARKS else NO_PICKS
        return rest if first == ANY or not key or key == first else None

    # --- items and attributes ---

    def subscript(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        if node.slice.__class__ is ast.Slice:
            self.follow(node.value, spot, way, (ANY, *picks[1:]) if picks else NO_PICKS)
            return
        self.follow(node.value, spot, way, (self.picked(node.slice, spot), *picks))
        self.follow(node.slice, spot, way.at_most(TESTED if way.level >= NUMERIC else LOOSE))

    def picked(self, index: Any, spot: Spot) -> Pick:
        """What a subscript picks: a key, a position, or any item."""
        values = self.values(index, spot)
        data = values[0].data if len(values) == 1 and values[0].kind in (TEXT, CONSTANT) else None
        if (data.__class__ is str and HOLE not in data) or (data.__class__ is int and data >= 0):
            return data
        return ANY

    def attribute(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        bases = self.values(node.value, spot)
        if all(value.kind == MODULE for value in bases):
            return
        stored = self.stored(node.attr, way, picks)
        if not stored and not any(value.kind == OBJECT for value in bases):
            self.follow(node.value, spot, way, NO_PICKS)

    def stored(self, name: str, way: Way, picks: Picks) -> bool:
        """Follow what the script stores under the attribute `name`; whether it does."""
        binds: list[Bind] = list(self.program.attributes.get(name, ())[:MAX_VALUES])
        known = bool(binds)
        for scope in self.program.scopes:
            if scope.kind == "class" and name in scope.binds:
                known = True
                binds += scope.binds[name][:MAX_VALUES]
                self._constructed(scope, name, way, picks)
            elif scope.kind == "function" and scope.name == name and scope.parent and scope.parent.kind == "class":
                known = True
                self.returned(scope, None, way, picks)
        for bind in binds:
            self.bound(bind, None, way, picks)
            if bind.how == OPAQUE and bind.value is not None:
                self.follow(bind.value, Spot(bind.origin, bind.scope, None, bind.control), way)
        return known

    def _constructed(self, scope: Scope, name: str, way: Way, picks: Picks) -> None:
        """What calls of a class without a constructor of its own hand over as the field `name`."""
        if "__init__" in scope.binds:
            return
        position = list(scope.binds).index(name)
        for site in self.program.calls.get(scope.name, ())[:MAX_VALUES]:
            given = [keyword.value for keyword in site.node.keywords if keyword.arg == name]
            for node in given or site.node.args[position:][:1]:
                self.follow(node, spot_of(site, None), way, picks)

    def returned(self, scope: Scope, frame: Frame | None, way: Way, picks: Picks) -> None:
        """Follow everything that a function may return, and the tests that decide which."""
        for site in scope.returns[:MAX_VALUES]:
            if site.node is not None:
                self.decided(site.control, scope, frame, way)
                self.follow(site.node, spot_of(site, frame), way, picks)

    def augmented(self, bind: Bind, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        """`name += value`."""
        plain = node.op.__class__ in (ast.Add, ast.Sub, ast.Mult)
        self.follow(node.value, spot, way if plain else way.at_most(NUMERIC), NO_PICKS)
        self.name(node.target.id, Spot(bind.before, bind.scope, spot.frame, bind.control), way, picks)
