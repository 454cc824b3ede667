"""How tests may come out, and under which tests of their own."""

import ast
from typing import Any

from gradewright.read.python.kinds import CONSTANT, INSTANCE, TEXT, Place, Value
from gradewright.read.python.outcomes import MAX_OUTCOMES, Core, Outcome, Truths, both, seen_in, under
from gradewright.read.python.routes import NO_FORKS, Fork, Forks


class Tested(Core):
    """Tests."""

    def truths(self, node: Any, place: Place) -> Truths:
        """How a test may come out, and under which tests of its own."""
        if node.__class__ is ast.BoolOp:
            return self._junction(node, place)
        found: Truths = []
        for value, tests in self.values(node, place):
            truth = self.truth_of(value)
            if truth is not None:
                found.append((truth, tests))
                continue
            for outcome in under(self.split(node, place), seen_in(tests)):
                found.append((bool(outcome.value.data), outcome.tests))
        return found

    def _junction(self, node: Any, place: Place) -> Truths:
        """How `and` and `or` come out: the first part that decides does, else the last one."""
        stops = node.op.__class__ is ast.Or
        found: Truths = []
        ways: list[Forks] = [NO_FORKS]
        for part in node.values:
            further: list[Forks] = []
            for holds, tests in self.truths(part, place):
                together = [one for way in ways if (one := both(way, tests)) is not None]
                if holds is stops:
                    found += [(stops, one) for one in together]
                else:
                    further += together
            ways = further
            if len(found) + len(ways) > MAX_OUTCOMES:
                return [(bool(outcome.value.data), outcome.tests) for outcome in self.split(node, place)]
        return [*found, *((not stops, way) for way in ways)]

    def expanded(self, fork: Fork) -> Truths | None:
        """The ways in which a test comes out as it has to, by tests that cannot be looked into further; None for
        a test that is one of those itself.
        """
        if fork.holds is None or not isinstance(fork.test, ast.expr):
            return None
        place = Place(fork.test, fork.point, fork.scope, fork.frame)
        ways = [(holds, tests) for holds, tests in self.truths(fork.test, place) if holds is fork.holds]
        return None if [[one.key for one in tests] for _, tests in ways] == [[fork.key]] else ways

    def truth_of(self, value: Value) -> bool | None:
        """Whether a value counts as true; None if that is not known."""
        if value.kind in (CONSTANT, TEXT):
            return bool(value.data)
        return True if value.kind == INSTANCE else None

    def split(self, node: Any, place: Place) -> list[Outcome]:
        """A test that is not looked into: it holds, or it does not."""
        return [
            Outcome(Value(CONSTANT, holds, node), (Fork(node, holds, place.point, place.scope, place.frame),))
            for holds in (True, False)
        ]
