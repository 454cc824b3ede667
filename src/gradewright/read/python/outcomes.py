"""Which values an expression may have, and under which tests each of them: for the score of a script.

What `values` tells of an expression is all that is possible; here each possible value keeps the tests that lead to it.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from gradewright.read.python.flow import (
    ASSIGNED,
    AUGMENTED,
    EACH,
    EACH_ITEM,
    FUNCTIONS,
    ITEM,
    Bind,
    Control,
    Scope,
)
from gradewright.read.python.kinds import (
    ANYTHING,
    CONSTANT,
    MAX_VALUES,
    SEQUENCE,
    TEXT,
    Frame,
    Place,
    Value,
)
from gradewright.read.python.routes import NO_FORKS, Forks, Routes, forks
from gradewright.read.python.trace import Tracer

MAX_OUTCOMES = 24
MAX_STEPS = 4_000
MAX_DEPTH = 40


class Outcome(NamedTuple):
    """A value that is had under `tests`; containers and instances carry the place that creates them."""

    value: Value
    tests: Forks = NO_FORKS


Outcomes = tuple[Outcome, ...]
Truths = list[tuple[bool, Forks]]
Turn = tuple[tuple[int, int], ...]
OPEN = Value(ANYTHING)
UNSETTLED: Outcomes = (Outcome(OPEN),)


def both(first: Forks, second: Forks) -> Forks | None:
    """The tests of two values together; None if they contradict each other."""
    if not first or not second:
        return first or second
    known = {(id(fork.test), id(fork.frame)): fork.holds for fork in first}
    added = []
    for fork in second:
        key = id(fork.test), id(fork.frame)
        if key not in known:
            added.append(fork)
        elif known[key] != fork.holds and None not in (known[key], fork.holds):
            return None
    return (*first, *added)


def under(outcomes: Iterable[Outcome], tests: Forks) -> Iterator[Outcome]:
    """`outcomes` that are had under more tests."""
    for outcome in outcomes:
        together = both(tests, outcome.tests)
        if together is not None:
            yield Outcome(outcome.value, together)


def crossed(first: Outcomes, second: Outcomes) -> Iterator[tuple[Value, Value, Forks]]:
    """All pairs of values that go together."""
    for one in first:
        for other in second:
            together = both(one.tests, other.tests)
            if together is not None:
                yield one.value, other.value, together


def seen_in(tests: Forks) -> Forks:
    """The tests that a value which is looked at further still depends on: not the errors that have led to it."""
    return tuple(fork for fork in tests if isinstance(fork.test, ast.expr))


def tidied(outcomes: Iterable[Outcome]) -> Outcomes:
    """Each outcome once; UNSETTLED where there are too many."""
    found: dict[Any, Outcome] = {}
    for outcome in outcomes:
        value = outcome.value
        data = value.data if value.kind in (CONSTANT, TEXT) else id(value.data)
        key = value.kind, data.__class__, data, id(value.node), frozenset(fork.key for fork in outcome.tests)
        found[key] = outcome
        if len(found) > MAX_OUTCOMES:
            return UNSETTLED
    return tuple(found.values())


class Core:
    """Names, what is bound to them, and tests."""

    expressions: dict[type, Callable[[Any, Place], Iterable[Outcome]]]

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        self.resolver = tracer.resolver
        self.program = tracer.program
        self.routes = Routes()
        self.known: dict[tuple[int, int, Turn], Outcomes] = {}
        self.turn: Turn = ()
        self.steps = 0
        self.depth = 0

    def values(self, node: Any, place: Place) -> Outcomes:
        """What `node` may be where `place` is, beyond the tests that lead there."""
        handler = self.expressions.get(node.__class__)
        if handler is None:
            return UNSETTLED
        key = id(node), id(place.frame), self.turn
        known = self.known.get(key)
        if known is not None:
            return known
        self.steps += 1
        if self.depth > MAX_DEPTH or self.steps > MAX_STEPS:
            return UNSETTLED
        self.known[key] = UNSETTLED
        self.depth += 1
        result = self.known[key] = tidied(handler(self, place._replace(node=node)))
        self.depth -= 1
        return result

    # --- names ---

    def identifier(self, place: Place) -> Iterable[Outcome]:
        name, frame = place.node.id, place.frame
        if name in self.program.shared:
            everywhere = [bind for scope in self.program.scopes for bind in scope.binds.get(name, ())]
            return self.any_of(everywhere, None) if len(everywhere) <= MAX_VALUES else UNSETTLED
        reached = self.routes.reach(name, place.point)
        if not reached.whole or len(reached.binds) > MAX_VALUES:
            return UNSETTLED
        found: list[Outcome] = []
        for bind, guards in reached.binds:
            on_the_way = forks(guards, place.scope, frame)
            passed = both(self.routes.before(bind.before, bind.scope, frame), on_the_way)
            if passed is not None:
                found += under(self.bound(bind, frame), passed)
        found += self._kept(name, place)
        for scope, guards in reached.entries:
            outside = self._outside(name, scope, frame, local=bool(reached.binds))
            found += under(outside, forks(guards, place.scope, frame))
        return found

    def _kept(self, name: str, place: Place) -> Iterator[Outcome]:
        """What `name` keeps from before a `try` when an error leads past all that the `try` binds to it."""
        reached = self.routes.reach(name, place.point)
        for handler in self.routes.handlers(name, place.point):
            outside = [bind for bind, _ in reached.binds if not _is_tried(bind.control, handler.test)]
            for bind, guards in reached.binds:
                if outside == [bind] and handler not in guards and len(reached.binds) > 1:
                    passed = self.routes.before(bind.before, bind.scope, place.frame)
                    caught = forks((handler,), place.scope, place.frame)
                    yield from under(self.bound(bind, place.frame), (*passed, *caught))

    def any_of(self, binds: Iterable[Bind], frame: Frame | None) -> Iterator[Outcome]:
        """What any of `binds` gives, whichever was the last."""
        for bind in binds:
            yield from under(self.bound(bind, frame), self.routes.before(bind.before, bind.scope, frame))

    def _outside(self, name: str, scope: Scope, frame: Frame | None, *, local: bool) -> Iterable[Outcome]:
        """What `name` is at the start of a scope: a parameter, or something of a scope around it."""
        here: Scope | None = scope
        while here is not None:
            if here.kind in FUNCTIONS and name in here.parameters:
                return self.parameter(here, name, frame)
            if here.kind != "class" and name in here.binds and name not in here.shared:
                if here is scope:
                    return ()
                binds = here.binds[name]
                return self.any_of(binds, None) if len(binds) <= MAX_VALUES else UNSETTLED
            here = here.parent
        return () if local else UNSETTLED

    def parameter(self, scope: Scope, name: str, frame: Frame | None) -> Iterable[Outcome]:
        """What calls hand over: the one that is being looked into, else every call."""
        known = any(here.scope is scope for here in _frames(frame))
        if not known and not 0 < len(self.resolver.call_sites(scope)) <= MAX_VALUES:
            return UNSETTLED
        found: list[Outcome] = []
        for node, spot in self.tracer.arguments(scope, name, frame):
            given = self.values(node, Place(node, spot.point, spot.scope, spot.frame))
            found += given if known else under(given, self.routes.before(spot.point, spot.scope, spot.frame))
        return found or UNSETTLED

    def bound(self, bind: Bind, frame: Frame | None) -> Iterable[Outcome]:
        """What a binding gives its name."""
        how, value = bind.how, bind.value
        if value is None or how not in (ASSIGNED, ITEM, EACH, EACH_ITEM, AUGMENTED):
            return UNSETTLED
        place = Place(value, bind.origin, bind.scope, frame)
        if how == ASSIGNED:
            return self.values(value, place)
        if how == AUGMENTED:
            return self.augmented(bind, place)
        if how == ITEM:
            return self.picked(self.values(value, place), bind.index)
        items = self.items(value, place)
        if items is None:
            return UNSETTLED
        turns = [number for node, number in self.turn if node == id(value)]
        chosen = items[turns[-1]] if turns else tuple(one for item in items for one in item)
        return chosen if how == EACH else self.picked(chosen, bind.index)

    def picked(self, outcomes: Outcomes, index: int) -> Iterator[Outcome]:
        """The item `index` (from 0) of each value."""
        for value, tests in outcomes:
            if value.kind == SEQUENCE and value.data.__class__ is not Place and index < len(value.data):
                yield from under(value.data[index], tests)
            elif value.kind == SEQUENCE and value.node.__class__ is ast.Tuple and index < len(value.node.elts):
                yield from under(self.values(value.node.elts[index], value.data), tests)
            else:
                yield Outcome(OPEN, tests)

    def augmented(self, bind: Bind, place: Place) -> Iterable[Outcome]:
        raise NotImplementedError

    def items(self, node: Any, place: Place) -> "list[Outcomes] | None":
        """All items of a container in order, if they are known."""
        raise NotImplementedError


def _is_tried(control: Control | None, handler: Any) -> bool:
    """Whether code stands in the `try` that a handler belongs to."""
    while control is not None:
        if handler in getattr(control.node, "handlers", ()):
            return True
        control = control.outer
    return False


def _frames(frame: Frame | None) -> Iterator[Frame]:
    while frame is not None:
        yield frame
        frame = frame.outer
