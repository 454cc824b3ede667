"""Which tests lie on every way between two places of a script, from the links that the walk has left."""

from ast import ExceptHandler
from typing import Any, NamedTuple

from gradewright.read.python.flow import Bind, Entry, Guard, Join, Point, Scope, is_constant_true, is_main_guard
from gradewright.read.python.kinds import Frame

MAX_REGION = 4_000
MAX_STEPS = 120_000
MAX_ROUNDS = 6


class Fork(NamedTuple):
    """A test, or a handler, that has to come out so: `holds` is None where it is no matter of true or false."""

    test: Any
    holds: bool | None
    point: Point
    scope: Scope
    frame: Frame | None

    @property
    def key(self) -> tuple[int, bool | None, int]:
        return id(self.test), self.holds, id(self.frame)


Forks = tuple[Fork, ...]
NO_FORKS: Forks = ()


class Reached(NamedTuple):
    """What is reached from a point: bindings and starts of scopes, each with the guards on every way to it."""

    binds: tuple[tuple[Bind, tuple[Guard, ...]], ...]
    entries: tuple[tuple[Scope, tuple[Guard, ...]], ...]
    whole: bool = True


NOWHERE = Reached((), (), whole=False)


class Routes:
    """Searches backwards, within a bound on all searches together."""

    def __init__(self) -> None:
        self.steps = 0
        self.known: dict[tuple[str, int], Reached] = {}
        self.caught: dict[tuple[str, int], list[Guard]] = {}

    def reach(self, name: str, point: Point) -> Reached:
        """Every binding of `name` that reaches `point`; with no name, the start of the scope."""
        key = name, id(point)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._reach(name, point)
        return found

    def handlers(self, name: str, point: Point) -> list[Guard]:
        """The handlers on any way from `point` back to a binding of `name`."""
        self.reach(name, point)
        return self.caught.get((name, id(point)), [])

    def before(self, point: Point, scope: Scope, frame: Frame | None) -> Forks:
        """The tests on every way from the start of a scope to `point`."""
        entries = self.reach("", point).entries
        return forks(entries[0][1], scope, frame) if entries else NO_FORKS

    def _reach(self, name: str, point: Point) -> Reached:
        order = self._region(name, point)
        if order is None:
            return NOWHERE
        guards = [node for node in order if node.__class__ is Guard]
        self.caught[name, id(point)] = [guard for guard in guards if guard.test.__class__ is ExceptHandler]
        bits = {id(guard): 1 << number for number, guard in enumerate(guards)}
        masks = self._masks(name, order, bits, (1 << len(guards)) - 1)
        binds: list[tuple[Bind, tuple[Guard, ...]]] = []
        entries: list[tuple[Scope, tuple[Guard, ...]]] = []
        for node in order:
            if node.__class__ is Entry or (node.__class__ is Bind and node.name == name):
                passed = tuple(guard for guard in reversed(guards) if masks[id(node)] & bits[id(guard)])
                if node.__class__ is Bind:
                    binds.append((node, passed))
                else:
                    entries.append((node.scope, passed))
        return Reached(tuple(binds), tuple(entries))

    def _region(self, name: str, point: Point) -> "list[Any] | None":
        """All points between `point` and where the search ends, each behind those that lead to it."""
        finished: list[Any] = []
        seen: set[int] = {id(point)}
        pending: list[tuple[Any, list[Any]]] = [(point, _back(point, name))]
        while pending:
            node, rest = pending[-1]
            if not rest:
                finished.append(node)
                pending.pop()
                continue
            following = rest.pop()
            if id(following) not in seen:
                seen.add(id(following))
                self.steps += 1
                if len(seen) > MAX_REGION or self.steps > MAX_STEPS:
                    return None
                pending.append((following, _back(following, name)))
        finished.reverse()
        return [node for node in finished if node is not None]

    def _masks(self, name: str, order: list[Any], bits: dict[int, int], full: int) -> dict[int, int]:
        """For each point the guards, as bits, that lie on all ways to it."""
        masks = {id(node): full for node in order}
        if order:
            masks[id(order[0])] = 0
        changed = True
        for _ in range(MAX_ROUNDS):
            if not changed:
                break
            changed = False
            for node in order:
                passed = masks[id(node)] | bits.get(id(node), 0)
                for following in _back(node, name):
                    known = masks[id(following)]
                    if known & passed != known:
                        masks[id(following)] = known & passed
                        changed = True
        return masks


def _back(node: Any, name: str) -> list[Any]:
    kind = node.__class__
    if kind is Bind:
        return [] if node.name == name or node.before is None else [node.before]
    if kind is Guard:
        return [] if node.before is None else [node.before]
    return [source for source in node.sources if source is not None] if kind is Join else []


def forks(guards: "tuple[Guard, ...]", scope: Scope, frame: Frame | None) -> Forks:
    """Guards as they are passed in a scope; without those that hold whenever the script runs."""
    return tuple(
        Fork(guard.test, guard.holds, guard.before, scope, frame)
        for guard in guards
        if not (is_constant_true(guard.test) or is_main_guard(guard.test))
    )
