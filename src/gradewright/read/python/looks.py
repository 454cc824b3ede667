"""What a test looks at: whether something is there, has content, contains something, has failed."""

import ast
from typing import Any, NamedTuple

from gradewright.read.python.flow import ASSIGNED, AUGMENTED, Bind
from gradewright.read.python.kinds import CONSTANT, MAX_VALUES, MODULE, TEXT, Place
from gradewright.read.python.origins import EXIST_FUNCTIONS, EXIST_METHODS
from gradewright.read.python.outcome_calls import Outcomer

EXISTS, FILLED, CONTAINS, FAILED, COMMAND, DEFAULT, EVERY, OTHER = range(8)
"""Kinds of tests: something is there; it has content; something is found in it; an error was caught; a command has
failed; a key is missing; all items of what may have none are right; everything else."""

READING = frozenset({
    "read_text", "read_bytes", "read", "readlines", "load", "loads", "glob", "rglob", "iterdir", "listdir", "scandir",
    "split", "splitlines", "strip", "lower", "upper", "list", "sorted", "set", "tuple", "dict", "DictReader", "reader",
    "safe_load", "decode", "get", "iglob", "values", "items", "keys", "rstrip", "lstrip", "walk", "stat", "getsize",
})  # fmt: skip
"""Functions and methods that give data: a test of what they give asks whether there is any."""

SEARCHES = frozenset({"search", "match", "fullmatch", "findall", "finditer", "filter", "count", "find"})
STATUS = frozenset({"returncode", "exit_code", "exitcode"})
CONTENTS = frozenset({"stdout", "st_size"})
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
LOOPS = (ast.For, ast.AsyncFor)
MAX_FOLLOWED = 6


class Look(NamedTuple):
    """A test of a `kind` looks at what stands at `place`. `there`: it holds if that exists, has content and so on."""

    kind: int
    there: bool
    place: Place


class Looks:
    """Finds out what tests look at."""

    def __init__(self, outcomer: Outcomer) -> None:
        self.outcomer = outcomer
        self.resolver = outcomer.resolver

    def look(self, place: Place, depth: int = 0) -> Look:
        """What the test at `place` looks at."""
        handler = FORMS.get(place.node.__class__)
        return handler(self, place, depth) if handler and depth <= MAX_FOLLOWED else Look(OTHER, True, place)

    def _inverted(self, place: Place, depth: int) -> Look:
        if place.node.op.__class__ is not ast.Not:
            return Look(OTHER, True, place)
        found = self.look(place._replace(node=place.node.operand), depth + 1)
        return found._replace(there=not found.there)

    def _data(self, place: Place, _: int) -> Look:
        return Look(FILLED, True, place)

    def _attribute(self, place: Place, _: int) -> Look:
        name = place.node.attr
        return Look(COMMAND if name in STATUS else FILLED if name in CONTENTS else OTHER, True, place)

    def _sum(self, place: Place, _: int) -> Look:
        """What is left of a number, such as the tests without those that were skipped: whether there is any."""
        return Look(FILLED if place.node.op.__class__ is ast.Sub else OTHER, True, place)

    def _comprehension(self, place: Place, depth: int) -> Look:
        """Whether a comprehension gives anything: whether there is something, or something that is so."""
        tests = [test for part in place.node.generators for test in part.ifs]
        inner = self.outcomer.program.inner.get(id(place.node))
        if not tests:
            return Look(FILLED, True, place)
        if len(tests) == 1 and inner is not None:
            found = self.look(place._replace(node=tests[0], point=inner), depth + 1)
            if found.kind == EXISTS:
                return found
        return Look(CONTAINS, True, place)

    def _conditional(self, place: Place, depth: int) -> Look:
        node = place.node
        return self._one_of([place._replace(node=part) for part in (node.body, node.orelse)], place, depth)

    def _named(self, place: Place, depth: int) -> Look:
        """A name is what its bindings are."""
        found = self.outcomer.tracer.lookup(place.node.id, place.point)
        if any(bind.how == AUGMENTED for bind in found.binds):
            return self._counter(found.binds, place)
        parts: list[Place] = []
        for bind in found.binds:
            value = bind.value if bind.how == ASSIGNED else None
            parts.append(Place(value, bind.origin, bind.scope, place.frame))
        for entry in found.entries if not parts else ():
            if place.node.id in entry.parameters:
                for node, given in self.outcomer.tracer.arguments(entry, place.node.id, place.frame):
                    parts.append(Place(node, given.point, given.scope, given.frame))
        return self._one_of(parts, place, depth)

    def _counter(self, binds: tuple[Bind, ...], place: Place) -> Look:
        """A number that is raised by one for each item of a loop."""
        for bind in binds:
            control = bind.control
            if bind.how != AUGMENTED:
                if not _is_nothing(bind.value):
                    return Look(OTHER, True, place)
            elif control is None or not isinstance(control.node, LOOPS) or not _is_one(bind.value.value):
                return Look(OTHER, True, place)
            else:
                place = Place(control.node.iter, control.point, bind.scope, place.frame)
        return Look(FILLED, True, place)

    def _one_of(self, parts: list[Place], place: Place, depth: int) -> Look:
        """What several expressions have in common; texts and containers without content say nothing."""
        looks = [self.look(part, depth + 1) for part in parts[:MAX_VALUES] if not _is_nothing(part.node)]
        kinds = {(one.kind, one.there) for one in looks}
        if len(kinds) != 1:
            return Look(OTHER, True, place)
        return looks[0] if len(looks) == 1 else looks[0]._replace(place=place)

    # --- calls ---

    def _call(self, place: Place, depth: int) -> Look:
        test, function = place.node, place.node.func
        name = getattr(function, "attr", getattr(function, "id", ""))
        dotted = self._dotted(function, place)
        is_method = function.__class__ is ast.Attribute and not self.resolver._own_methods(name)
        if dotted in EXIST_FUNCTIONS and test.args:
            return Look(EXISTS, True, place._replace(node=test.args[0]))
        if is_method and name in EXIST_METHODS and not dotted:
            return Look(EXISTS, True, place._replace(node=function.value))
        if dotted in ("all", "any") and test.args:
            return self._quantified(place._replace(node=test.args[0]), depth, is_all=dotted == "all")
        if dotted in ("len", "bool", "sum") and test.args:
            return self.look(place._replace(node=test.args[0]), depth + 1)
        if name in SEARCHES and (dotted.startswith("re.") if dotted else is_method):
            return Look(CONTAINS, True, place._replace(node=test.args[-1]) if test.args and dotted else place)
        reads = name in READING and (bool(dotted) or is_method)
        return Look(EXISTS if dotted == "shutil.which" else FILLED if reads else OTHER, True, place)

    def _quantified(self, place: Place, depth: int, *, is_all: bool) -> Look:
        """`all` and `any`: of tests of existence they are one; else `any` searches, `all` holds for nothing too."""
        node = place.node
        if not isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            return Look(EVERY, True, place) if is_all else self.look(place, depth + 1)
        inner = self.outcomer.program.inner.get(id(node))
        if inner is not None and not any(part.ifs for part in node.generators):
            found = self.look(place._replace(node=node.elt, point=inner), depth + 1)
            if found.kind == EXISTS:
                return found
        return Look(EVERY if is_all else CONTAINS, True, place._replace(node=node.generators[0].iter))

    def _dotted(self, function: Any, place: Place) -> str:
        for value in self.resolver.at(function, place):
            if value.kind == MODULE:
                return str(value.data)
        return ""

    # --- comparisons ---

    def _comparison(self, place: Place, _: int) -> Look:
        test = place.node
        if len(test.ops) > 1:
            return Look(OTHER, True, place)
        operator, left, right = test.ops[0].__class__, test.left, test.comparators[0]
        if operator in (ast.In, ast.NotIn):
            return Look(CONTAINS, operator is ast.In, place._replace(node=right))
        if operator is ast.Eq and (counted := self._counted(left, right, place)) is not None:
            return Look(EVERY, True, place._replace(node=counted))
        limit = self._constant(right, place)
        if limit is None:
            return Look(OTHER, True, place)
        if limit[0] in (None, "", b"") and operator in (ast.Is, ast.IsNot, ast.Eq, ast.NotEq):
            found = self.look(place._replace(node=left), 1)
            return found._replace(there=found.there is (operator in (ast.IsNot, ast.NotEq)))
        return self._number(place, operator, limit[0])

    def _number(self, place: Place, operator: type, data: Any) -> Look:
        """A number compared with zero, or with one."""
        zero = data.__class__ is int and data == 0
        one = data.__class__ is int and data == 1
        some = (zero and operator in (ast.NotEq, ast.Gt)) or (one and operator is ast.GtE)
        none = (zero and operator in (ast.Eq, ast.LtE)) or (one and operator is ast.Lt)
        if not some and not none:
            return Look(OTHER, True, place)
        found = self.look(place._replace(node=place.node.left), 1)
        return found._replace(there=found.there is some)

    def _counted(self, left: Any, right: Any, place: Place) -> Any:
        """The items, if a number of chosen ones is compared with the number of all of them."""
        for chosen, every in ((left, right), (right, left)):
            if self._is_count(chosen, place, chosen=True) and self._is_count(every, place, chosen=False):
                return every.args[0] if every.__class__ is ast.Call else every
        return None

    def _is_count(self, node: Any, place: Place, *, chosen: bool) -> bool:
        if node.__class__ is ast.Name:
            binds = self.outcomer.tracer.lookup(node.id, place.point).binds
            node = binds[0].value if len(binds) == 1 else None
        if node.__class__ is not ast.Call or not node.args:
            return False
        name = getattr(node.func, "id", "")
        is_chosen = node.args[0].__class__ in (ast.ListComp, ast.GeneratorExp)
        return (is_chosen and name in ("len", "sum")) if chosen else (not is_chosen and name == "len")

    def _constant(self, node: Any, place: Place) -> "tuple[Any] | None":
        if node.__class__ in (ast.List, ast.Dict, ast.Tuple):
            return ("",) if _is_nothing(node) else None
        found = self.outcomer.values(node, place)
        if len(found) == 1 and found[0].value.kind in (CONSTANT, TEXT):
            return (found[0].value.data,)
        return None


FORMS: dict[type, Any] = {
    ast.Compare: Looks._comparison,
    ast.Call: Looks._call,
    ast.Attribute: Looks._attribute,
    ast.Name: Looks._named,
    ast.UnaryOp: Looks._inverted,
    ast.BinOp: Looks._sum,
    ast.IfExp: Looks._conditional,
    **dict.fromkeys((ast.Subscript, ast.List, ast.Dict, ast.Set), Looks._data),
    **dict.fromkeys(COMPREHENSIONS, Looks._comprehension),
}


def _is_nothing(node: Any) -> bool:
    """Whether an expression is `""`, `None`, `[]` or the like."""
    if node.__class__ is ast.Constant:
        return not node.value
    if node.__class__ is ast.Dict:
        return not node.keys
    return node.__class__ in (ast.List, ast.Tuple) and not node.elts


def _is_one(node: Any) -> bool:
    return node.__class__ is ast.Constant and node.value == 1
