"""Which numbers come out where many are made one: `min`, `max`, `sum`, means, `all` and `any`."""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from gradewright.read.python.kinds import CONSTANT, MAX_VALUES, OBJECT, TEXT, Place, Value
from gradewright.read.python.outcome_items import Itemized
from gradewright.read.python.outcomes import OPEN, UNSETTLED, Outcome, Outcomes, both, crossed, under
from gradewright.read.python.routes import NO_FORKS, Fork, Forks
from gradewright.read.python.texts import is_number


class Folded(Itemized):
    """Functions that make one value of several."""

    def extreme(self, place: Place) -> Iterable[Outcome]:
        """`min` and `max`. A clamp tells something of a number that is not known: it is `at_least` so much."""
        node = place.node
        choose = min if getattr(node.func, "id", "") == "min" else max
        if len(node.args) == 1:
            return self.folded(choose, place)
        found = self.values(node.args[0], place)
        for argument in node.args[1:]:
            pairs = crossed(found, self.values(argument, place))
            found = tuple(Outcome(_chosen(choose, one, other), tests) for one, other, tests in pairs)
        return found

    def folded(self, fold: Callable[[Any], Any], place: Place) -> Iterable[Outcome]:
        """The numbers of a container made one by `fold`."""
        argument = place.node.args[0]
        items = self.items(argument, place)
        if not items:
            constant = None if fold is sum else self._uniform(argument, place)
            return UNSETTLED if constant is None else (Outcome(constant),)
        ways = _ways(items)
        if ways is None:
            return UNSETTLED
        return [Outcome(_rounded(fold(numbers), place.node), tests) for numbers, tests in ways]

    def counted(self, place: Place) -> Outcomes:
        """`len`."""
        items = self.items(place.node.args[0], place)
        return UNSETTLED if items is None else (Outcome(Value(CONSTANT, len(items), place.node)),)

    def all_of(self, place: Place) -> Iterable[Outcome]:
        return self._quantified(place, stops=False)

    def any_item(self, place: Place) -> Iterable[Outcome]:
        return self._quantified(place, stops=True)

    def _quantified(self, place: Place, *, stops: bool) -> Iterable[Outcome]:
        """`all` and `any`: of known items, else a test that is not looked into."""
        node = place.node
        argument = node.args[0]
        shown = argument.__class__ in (ast.List, ast.Tuple) and self.items(argument, place) is not None
        if not shown:
            constant = self._uniform(argument, place)
            if constant is not None and bool(constant.data) is not stops:
                return (Outcome(Value(CONSTANT, not stops, node)),)
            return self.split(node, place)
        found: list[Outcome] = []
        ways: list[Forks] = [NO_FORKS]
        for element in argument.elts:
            further = []
            for holds, tests in self.truths(element, place):
                together = [one for way in ways if (one := both(way, tests)) is not None]
                if holds is stops:
                    found += [Outcome(Value(CONSTANT, stops, node), one) for one in together]
                else:
                    further += together
            ways = further[:MAX_VALUES]
        return [*found, *(Outcome(Value(CONSTANT, not stops, node), way) for way in ways)]

    # --- means ---

    def mean_of(self, node: Any, place: Place) -> Outcomes | None:
        """`sum(items) / len(items)`."""
        first, second = node.left, node.right
        if not (first.__class__ is second.__class__ is ast.Call and first.args and second.args):
            return None
        if getattr(second.func, "id", "") == "max":
            counts = [part for part in second.args if part.__class__ is ast.Call and part.args]
            second = counts[0] if counts else second
        names = getattr(first.func, "id", ""), getattr(second.func, "id", "")
        if names != ("sum", "len"):
            return None
        added, counted = first.args[0], ast.dump(second.args[0])
        dictionary = None
        if isinstance(added, ast.Call) and isinstance(added.func, ast.Attribute) and added.func.attr == "values":
            dictionary = ast.dump(added.func.value)
        if counted not in (ast.dump(added), dictionary):
            return None
        found = self._of_dictionaries(added, place) if dictionary else None
        found = found or self.mean(added, place)
        if found is None or second is node.right:
            return found
        return (*found, Outcome(Value(CONSTANT, 0.0, node), self._mixed(added, place)))

    def _of_dictionaries(self, call: Any, place: Place) -> Outcomes | None:
        """The means of the values of several dictionaries, of which it is one or the other."""
        found: list[Outcome] = []
        bases = self.values(call.func.value, place)
        for value, tests in bases if len(bases) > 1 else ():
            keys = self.keys_of(value) if value.kind == OBJECT else None
            ways = _ways([self.member(value, key) for key in keys]) if keys else None
            if ways is None:
                found.append(Outcome(OPEN, tests))
                continue
            means = [Outcome(_rounded(sum(numbers) / len(numbers), call), own) for numbers, own in ways]
            found += under(means, tests)
        return tuple(found)

    def mean(self, node: Any, place: Place) -> Outcomes | None:
        """The mean of a container; None if it is not known."""
        items = self.items(node, place)
        ways = _ways(items) if items else None
        if ways:
            return tuple(Outcome(_rounded(sum(numbers) / len(numbers), node), tests) for numbers, tests in ways)
        constant = self._uniform(node, place)
        return self._mixture(node, place) if constant is None else (Outcome(constant),)

    def _mixture(self, node: Any, place: Place) -> Outcomes | None:
        """The means of a container in which one kind of item is all there is: what every mean of it lies between."""
        found = self.possible(node, place)
        if not found or not all(is_number(one.value) or one.value.data.__class__ is bool for one in found):
            return None
        return tuple(under(found, self._mixed(node, place)))

    def _mixed(self, node: Any, place: Place) -> Forks:
        """The test that all items of a container are of one kind."""
        return (Fork(node, None, place.point, place.scope, place.frame),)

    def _uniform(self, node: Any, place: Place) -> Value | None:
        """The number that every item of a container is."""
        found = self.possible(node, place)
        if not found:
            return None
        first = found[0].value
        if first.kind != CONSTANT or first.data.__class__ not in (int, float, bool):
            return None
        return first if all(one.value.kind == CONSTANT and one.value.data == first.data for one in found) else None


def _ways(items: list[Outcomes]) -> "list[tuple[list[Any], Forks]] | None":
    """The numbers that items may be together, with the tests that lead to them; None if they are not known."""
    ways: list[tuple[list[Any], Forks]] = [([], NO_FORKS)]
    for item in items:
        further = []
        for value, own in item:
            if value.kind != CONSTANT or value.data.__class__ not in (int, float, bool):
                return None
            for numbers, tests in ways:
                together = both(tests, own)
                if together is not None:
                    further.append(([*numbers, value.data], together))
        ways = further
        if len(ways) > MAX_VALUES:
            return None
    return ways


def _rounded(number: Any, node: Any) -> Value:
    return Value(CONSTANT, round(number, 9), node)


def _chosen(choose: Callable[..., Any], one: Value, other: Value) -> Value:
    """The result of `min` or `max`; `data` of a number that is not known is what it is at least."""
    if is_number(one) and is_number(other):
        return one if choose(one.data, other.data) == one.data else other
    fixed, open_one = (one, other) if is_number(one) else (other, one)
    if not is_number(fixed) or open_one.kind == CONSTANT or open_one.kind == TEXT:
        return OPEN
    least = open_one.data if open_one.data.__class__ in (int, float) else None
    if choose is max:
        least = fixed.data if least is None else max(least, fixed.data)
        return Value(OPEN.kind, least, fixed.node)
    if least is not None and least >= fixed.data:
        return fixed
    return Value(OPEN.kind, least, fixed.node)
