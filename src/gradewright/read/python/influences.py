"""What the score of a Python grader depends on: chance, the clock, other machines, the arm, the agent's own number."""

import ast
from typing import Any

from gradewright.contract import ARM_KEY
from gradewright.model import AGENT_SCORE, CLOCK, NETWORK, RANDOM, READS_ARM, UNORDERED, Sign
from gradewright.read.python.floors import floor_of
from gradewright.read.python.flow import Scope
from gradewright.read.python.kinds import CONSTANT, HOLE, MAX_VALUES, OBJECT, Frame
from gradewright.read.python.library import OPENERS
from gradewright.read.python.ordering import LISTING_METHODS, Ordered
from gradewright.read.python.reward import Judge
from gradewright.read.python.runs import STARTERS
from gradewright.read.python.sources import (
    CHANCE,
    CLOCKS,
    ENVIRONMENT_READERS,
    FETCH,
    FILE_METHODS,
    FILE_READERS,
    FIRST,
    MADE,
    MODEL,
    SEEDS,
    agent_path,
    fetched_host,
    foreign_host,
    is_seeded,
    known_texts,
)
from gradewright.read.python.trace import (
    DIRECT,
    FLIPPED,
    LOOSE,
    MATCHED,
    NO_PICKS,
    TESTED,
    Picks,
    Spot,
    Way,
    spot_of,
)

MAX_PATH = 6


class Influences(Ordered):
    """Follows a score to all it depends on, and keeps what it should not depend on.

    `floor` is the least closeness that still matters: what a script never names need not be looked for.
    """

    def __init__(self, judge: Judge, *, is_probe: bool = False) -> None:
        super().__init__(judge.resolver)
        self.judge = judge
        self.signs: dict[tuple[str, int], tuple[Sign, str]] = {}
        self.is_probe = is_probe
        self.floor = FLIPPED if is_probe else floor_of(judge)
        self.seeded = {
            prefix
            for name, prefix in SEEDS.items()
            for site in self.program.calls.get("seed", ())
            if site.node.args and self.called(site.node.func, spot_of(site, None))[0] == name
        }

    def follow(self, node: Any, spot: Spot, way: Way, picks: Picks = NO_PICKS) -> None:
        if way.level >= self.floor:
            super().follow(node, spot, way, picks)

    def note(self, what: str, node: Any, detail: str, way: Way) -> None:
        key = what, id(node)
        certain = not way.weak and not (way.beside and what == READS_ARM)
        known = self.signs.get(key)
        if known is None or (not known[0].certain and certain):
            self.signs[key] = Sign(what, self.judge.at(node), detail.replace(HOLE, "…"), certain), detail

    # --- calls ---

    def is_source(self, node: Any, spot: Spot, way: Way) -> bool:
        dotted, maker = self.called(node.func, spot)
        if dotted and (self._chance(dotted, maker, node, spot, way) or self._clock(dotted, node, way)):
            return True
        if dotted and (self._service(dotted, maker, node, spot, way)):
            return True
        if self._agents_file(dotted, node, spot, way) or self._arm_call(dotted, node, spot, way):
            return True
        if dotted == "next" and node.args:
            self._disordered(self.unordered(node.args[0], spot), way)
        elif dotted == "zip":
            for argument in node.args:
                self._disordered(self.unordered(argument, spot), way)
        elif getattr(node.func, "attr", "") == "pop" and not node.args:
            self._disordered(self.unordered(node.func.value, spot), way)
        return False

    def _chance(self, dotted: str, maker: Any, node: Any, spot: Spot, way: Way) -> bool:
        if not CHANCE.fullmatch(dotted):
            return False
        seeded = any(dotted.startswith(prefix) for prefix in self.seeded) or (maker is not None and is_seeded(maker))
        if seeded or (dotted == "hash" and not self._is_text(node, spot)):
            return False
        if way.level >= TESTED:
            self.note(RANDOM, node, dotted.replace("()", ""), way)
        return True

    def _is_text(self, node: Any, spot: Spot) -> bool:
        values = self.values(node.args[0], spot) if node.args else ()
        return not any(value.kind == CONSTANT for value in values)

    def _clock(self, dotted: str, node: Any, way: Way) -> bool:
        if not CLOCKS.fullmatch(dotted) or (dotted.startswith("time.") and node.args):
            return False
        if way.level >= MATCHED and not way.looped:
            self.note(CLOCK, node, dotted, way)
        return True

    def _service(self, dotted: str, maker: Any, node: Any, spot: Spot, way: Way) -> bool:
        """Another machine that is asked."""
        if MODEL.fullmatch(dotted):
            words = [*node.keywords, *(maker.keywords if maker is not None else ())]
            if any(word.arg in ("base_url", "api_base") for word in words):
                return False
            self.note(NETWORK, node, dotted.partition(".")[0], way)
            return True
        if dotted in STARTERS:
            host = fetched_host(self.values(node.args[0], spot)) if node.args else ""
            if host:
                self.note(NETWORK, node, host, way)
            return bool(host)
        if not FETCH.fullmatch(dotted):
            return False
        host = self._host(dotted, maker, node, spot)
        if host:
            self.note(NETWORK, node, host, way)
        return bool(host)

    def _host(self, dotted: str, maker: Any, node: Any, spot: Spot) -> str:
        index = 1 if FIRST.fullmatch(dotted) else 0
        given = [word.value for word in node.keywords if word.arg in ("url", "host")] or node.args[index:][:1]
        words = maker.keywords if maker is not None else ()
        given += [word.value for word in words if word.arg == "base_url"]
        for address in given:
            host = foreign_host(self.values(address, spot))
            for made, there in () if host else self._makers(address, spot):
                if self.called(made.func, there)[0] == "urllib.request.Request" and made.args:
                    host = foreign_host(self.values(made.args[0], there))
            if host:
                return host
        return ""

    def _arm_call(self, dotted: str, node: Any, spot: Spot, way: Way) -> bool:
        name = getattr(node.func, "attr", "")
        if not node.args or (dotted not in ENVIRONMENT_READERS and name not in ("get", "pop")):
            return False
        if dotted not in ENVIRONMENT_READERS and self._is_own(node.func.value, spot):
            return False
        return self._arm_key(node.args[0], node, spot, way)

    def _arm_key(self, key: Any, node: Any, spot: Spot, way: Way) -> bool:
        if not any(text.lower() == ARM_KEY for text in known_texts(self.values(key, spot))):
            return False
        self.note(READS_ARM, node, ARM_KEY, way)
        return True

    def _is_own(self, node: Any, spot: Spot) -> bool:
        """Whether a dictionary is one that the script has built."""
        return any(value.kind == OBJECT for value in self.values(node, spot))

    # --- the agent's files ---

    def _agents_file(self, dotted: str, node: Any, spot: Spot, way: Way) -> bool:
        function = node.func
        name = getattr(function, "attr", "")
        if dotted in OPENERS or dotted in FILE_READERS:
            paths = self.paths(node.args[0], spot) if node.args else []
        elif (MADE in dotted or not dotted) and name in FILE_METHODS and not self.resolver._own_methods(name):
            paths = self.paths(function.value, spot)
            self.follow(function.value, spot, way.at_most(LOOSE))
        else:
            return False
        for path in paths:
            if way.level >= FLIPPED and agent_path(path, scratch=True):
                self.note(AGENT_SCORE, node, agent_path(path, scratch=True), way)
        for argument in node.args:
            self.follow(argument, spot, way.at_most(LOOSE))
        return True

    def paths(self, node: Any, spot: Spot, depth: int = 0) -> list[str]:
        """What is known of a path, be it only the folder from whose listing it comes."""
        texts = known_texts(self.values(node, spot))
        kind = node.__class__
        if depth > MAX_PATH or any(text[0] != HOLE for text in texts):
            return [text for text in texts if text[0] != HOLE]
        if kind is ast.Name:
            binds = [bind for bind in self.lookup(node.id, spot.point).binds if isinstance(bind.value, ast.expr)]
            origins = [(bind.value, Spot(bind.origin, bind.scope, spot.frame, bind.control)) for bind in binds]
            return [path for value, there in origins[:MAX_VALUES] for path in self.paths(value, there, depth + 1)]
        inner = self._around(node, spot)
        return self.paths(inner, spot, depth + 1) if inner is not None else []

    def _around(self, node: Any, spot: Spot) -> Any:
        """The part of an expression that tells in which folder the path lies that it gives."""
        kind = node.__class__
        if kind is ast.BinOp:
            return node.left
        if kind is ast.Subscript:
            return node.value
        if kind in (ast.ListComp, ast.GeneratorExp):
            return node.generators[0].iter
        if kind is not ast.Call:
            return None
        dotted, _ = self.called(node.func, spot)
        if (MADE in dotted or not dotted) and getattr(node.func, "attr", "") in LISTING_METHODS:
            return node.func.value
        return node.args[0] if node.args else None

    def is_agents(self, node: Any, spot: Spot) -> bool:
        return bool(self.agents(node, spot))

    def agents(self, node: Any, spot: Spot) -> str:
        """The file of the agent from which a value is taken as it is; empty if there is none."""
        found = self._probed(node, spot, FLIPPED)
        return next((path for (what, _), (_, path) in found.items() if what == AGENT_SCORE), "")

    def _probed(self, node: Any, spot: Spot, floor: int) -> dict[tuple[str, int], tuple[Sign, str]]:
        """What a value alone depends on, if that is not just being asked."""
        if self.is_probe:
            return {}
        probe = Influences(self.judge, is_probe=True)
        probe.floor, probe.found, probe.visits = floor, self.found, self.visits
        probe.follow(node, spot, Way(DIRECT))
        probe.run()
        self.visits = probe.visits
        return probe.signs

    def calculated(self, operator: Any, left: Any, right: Any, spot: Spot, way: Way, picks: Picks) -> None:
        """The ratio of two durations is measured on one machine, as it should be: it does not depend on the clock."""
        if operator.__class__ is ast.Div and self._is_timed(left, spot) and self._is_timed(right, spot):
            way = way._replace(looped=True)
        super().calculated(operator, left, right, spot, way, picks)

    def _is_timed(self, node: Any, spot: Spot) -> bool:
        return self.floor <= MATCHED and any(what == CLOCK for what, _ in self._probed(node, spot, MATCHED))

    # --- names, items, attributes ---

    def identifier(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        for bind in self.lookup(node.id, spot.point).binds:
            self._disordered(self.loop_source(bind, spot), way)
        super().identifier(node, spot, way, picks)

    def returned(self, scope: Scope, frame: Frame | None, way: Way, picks: Picks) -> None:
        for site in scope.returns[:MAX_VALUES]:
            self._disordered(self.returned_source(site, frame), way)
        super().returned(scope, frame, way, picks)

    def subscript(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        index = node.slice.operand if node.slice.__class__ is ast.UnaryOp else node.slice
        if index.__class__ is ast.Slice or (index.__class__ is ast.Constant and index.value.__class__ is int):
            self._disordered(self.unordered(node.value, spot), way)
        elif not self._is_own(node.value, spot) and self._arm_key(node.slice, node, spot, way):
            return
        super().subscript(node, spot, way, picks)

    def attribute(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        if node.attr == ARM_KEY and ARM_KEY not in self.program.attributes and not self._is_field(ARM_KEY):
            self.note(READS_ARM, node, ARM_KEY, way)
            return
        super().attribute(node, spot, way, picks)

    def _is_field(self, name: str) -> bool:
        return any(scope.kind == "class" and name in scope.binds for scope in self.program.scopes)

    def _disordered(self, source: Any, way: Way) -> None:
        if source is not None:
            self.note(UNORDERED, source, self.judge.literal(source), way)


Influences.forms = {
    ast.Name: Influences.identifier,
    ast.BinOp: Influences.binary,
    ast.UnaryOp: Influences.unary,
    ast.BoolOp: Influences.boolean,
    ast.Compare: Influences.comparison,
    ast.IfExp: Influences.conditional,
    ast.NamedExpr: Influences.inner,
    ast.Await: Influences.inner,
    ast.Starred: Influences.inner,
    ast.JoinedStr: Influences.formatted,
    ast.List: Influences.sequence,
    ast.Tuple: Influences.sequence,
    ast.Set: Influences.sequence,
    ast.ListComp: Influences.comprehension,
    ast.SetComp: Influences.comprehension,
    ast.GeneratorExp: Influences.comprehension,
    ast.DictComp: Influences.comprehension,
    ast.Dict: Influences.dictionary,
    ast.Subscript: Influences.subscript,
    ast.Attribute: Influences.attribute,
    ast.Call: Influences.call,
}
