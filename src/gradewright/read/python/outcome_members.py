"""What containers and instances hold, and under which tests: keys of dictionaries, fields, items."""

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from gradewright.read.python.flow import ASSIGNED, DEFINED, Bind, Change, Scope, Site
from gradewright.read.python.kinds import (
    BAG,
    CLASS,
    INSTANCE,
    MAX_ITEMS,
    MAX_VALUES,
    OBJECT,
    SEQUENCE,
    TEXT,
    Frame,
    Place,
    Value,
)
from gradewright.read.python.outcome_forms import Formed
from gradewright.read.python.outcomes import OPEN, UNSETTLED, Outcome, Outcomes, tidied, under
from gradewright.read.python.routes import Forks
from gradewright.read.python.trace_calls import MAX_ADDITIONS

COLUMNS = frozenset({"values", "items", "keys"})


class Held(Formed):
    """Containers and instances."""

    # --- dictionaries ---

    def member(self, base: Value, key: str) -> Outcomes:
        place = base.data
        found = list(self._created(place, key))
        made = {fork.key for fork in self.routes.before(place.point, place.scope, place.frame)}
        for change, frame in self.resolver.changed.get(id(place.node), ())[:MAX_ITEMS]:
            set_to = self._set_to(change, key, frame)
            if set_to:
                passed = self.routes.before(change.site.point, change.site.scope, frame)
                later = tuple(fork for fork in passed if fork.key not in made)
                replaces = not later and not change.site.conditional and change.how == "store"
                found = [*(() if replaces else found), *under(set_to, later)]
        return tidied(found)

    def _created(self, place: Place, key: str) -> Iterable[Outcome]:
        node = place.node
        if node.__class__ is ast.Dict:
            return self._displayed(place, key)
        if node.__class__ is ast.BinOp:
            return self._of_any(node.right, place, key) or self._of_any(node.left, place, key)
        if node.__class__ is ast.Call:
            given = [word.value for word in node.keywords if word.arg == key]
            if given:
                return self.values(given[0], place)
            return self._of_any(node.args[0], place, key) if node.args else ()
        return UNSETTLED

    def _displayed(self, place: Place, key: str) -> list[Outcome]:
        found: list[Outcome] = []
        for name, item in zip(place.node.keys, place.node.values, strict=True):
            if name is None:
                found = list(self._of_any(item, place, key)) or found
                continue
            for value, tests in self.values(name, place):
                if value.kind == TEXT and value.data == key:
                    kept = found if tests else []
                    found = [*kept, *under(self.values(item, place), tests)]
        return found

    def _of_any(self, node: Any, place: Place, key: str) -> list[Outcome]:
        """What any dictionary or instance that `node` may be holds under `key`."""
        found: list[Outcome] = []
        for value, tests in self.values(node, place):
            if value.kind == OBJECT:
                found += under(self.member(value, key), tests)
            elif value.kind == INSTANCE:
                found += under(self.field(value, key), tests)
            else:
                found.append(Outcome(OPEN, tests))
        return found

    def _set_to(self, change: Change, key: str, frame: Frame | None) -> Iterable[Outcome]:
        """What a change may set `key` to; nothing if it leaves the key alone."""
        site = change.site
        place = Place(site.node, site.point, site.scope, frame)
        if change.how == "update":
            return self._of_any(change.value, place, key)
        if change.how != "store":
            return UNSETTLED
        names = self.values(change.key, place)
        if not any(name.value.kind != TEXT or name.value.data == key for name in names):
            return ()
        given = UNSETTLED if change.value is None else self.values(change.value, place)
        return given if all(name.value.kind == TEXT for name in names) else [*given, *UNSETTLED]

    # --- instances and attributes ---

    def attribute(self, place: Place) -> Iterable[Outcome]:
        node = place.node
        if node.value.__class__ is ast.Name and node.value.id in ("self", "cls"):
            return list(self._stored(node.attr)) or UNSETTLED
        found: list[Outcome] = []
        for value, tests in self.values(node.value, place):
            if value.kind == INSTANCE:
                found += under(self.field(value, node.attr), tests)
            elif value.kind == CLASS:
                found += under(self._default(value.data, node.attr), tests)
            else:
                found += under([*self._stored(node.attr), *UNSETTLED], tests)
        return found or UNSETTLED

    def field(self, instance: Value, name: str) -> Outcomes:
        """What an instance of a class of the script holds under `name`."""
        place: Place = instance.data
        scope = self._class_of(place)
        if scope is None:
            return UNSETTLED
        binds = self.program.attributes.get(name, [])
        if "__init__" not in scope.binds:
            found = [*self._given(scope, name, place), *self.any_of(binds, None)]
            return tidied(found) or UNSETTLED
        maker = scope.binds["__init__"][0].value
        frame = None
        if maker.__class__ is Scope:
            frame = self.resolver.entered(maker, Site(place.node, place.point, place.scope), place.frame)
        found = []
        for bind in binds:
            found += self.any_of((bind,), frame if bind.scope is maker else None)
        return tidied(found or self._default(scope, name)) or UNSETTLED

    def _class_of(self, place: Place) -> Scope | None:
        for callee in self.resolver.at(place.node.func, place):
            if callee.kind == CLASS:
                return callee.data  # type: ignore[no-any-return]
        return None

    def _given(self, scope: Scope, name: str, place: Place) -> Iterable[Outcome]:
        """What a call of a class without a constructor of its own hands over as a field."""
        call = place.node
        for word in call.keywords:
            if word.arg == name:
                return self.values(word.value, place)
        fields = [field for field, binds in scope.binds.items() if binds[0].how != DEFINED]
        if name in fields and fields.index(name) < len(call.args):
            return self.values(call.args[fields.index(name)], place)
        return self._default(scope, name)

    def _default(self, scope: Scope, name: str) -> Iterable[Outcome]:
        """What the body of a class gives a field, or what a property of that name returns."""
        for bind in scope.binds.get(name, [])[-1:]:
            if bind.how == DEFINED and bind.value.kind == "function":
                return self.returns(bind.value, None)
            return self.bound(bind, None) if bind.how == ASSIGNED and bind.value is not None else ()
        return ()

    def returns(self, scope: Scope, frame: Frame | None) -> Iterable[Outcome]:
        raise NotImplementedError

    def _stored(self, name: str) -> Iterator[Outcome]:
        """What any code of the script may store under an attribute."""
        binds: list[Bind] = self.program.attributes.get(name, [])
        if len(binds) > MAX_VALUES:
            yield Outcome(OPEN)
            return
        yield from self.any_of(binds, None)
        for scope in self.program.scopes:
            if scope.kind == "class" and name in scope.binds and not binds:
                yield from self._default(scope, name)

    # --- items ---

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
            keys = self._keys(value)
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

    def _keys(self, value: Value) -> "list[str] | None":
        """The keys of a dictionary, if they are all known."""
        node = value.node
        if node.__class__ is not ast.Dict or len(node.keys) > MAX_ITEMS:
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
        keys = self._keys(bases[0].value) if len(bases) == 1 and bases[0].value.kind == OBJECT else None
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
        return id(node) in self.additions or len(self.program.calls.get("append", ())) > MAX_ADDITIONS

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
            if inner is None or not hasattr(value.node, "elt"):
                return None
            return list(self.values(value.node.elt, value.data._replace(point=inner)))
        if value.kind != SEQUENCE or value.data.__class__ is not Place:
            items = self._columns(value) if value.kind == BAG else None
            return None if items is None else [one for item in items for one in item]
        if len(self.program.calls.get("append", ())) > MAX_ADDITIONS:
            return None
        found = [one for element in value.node.elts[:MAX_ITEMS] for one in self.values(element, value.data)]
        for site, frame in self.additions.get(id(value.node), ()):
            if site.node.func.attr != "append" or len(site.node.args) != 1:
                return None
            place = Place(site.node.args[0], site.point, site.scope, frame)
            passed: Forks = self.routes.before(site.point, site.scope, frame)
            found += under(self.values(site.node.args[0], place), passed)
        return found
