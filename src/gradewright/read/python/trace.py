"""Where a value of a script comes from: followed back through names, calls, containers and the tests that decide it.

It goes through the records of the one walk, from the expression that is asked about; nothing is walked twice.
"""

import ast
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from gradewright.read.python.flow import (
    AUGMENTED,
    DEFINED,
    EACH,
    EACH_ITEM,
    FUNCTIONS,
    IMPORTED,
    ITEM,
    OPAQUE,
    Bind,
    Change,
    Control,
    Found,
    Guard,
    Join,
    Point,
    Scope,
    Site,
    find,
)
from gradewright.read.python.kinds import MAX_VALUES, Frame, Values
from gradewright.read.python.objects import Resolver

LOOSE, MATCHED, TESTED, NUMERIC, FLIPPED, DIRECT = range(6)
"""How closely a value decides what is asked about: it has some influence; it is compared with something that is not
known; it decides a test; it is calculated with; it is calculated with after being taken from a constant; it goes
through unchanged, scaled, clamped or averaged."""

ANY = "*"
"""Picks any item of a container."""

MAX_VISITS = 6_000
MAX_LINKS = 400_000
MAX_PICKS = 4
MAX_GUARDS = 400
LOOPS = (ast.For, ast.AsyncFor, ast.While)

Pick = str | int
Picks = tuple[Pick, ...]
NO_PICKS: Picks = ()


class Way(NamedTuple):
    """How a value gets to what is asked about. `looped`: by a test in a loop; `weak`: only its presence
    depends on it; `beside`: it is a metric beside the overall score.
    """

    level: int
    looped: bool = False
    weak: bool = False
    beside: bool = False

    def at_most(self, level: int) -> "Way":
        return self if self.level <= level else self._replace(level=level)


def _covers(one: Way, other: Way) -> bool:
    """Whether nothing can be said about the second way that cannot be said about the first."""
    plain = one.looped <= other.looped and one.weak <= other.weak and one.beside <= other.beside
    return plain and one.level >= other.level


def _is_new(seen: dict[tuple[int, int, Picks], list[Way]], key: tuple[int, int, Picks], way: Way) -> bool:
    """Whether nothing is known yet that covers `way`; it is known from then on."""
    known = seen.setdefault(key, [])
    if any(_covers(one, way) for one in known):
        return False
    known.append(way)
    return True


class Spot(NamedTuple):
    """Where an expression stands."""

    point: Point
    scope: Scope
    frame: Frame | None
    control: Control | None


def spot_of(site: Site, frame: Frame | None) -> Spot:
    return Spot(site.point, site.scope, frame, site.control)


class Tracer:
    """Follows values back. What an expression's form means is added by subclasses."""

    forms: dict[type, Callable[[Any, Any, Spot, Way, Picks], None]]

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.program = resolver.program
        self.visits = 0
        self.links = 0
        self.bounds: dict[tuple[int, int, Picks], list[Way]] = {}
        self.seen: dict[tuple[int, int, Picks], list[Way]] = {}
        self.controlled: set[tuple[int, int, Way]] = set()
        self.found: dict[tuple[str, int], Found] = {}
        self.pending: list[tuple[Any, Spot, Way, Picks]] = []

    def follow(self, node: Any, spot: Spot, way: Way, picks: Picks = NO_PICKS) -> None:
        """Put an expression on the list of those to follow; `picks` are the items of it that matter."""
        handler = self.forms.get(node.__class__)
        if handler is None:
            return
        key = id(node), id(spot.frame), picks[:MAX_PICKS]
        if _is_new(self.seen, key, way):
            self.pending.append((node, spot, way, picks[:MAX_PICKS]))

    def run(self) -> None:
        """Follow all that is on the list, and what that leads to."""
        while self.pending and self.visits < MAX_VISITS:
            self.visits += 1
            node, spot, way, picks = self.pending.pop()
            self.forms[node.__class__](self, node, spot, way, picks)

    def values(self, node: Any, spot: Spot) -> Values:
        return self.resolver.values(node, spot.point, spot.scope, spot.frame)

    # --- tests ---

    def decided(self, control: Control | None, scope: Scope, frame: Frame | None, way: Way) -> None:
        """Follow the tests that decide whether code runs."""
        loops = 0
        here = control
        while here is not None:
            loops += here.node.__class__ in LOOPS
            here = here.outer
        while control is not None:
            is_loop = control.node.__class__ in LOOPS
            loops -= is_loop
            tested = way.at_most(TESTED)._replace(looped=way.looped or loops > 0)
            key = id(control), id(frame), tested
            if key in self.controlled:
                return
            self.controlled.add(key)
            if control.test is not None and not is_loop:
                self.follow(control.test, Spot(control.point, scope, frame, control.outer), tested)
            control = control.outer

    def decided_calls(self, frame: Frame | None, way: Way) -> None:
        """Follow the tests that decide whether the calls being looked into are made."""
        while frame is not None:
            self.decided(self.site(frame.site).control, frame.site.scope, frame.outer, way)
            frame = frame.outer

    def site(self, site: Site) -> Site:
        """The site of a call as the walk has recorded it, with what decides it."""
        function = getattr(site.node, "func", None)
        if site.control is not None or function is None:
            return site
        name = getattr(function, "id", getattr(function, "attr", ""))
        return next((one for one in self.program.calls.get(name, ()) if one.node is site.node), site)

    # --- names ---

    def lookup(self, name: str, point: Point) -> Found:
        key = name, id(point)
        known = self.found.get(key)
        if known is None:
            if self.links > MAX_LINKS:
                return Found((), (), guarded=True, whole=False)
            known = self.found[key] = find(name, point)
            self.links += known.steps
        return known

    def name(self, name: str, spot: Spot, way: Way, picks: Picks) -> None:
        """Follow everything that `name` may be bound to."""
        if name in self.program.shared:
            for scope in self.program.scopes:
                for bind in scope.binds.get(name, ())[:MAX_VALUES]:
                    self.bound(bind, None, way, picks)
            return
        found = self.lookup(name, spot.point)
        for bind in found.binds:
            self.bound(bind, spot.frame, way, picks)
        for entry in found.entries:
            self._outside(name, entry, spot.frame, way, picks)

    def _outside(self, name: str, scope: Scope, frame: Frame | None, way: Way, picks: Picks) -> None:
        here: Scope | None = scope
        while here is not None:
            if here.kind in FUNCTIONS and name in here.parameters:
                for node, spot in self.arguments(here, name, frame):
                    self.follow(node, spot, way, picks)
                return
            if here.kind != "class" and name in here.binds and name not in here.shared:
                if here is not scope:
                    for bind in here.binds[name][:MAX_VALUES]:
                        self.bound(bind, None if here.kind == "module" else frame, way, picks)
                return
            here = here.parent

    def bound(self, bind: Bind, frame: Frame | None, way: Way, picks: Picks) -> None:
        """Follow what a binding gives its name, and the tests that decide whether it is made."""
        how, value = bind.how, bind.value
        if value is None or how in (IMPORTED, DEFINED) or not _is_new(self.bounds, (id(bind), id(frame), picks), way):
            return
        spot = Spot(bind.origin, bind.scope, frame, bind.control)
        self.decided(bind.control, bind.scope, frame, way)
        if how == AUGMENTED:
            self.augmented(bind, value, spot, way, picks)
            return
        if how == OPAQUE:
            way, picks = way.at_most(LOOSE), NO_PICKS
        elif how == ITEM:
            picks = (bind.index, *picks)
        elif how == EACH:
            picks = (ANY, *picks)
        elif how == EACH_ITEM:
            picks = (ANY, bind.index, *picks)
        self.follow(value, spot, way, picks)

    def augmented(self, bind: Bind, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        raise NotImplementedError

    def arguments(self, scope: Scope, name: str, frame: Frame | None) -> Iterator[tuple[Any, Spot]]:
        """What calls hand over as the parameter `name`: the call being looked into, else every call."""
        here = frame
        while here is not None:
            if here.scope is scope:
                yield from self._argument(scope, name, self.site(here.site), here.outer)
                return
            here = here.outer
        for site in self.resolver.call_sites(scope)[:MAX_VALUES]:
            yield from self._argument(scope, name, site, None)

    def _argument(self, scope: Scope, name: str, site: Site, outer: Frame | None) -> Iterator[tuple[Any, Spot]]:
        call, spot = site.node, spot_of(site, outer)
        positional = [item.arg for item in (*scope.node.args.posonlyargs, *scope.node.args.args)]
        if scope.parent and scope.parent.kind == "class" and positional[:1] in (["self"], ["cls"]):
            positional = positional[1:]
        given = [keyword.value for keyword in call.keywords if keyword.arg == name]
        if name in positional:
            given += call.args[positional.index(name) :][:1]
        elif scope.node.args.vararg and scope.node.args.vararg.arg == name:
            given += call.args[len(positional) :]
        for node in given:
            yield node, spot
        default = scope.parameters.get(name)
        if not given and default is not None and scope.parent is not None:
            yield default, Spot(site.point, scope.parent, None, None)

    def guards(self, name: str, point: Point) -> list[tuple[Any, Guard]]:
        """The tests that have looked at `name` on the way to `point` since it was bound."""
        found: list[tuple[Any, Guard]] = []
        pending: list[Point] = [point]
        seen: set[int] = set()
        while pending and len(seen) < MAX_GUARDS:
            here = pending.pop()
            while here is not None and id(here) not in seen and len(seen) < MAX_GUARDS:
                seen.add(id(here))
                if here.__class__ is Guard:
                    if name in here.names:
                        found.append((here.test, here))
                    here = here.before
                elif here.__class__ is Join:
                    pending.extend(here.sources)
                    break
                elif here.__class__ is Bind and here.name != name:
                    here = here.before
                else:
                    break
        return found

    def changes(self, node: Any) -> "list[tuple[Change, Frame | None]]":
        """The changes that the script makes to the dictionary that `node` creates."""
        return self.resolver.changed.get(id(node), [])
