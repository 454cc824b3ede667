"""What the tests before a score have looked at, and whether that is what the agent has left."""

import ast
from typing import Any, NamedTuple

from gradewright.contract import TRAJECTORY, VERIFIER_DIR
from gradewright.read.python.kinds import Place
from gradewright.read.python.looks import DEFAULT, FAILED, FILLED, OTHER, Looks
from gradewright.read.python.origins import Origins
from gradewright.read.python.outcome_calls import LOOKUPS, Outcomer
from gradewright.read.python.routes import Fork
from gradewright.read.python.sources import agent_path, known_texts

TESTS = "/tests"
CONVERSIONS = frozenset({"float", "int", "complex", "Decimal", "Fraction", "strip"})


class Sight(NamedTuple):
    """What a test looks at; `there`: it has come out as found, filled, contained, failed, missing, right."""

    kind: int
    there: bool
    place: Place
    fork: Fork

    @property
    def subject(self) -> Any:
        return self.place.node


class Evidence:
    """Tells what tests have looked at."""

    def __init__(self, outcomer: Outcomer) -> None:
        self.looks = Looks(outcomer)
        self.resolver = outcomer.resolver
        self.origins = Origins(outcomer.resolver)
        self.sights: dict[tuple[int, bool | None, int], Sight] = {}

    def sight(self, fork: Fork) -> Sight:
        """What a test, having come out as it has, has looked at."""
        found = self.sights.get(fork.key)
        if found is None:
            found = self.sights[fork.key] = self._sight(fork)
        return found

    def _sight(self, fork: Fork) -> Sight:
        test = fork.test
        place = Place(test, fork.point, fork.scope, fork.frame)
        if isinstance(test, ast.ExceptHandler | ast.With | ast.AsyncWith):
            return Sight(FAILED, True, place, fork)
        if fork.holds is None:
            if test.__class__ is ast.Attribute and test.attr in LOOKUPS:
                return Sight(DEFAULT, True, place._replace(node=test.value), fork)
            return Sight(OTHER, True, place, fork)
        kind, there, where = self.looks.look(place)
        return Sight(kind, there is fork.holds, where, fork)

    def is_evidence(self, sight: Sight, *, is_path: bool = False) -> bool:
        """Whether what a test looks at is what the agent has left, or what a run of its work has given."""
        if is_path:
            paths = set(self.paths(sight))
        else:
            self.origins.start(sight.subject, sight.place)
            paths = self.origins.paths
        if _are_own(paths):
            return False
        return (self.origins.commanded and not is_path) or any(_is_evidence(path) for path in paths)

    def is_always_there(self, sight: Sight) -> bool:
        """Whether a run that did nothing can be searched as well: its trajectory, or a listing of the agent's files."""
        self.origins.start(sight.subject, sight.place)
        paths = self.origins.paths
        if TRAJECTORY in paths:
            return not _are_own(paths)
        return sight.kind == FILLED and self.is_evidence(sight)

    def is_own(self, sight: Sight) -> bool:
        """Whether a test looks at nothing but what is the grader's own: the entry, or what is expected."""
        self.origins.start(sight.subject, sight.place)
        paths = self.origins.paths
        return _are_own(paths) and not self.origins.commanded and not any(_is_evidence(path) for path in paths)

    def fails_on_its_own(self, sight: Sight, statement: Any) -> bool:
        """Whether a statement tries to read what is expected, and nothing else, as a number: that tells of its kind."""
        calls = [part for one in statement.body for part in ast.walk(one) if isinstance(part, ast.Call)]
        names = {getattr(call.func, "id", getattr(call.func, "attr", "")) for call in calls}
        if not names <= CONVERSIONS:
            return False
        given = [sight._replace(place=sight.place._replace(node=node)) for call in calls for node in call.args]
        return bool(given) and all(map(self.is_own, given))

    def paths(self, sight: Sight) -> list[str]:
        """The paths that a test of existence looks at."""
        return known_texts(self.resolver.at(sight.subject, sight.place))


def _are_own(paths: set[str]) -> bool:
    return any(path == TESTS or path.startswith(TESTS + "/") for path in paths)


def _is_evidence(path: str) -> bool:
    return bool(agent_path(path, scratch=True)) or path == TRAJECTORY or path.startswith(VERIFIER_DIR + "/")
