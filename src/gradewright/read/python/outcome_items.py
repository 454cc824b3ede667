"""Which items containers may hold, and under which tests."""

import ast
from typing import Any

from gradewright.read.python.kinds import BAG, MAX_ITEMS, OBJECT, SEQUENCE, TEXT, Frame, Place, Value
from gradewright.read.python.outcome_members import Held
from gradewright.read.python.outcomes import Outcome, Outcomes, under
from gradewright.read.python.routes import Forks
from gradewright.read.python.trace_calls import MAX_ADDITIONS

COLUMNS = frozenset({"values", "items", "keys"})


class Itemized(Held):
    """The items of containers."""

    def truth_of(self, value: Value) -> bool | None:
        node = value.node
        parts = getattr(node, "elts", getattr(node, "keys", None))
        if value.kind not in (OBJECT, SEQUENCE) or value.data.__class__ is not Place or parts is None:
            return super().truth_of(value)
        changes = id(node) in self.resolver.changed or self.is_added_to(node)
        return None if changes else bool(parts)

    def items(self, node: Any, place: Place) -> "list[Outcomes] | None":
        found = self.values(node, place)
        if len(found) != 1 or found[0].tests:
            return None
        value = found[0].value
        if value.kind == SEQUENCE and value.data.__class__ is Place:
            return self._elements(value)
        if value.kind == OBJECT:
            keys = self.keys_of(value)
            return None if keys is None else [(Outcome(Value(TEXT, key, value.node)),) for key in keys]
        if value.kind == BAG:
            return self._columns(value) if value.node.__class__ is ast.Call else self._comprehended(value)
        return None

    def _elements(self, value: Value) -> "list[Outcomes] | None":
        elements = value.node.elts
        if len(elements) > MAX_ITEMS or any(element.__class__ is ast.Starred for element in elements):
            return None
        if self.is_added_to(value.node):
            return None
        return [self.values(element, value.data) for element in elements]

    def keys_of(self, value: Value) -> "list[str] | None":
        """The keys of a dictionary, if they are all known."""
        node = value.node
        if node.__class__ is not ast.Dict or len(node.keys) > MAX_ITEMS or id(node) in self.handed:
            return None
        keys = [key.value if key.__class__ is ast.Constant else None for key in node.keys]
        for change, _ in self.resolver.changed.get(id(node), ()):
            fixed = change.how == "store" and not change.site.conditional and change.key.__class__ is ast.Constant
            keys.append(change.key.value if fixed else None)
        known = dict.fromkeys(keys)
        return list(known) if all(key.__class__ is str for key in known) else None  # type: ignore[arg-type]

    def _columns(self, value: Value) -> "list[Outcomes] | None":
        """The items of `.keys()`, `.values()` or `.items()`."""
        call = value.node
        if getattr(call.func, "attr", "") not in COLUMNS:
            return None
        bases = self.values(call.func.value, value.data)
        keys = self.keys_of(bases[0].value) if len(bases) == 1 and bases[0].value.kind == OBJECT else None
        if keys is None:
            return None
        rows: list[Outcomes] = []
        for key in keys:
            name: Outcomes = (Outcome(Value(TEXT, key, call)),)
            held = self.member(bases[0].value, key)
            pair = Outcome(Value(SEQUENCE, (name, held), call))
            rows.append({"keys": name, "values": held, "items": (pair,)}[call.func.attr])
        return rows

    def _comprehended(self, value: Value) -> "list[Outcomes] | None":
        node, place = value.node, value.data
        inner = self.program.inner.get(id(node))
        if inner is None or len(node.generators) != 1 or node.generators[0].ifs or not hasattr(node, "elt"):
            return None
        if self.is_added_to(node):
            return None
        source = node.generators[0].iter
        items = self.items(source, place)
        if items is None:
            return None
        kept, rows = self.turn, []
        for number in range(len(items)):
            self.turn = (*kept, (id(source), number))
            rows.append(self.values(node.elt, place._replace(point=inner)))
        self.turn = kept
        return rows

    @property
    def additions(self) -> "dict[int, list[tuple[Any, Frame | None]]]":
        """For the expression that creates a list: where something is added to it."""
        return self.tracer.additions  # type: ignore[attr-defined,no-any-return]

    def is_added_to(self, node: Any) -> bool:
        """Whether something may be added to the list that `node` creates."""
        many = len(self.program.calls.get("append", ())) > MAX_ADDITIONS
        return many or id(node) in self.additions or self.is_altered(node)

    def is_altered(self, node: Any) -> bool:
        """Whether items of the container that `node` creates may be set, or are added in a way that is not followed."""
        if self._altered is None:
            self._altered = set(self.handed)
            for change in self.program.changes:
                for frame in self.resolver.frames_of(change.site.scope) if change.site.scope.used else ():
                    bases = self.resolver.of_site(change.base, change.site, frame)
                    self._altered.update(id(base.node) for base in bases if base.node is not None)
        return id(node) in self._altered

    _altered: set[int] | None = None

    def possible(self, node: Any, place: Place) -> "list[Outcome] | None":
        """Everything that may stand in a container, with the tests that lead to it; None if that is not known."""
        found: list[Outcome] = []
        for value, tests in self.values(node, place):
            held = self._possible(value)
            if held is None:
                return None
            found += under(held, tests)
        return found

    def _possible(self, value: Value) -> "list[Outcome] | None":
        if value.kind == BAG and value.node.__class__ is not ast.Call:
            inner = self.program.inner.get(id(value.node))
            if inner is None or not hasattr(value.node, "elt") or self.is_added_to(value.node):
                return None
            return list(self.values(value.node.elt, value.data._replace(point=inner)))
        if value.kind == BAG and value.node.func.attr == "values":
            made = [one.value for one in self.values(value.node.func.value, value.data)]
            if len(made) == 1 and made[0].node.__class__ is ast.DictComp:
                return self._each_value(made[0])
        if value.kind != SEQUENCE or value.data.__class__ is not Place:
            items = self._columns(value) if value.kind == BAG else None
            return None if items is None else [one for item in items for one in item]
        if len(self.program.calls.get("append", ())) > MAX_ADDITIONS or self.is_altered(value.node):
            return None
        found = [one for element in value.node.elts[:MAX_ITEMS] for one in self.values(element, value.data)]
        for site, frame in self.additions.get(id(value.node), ()):
            if site.node.func.attr != "append" or len(site.node.args) != 1:
                return None
            place = Place(site.node.args[0], site.point, site.scope, frame)
            passed: Forks = self.routes.before(site.point, site.scope, frame)
            found += under(self.values(site.node.args[0], place), passed)
        return found

    def _each_value(self, value: Value) -> "list[Outcome] | None":
        """What the values of a dictionary comprehension may be; None if that is not known, or they change later."""
        inner = self.program.inner.get(id(value.node))
        if inner is None or self.is_altered(value.node):
            return None
        return list(self.values(value.node.value, value.data._replace(point=inner)))
