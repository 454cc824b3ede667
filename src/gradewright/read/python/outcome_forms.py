"""Which values the forms of an expression may have, and under which tests: operators, tests, containers, texts."""

import ast
import json
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from gradewright.read.python.flow import Bind
from gradewright.read.python.kinds import (
    ANYTHING,
    BAG,
    CONSTANT,
    FUNCTION,
    MAX_ITEMS,
    OBJECT,
    SEQUENCE,
    TEXT,
    Place,
    Value,
)
from gradewright.read.python.outcomes import (
    MAX_OUTCOMES,
    OPEN,
    UNSETTLED,
    Outcome,
    Outcomes,
    both,
    crossed,
    seen_in,
    under,
)
from gradewright.read.python.routes import NO_FORKS, Forks
from gradewright.read.python.texts import MAX_NUMBER, is_number
from gradewright.read.python.truths import Tested

ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
COMPARED: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda part, whole: part in whole,
    ast.NotIn: lambda part, whole: part not in whole,
}
SCORE_KEYS = ("overall", "reward", "score")
MARKER = 770_077_000
"""Stands for the first field of a text that is read as JSON; the next fields have the numbers behind it."""


class Formed(Tested):
    """Every form of expression but calls."""

    def constant(self, place: Place) -> Outcomes:
        value = place.node.value
        return (Outcome(Value(TEXT if value.__class__ is str else CONSTANT, value, place.node)),)

    def container(self, place: Place) -> Outcomes:
        kind = place.node.__class__
        if kind in (ast.Dict, ast.DictComp):
            return (Outcome(Value(OBJECT, place, place.node)),)
        return (Outcome(Value(SEQUENCE if kind in (ast.List, ast.Tuple) else BAG, place, place.node)),)

    def inner(self, place: Place) -> Outcomes:
        return self.values(place.node.value, place)

    def conditional(self, place: Place) -> Iterator[Outcome]:
        node = place.node
        for holds, tests in self.truths(node.test, place):
            yield from under(self.values(node.body if holds else node.orelse, place), tests)

    def boolean(self, place: Place) -> Iterator[Outcome]:
        """`and` and `or`: the first value that decides, else the last one."""
        stops = place.node.op.__class__ is ast.Or
        ways: list[Forks] = [NO_FORKS]
        parts = place.node.values
        for part in parts[:-1]:
            further = []
            for holds, tests in self.truths(part, place):
                for way in ways:
                    together = both(way, tests)
                    if together is None:
                        continue
                    if holds is not stops:
                        further.append(together)
                    else:
                        yield Outcome(self._deciding(part, place, stops), together)
            ways = further[: MAX_OUTCOMES + 1]
        for way in ways:
            yield from under(self.values(parts[-1], place), way)

    def _deciding(self, part: Any, place: Place, stops: bool) -> Value:
        values = {outcome.value for outcome in self.values(part, place) if outcome.value.kind == CONSTANT}
        known = [value for value in values if bool(value.data) is stops]
        return known[0] if len(known) == 1 else OPEN if stops else Value(CONSTANT, False, part)

    def unary(self, place: Place) -> Iterator[Outcome]:
        node = place.node
        if node.op.__class__ is ast.Not:
            for holds, tests in self.truths(node.operand, place):
                yield Outcome(Value(CONSTANT, not holds, node), tests)
            return
        for value, tests in self.values(node.operand, place):
            if node.op.__class__ is ast.USub and is_number(value):
                yield Outcome(Value(CONSTANT, -value.data, node), tests)
            else:
                yield Outcome(OPEN, tests)

    # --- comparisons ---

    def comparison(self, place: Place) -> Iterable[Outcome]:
        node = place.node
        compare = COMPARED.get(node.ops[0].__class__)
        if compare is None or len(node.ops) > 1:
            return self.split(node, place)
        first, second = self.values(node.left, place), self.values(node.comparators[0], place)
        if all(one.value.kind == ANYTHING for one in first) or all(one.value.kind == ANYTHING for one in second):
            return self.split(node, place)
        return self._compared(node, place, compare, first, second)

    def _compared(
        self, node: Any, place: Place, compare: Callable[[Any, Any], Any], first: Outcomes, second: Outcomes
    ) -> Iterator[Outcome]:
        for one, other, tests in crossed(first, second):
            known = _compare(compare, one, other)
            apart = _untwinned(tests) if known else tests
            if known is not None and len(apart) == len(tests):
                yield Outcome(Value(CONSTANT, known, node), tests)
            else:
                yield from under(self.split(node, place), seen_in(apart))

    # --- numbers and texts ---

    def binary(self, place: Place) -> Iterable[Outcome]:
        node = place.node
        kind = node.op.__class__
        if kind is ast.Add and (parts := _pieces(node)):
            return self.template(parts, place)
        if kind is ast.Mod and node.left.__class__ is ast.Constant and node.left.value.__class__ is str:
            return self._filled(node.left.value, node.right, place)
        if kind is ast.Div and (mean := self.mean_of(node, place)):
            return mean
        if kind is ast.BitOr and node.left.__class__ in (ast.Dict, ast.Name):
            return (Outcome(Value(OBJECT, place, node)),)
        first, second = self.values(node.left, place), self.values(node.right, place)
        return [
            Outcome(calculated(kind, one, other, node), tests) for one, other, tests in crossed(first, second)
        ] or UNSETTLED

    def augmented(self, bind: Bind, place: Place) -> Iterable[Outcome]:
        node = bind.value
        before = self.values(node.target, Place(node.target, bind.before, bind.scope, place.frame))
        added = self.values(node.value, place)
        kind = node.op.__class__
        return [Outcome(calculated(kind, one, other, node), tests) for one, other, tests in crossed(before, added)]

    def mean_of(self, node: Any, place: Place) -> Outcomes | None:
        raise NotImplementedError

    def _filled(self, text: str, right: Any, place: Place) -> Iterable[Outcome]:
        fields = right.elts if right.__class__ is ast.Tuple else [right]
        pieces = _percent_pieces(text)
        if len(pieces) != len(fields) + 1:
            return UNSETTLED
        parts: list[Any] = [pieces[0]]
        for field, piece in zip(fields, pieces[1:], strict=True):
            parts += [field, piece]
        return self.template(parts, place)

    def formatted(self, place: Place) -> Iterable[Outcome]:
        return self.template(_pieces(place.node) or [], place)

    def template(self, parts: list[Any], place: Place) -> Iterable[Outcome]:
        """A text with fields: the field that is its number, alone or in a JSON object."""
        fields = [part for part in parts if part.__class__ is not str]
        if not fields:
            return (Outcome(Value(TEXT, "".join(parts), place.node)),)
        numbers = iter(range(MARKER, MARKER + len(fields)))
        text = "".join(part if part.__class__ is str else str(next(numbers)) for part in parts).strip()
        if text.isdigit() and len(fields) == 1:
            return self.values(fields[0], place)
        try:
            document = json.loads(text) if text.startswith("{") else None
        except (ValueError, RecursionError):
            document = None
        if document.__class__ is not dict:
            return UNSETTLED
        score = score_in(document)
        if score.__class__ is int and MARKER <= score < MARKER + len(fields):
            return self.values(fields[score - MARKER], place)
        return (Outcome(Value(CONSTANT, score, place.node)),) if score.__class__ in (int, float) else UNSETTLED

    # --- containers ---

    def subscript(self, place: Place) -> Iterator[Outcome]:
        node = place.node
        keys = self.values(node.slice, place)
        for base, key, tests in crossed(self.values(node.value, place), keys):
            if base.kind == OBJECT and key.kind == TEXT:
                yield from under(self.member(base, key.data) or UNSETTLED, tests)
            elif base.kind == SEQUENCE and key.kind == CONSTANT and key.data.__class__ is int and key.data >= 0:
                yield from self.picked((Outcome(base, tests),), key.data)
            else:
                yield Outcome(OPEN, tests)

    def member(self, base: Value, key: str) -> Outcomes:
        """What the key of a dictionary holds; nothing if it is not there."""
        raise NotImplementedError

    def attribute(self, place: Place) -> Iterable[Outcome]:
        raise NotImplementedError

    def function(self, place: Place) -> Outcomes:
        scope = self.program.scope_of.get(id(place.node))
        return (Outcome(Value(FUNCTION, scope, place.node)),) if scope else UNSETTLED


def calculated(kind: type, one: Value, other: Value, node: Any) -> Value:
    """The result of an operator; zero times anything is zero."""
    if kind is ast.Add and TEXT in (one.kind, other.kind):
        blank = [value for value in (one, other) if value.kind == TEXT and not value.data.strip()]
        return (other if blank[0] is one else one) if blank else OPEN
    if kind is ast.Mult and any(_is_zero(value) for value in (one, other)):
        return Value(CONSTANT, 0.0, node)
    calculate = ARITHMETIC.get(kind)
    numbers = [value.data for value in (one, other) if value.kind == CONSTANT and _is_counted(value.data)]
    if calculate is None or len(numbers) < 2 or (kind is ast.Div and not numbers[1]):
        return OPEN
    result = calculate(*numbers)
    return Value(CONSTANT, round(result, 9) if result.__class__ is float else result, node)


def _untwinned(tests: Forks) -> Forks:
    """`tests` without those that come out alike in two calls of one function: work, and what is expected, both fail."""
    held = [(id(fork.test), fork.holds) for fork in tests if fork.frame is not None]
    return tuple(fork for fork in tests if fork.frame is None or held.count((id(fork.test), fork.holds)) < 2)


def score_in(document: dict[str, Any]) -> Any:
    """What of a JSON document is its score."""
    for key in SCORE_KEYS:
        if key in document:
            return document[key]
    return next(iter(document.values())) if len(document) == 1 else None


def _is_counted(data: Any) -> bool:
    return data.__class__ in (int, float, bool) and abs(data) < MAX_NUMBER


def _is_zero(value: Value) -> bool:
    return value.kind == CONSTANT and value.data.__class__ in (int, float) and value.data == 0


def _compare(compare: Callable[[Any, Any], Any], one: Value, other: Value) -> bool | None:
    if one.kind not in (CONSTANT, TEXT) or other.kind not in (CONSTANT, TEXT):
        none = other.kind == CONSTANT and other.data is None and one.kind in (OBJECT, SEQUENCE, BAG)
        return compare is operator.is_not if none and compare in (operator.is_, operator.is_not) else None
    try:
        return bool(compare(one.data, other.data))
    except TypeError:
        return None


def _pieces(node: Any, depth: int = 0) -> "list[Any] | None":
    """Literal texts and fields of a text that is put together; None if it is no text."""
    if node.__class__ is ast.JoinedStr:
        inner = (ast.FormattedValue, ast.Constant)
        return [part.value if part.__class__ in inner else part for part in node.values[:MAX_ITEMS]]
    if node.__class__ is ast.Constant and node.value.__class__ is str:
        return [node.value]
    if node.__class__ is not ast.BinOp or node.op.__class__ is not ast.Add or depth > MAX_ITEMS:
        return None
    first, second = _pieces(node.left, depth + 1), _pieces(node.right, depth + 1)
    if first is None and second is None:
        return None
    return [*(first or [node.left]), *(second or [node.right])]


def _percent_pieces(text: str) -> list[str]:
    """What stands between the fields of `text % values`."""
    pieces, rest = [], text.replace("%%", "\0")
    while "%" in rest:
        before, _, rest = rest.partition("%")
        kind = rest.lstrip("0123456789.+- #")
        if not kind or kind[0] not in "sdfgeri":
            return []
        pieces.append(before)
        rest = kind[1:]
    return [piece.replace("\0", "%") for piece in (*pieces, rest)]
