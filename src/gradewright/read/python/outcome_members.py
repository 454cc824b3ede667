"""What containers and instances hold, and under which tests: keys of dictionaries, fields, items."""

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from gradewright.read.python.flow import ASSIGNED, DEFINED, Bind, Change, Control, Scope, Site
from gradewright.read.python.handed import handed_over
from gradewright.read.python.kinds import (
    CLASS,
    INSTANCE,
    MAX_ITEMS,
    MAX_VALUES,
    OBJECT,
    TEXT,
    Frame,
    Place,
    Value,
)
from gradewright.read.python.outcome_forms import Formed
from gradewright.read.python.outcomes import OPEN, UNSETTLED, Outcome, Outcomes, tidied, under
from gradewright.read.python.routes import Forks


def in_loop(control: Control | None) -> bool:
    """Whether code stands in a loop."""
    while control is not None:
        if isinstance(control.node, ast.For | ast.AsyncFor | ast.While):
            return True
        control = control.outer
    return False


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
                found = [*self._left(found, change, later), *under(set_to, later)]
        return tidied([*found, *UNSETTLED] if id(place.node) in self.handed else found)

    @property
    def handed(self) -> set[int]:
        """The expressions that create containers which code that is not followed gets hold of."""
        if self._handed is None:
            self._handed = handed_over(self.resolver)
        return self._handed

    _handed: set[int] | None = None

    def _left(self, found: list[Outcome], change: Change, tests: Forks) -> Iterable[Outcome]:
        """What a key keeps of what it held, after a change that is made under `tests`."""
        if change.how != "store" or len(tests) > 1:
            return found
        if not tests:
            return found if change.site.conditional else ()
        fork = tests[0]
        if in_loop(change.site.control):
            return found
        return found if fork.holds is None else under(found, (fork._replace(holds=not fork.holds),))

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
