"""What a test has looked at: whether something is there, has content, contains something, has failed."""

import ast
from typing import Any, NamedTuple

from gradewright.contract import TRAJECTORY, VERIFIER_DIR
from gradewright.read.python.flow import ASSIGNED
from gradewright.read.python.kinds import CONSTANT, MAX_VALUES, MODULE, TEXT, Place
from gradewright.read.python.origins import EXIST_FUNCTIONS, EXIST_METHODS, Origins
from gradewright.read.python.outcome_calls import LOOKUPS, Outcomer
from gradewright.read.python.routes import Fork
from gradewright.read.python.sources import agent_path, known_texts
from gradewright.read.python.trace import Tracer

EXISTS, FILLED, CONTAINS, FAILED, COMMAND, DEFAULT, EVERY, OTHER = range(8)
"""Kinds of tests: something is there; it has content; something is found in it; an error was caught; a command has
failed; a key is missing; all items of what may have none are right; everything else."""

TESTS = "/tests"
READING = frozenset({
    "read_text", "read_bytes", "read", "readlines", "load", "loads", "glob", "rglob", "iterdir", "listdir", "scandir",
    "split", "splitlines", "strip", "lower", "upper", "list", "sorted", "set", "tuple", "dict", "DictReader", "reader",
    "safe_load", "decode", "get", "iglob", "values", "items", "keys", "rstrip", "lstrip", "walk", "stat", "getsize",
})  # fmt: skip
"""Functions and methods that give data: a test of what they give asks whether there is any."""

SEARCHES = frozenset({"search", "match", "fullmatch", "findall", "finditer", "filter", "count", "find"})
STATUS = frozenset({"returncode", "exit_code", "exitcode"})
MAX_FOLLOWED = 6


class Sight(NamedTuple):
    """What a test looks at; `there`: it has come out as found, filled, contained, failed, missing, right."""

    kind: int
    there: bool
    subject: Any
    fork: Fork

    @property
    def place(self) -> Place:
        return Place(self.subject, self.fork.point, self.fork.scope, self.fork.frame)


class Evidence:
    """Tells what tests have looked at."""

    def __init__(self, outcomer: Outcomer, tracer: Tracer) -> None:
        self.outcomer = outcomer
        self.resolver = outcomer.resolver
        self.origins = Origins(tracer.resolver)
        self.sights: dict[tuple[int, bool | None, int], Sight] = {}

    def sight(self, fork: Fork) -> Sight:
        found = self.sights.get(fork.key)
        if found is None:
            found = self.sights[fork.key] = self._sight(fork)
        return found

    def _sight(self, fork: Fork) -> Sight:
        test = fork.test
        if isinstance(test, ast.ExceptHandler | ast.With | ast.AsyncWith):
            return Sight(FAILED, True, test, fork)
        if fork.holds is None:
            missing = test.__class__ is ast.Attribute and test.attr in LOOKUPS
            return Sight(DEFAULT if missing else OTHER, True, test.value if missing else test, fork)
        kind, there, subject = self._looked_at(test, Place(test, fork.point, fork.scope, fork.frame))
        return Sight(kind, there is fork.holds, subject, fork)

    def _looked_at(self, test: Any, place: Place, depth: int = 0) -> tuple[int, bool, Any]:
        """Kind of a test, whether it holds if that is so, and what it looks at."""
        kind = test.__class__
        if depth > MAX_FOLLOWED:
            return OTHER, True, test
        if kind is ast.Compare:
            return self._comparison(test, place)
        if kind is ast.Call:
            return self._call(test, place, depth)
        if kind is ast.Attribute:
            if test.attr in STATUS:
                return COMMAND, True, test
            return (FILLED, True, test) if test.attr in ("stdout", "st_size") else (OTHER, True, test)
        if kind is ast.Name:
            return self._named(test, place, depth)
        if kind is ast.IfExp:
            return self._one_of([(part, place) for part in (test.body, test.orelse)], test, depth)
        if kind is ast.Subscript or kind in (ast.List, ast.Dict, ast.Set):
            return FILLED, True, test
        if kind in (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp):
            return (CONTAINS if any(part.ifs for part in test.generators) else FILLED), True, test
        return OTHER, True, test

    def _named(self, test: Any, place: Place, depth: int) -> tuple[int, bool, Any]:
        """A name is what its bindings are."""
        found = self.outcomer.tracer.lookup(test.id, place.point)
        parts: list[tuple[Any, Place]] = []
        for bind in found.binds:
            value = bind.value if bind.how == ASSIGNED else None
            parts.append((value, Place(value, bind.origin, bind.scope, place.frame)))
        for entry in found.entries if not parts else ():
            if test.id in entry.parameters:
                for node, given in self.outcomer.tracer.arguments(entry, test.id, place.frame):
                    parts.append((node, Place(node, given.point, given.scope, given.frame)))
        return self._one_of(parts, test, depth)

    def _one_of(self, parts: list[tuple[Any, Place]], test: Any, depth: int) -> tuple[int, bool, Any]:
        """What several expressions are alike; texts and containers without content say nothing."""
        kinds: set[tuple[int, bool]] = set()
        for node, place in parts[:MAX_VALUES]:
            if not _is_nothing(node):
                kinds.add(self._looked_at(node, place, depth + 1)[:2])
        return (*kinds.pop(), test) if len(kinds) == 1 else (OTHER, True, test)

    def _call(self, test: Any, place: Place, depth: int) -> tuple[int, bool, Any]:
        function = test.func
        name = getattr(function, "attr", getattr(function, "id", ""))
        dotted = self._dotted(function, place)
        if dotted in EXIST_FUNCTIONS and test.args:
            return EXISTS, True, test.args[0]
        is_method = function.__class__ is ast.Attribute
        if is_method and name in EXIST_METHODS and not dotted and not self.resolver._own_methods(name):
            return EXISTS, True, function.value
        if dotted in ("all", "any") and test.args:
            given = test.args[0]
            is_comprehension = given.__class__ in (ast.ListComp, ast.SetComp, ast.GeneratorExp)
            return EVERY, dotted == "all", given.generators[0].iter if is_comprehension else given
        if dotted in ("len", "bool", "sum") and test.args:
            return self._looked_at(test.args[0], place, depth + 1)
        if name in SEARCHES and (dotted.startswith("re.") if dotted else is_method):
            return CONTAINS, True, test.args[-1] if test.args and dotted else test
        if dotted == "shutil.which":
            return EXISTS, True, test
        return (FILLED if name in READING else OTHER), True, test

    def _dotted(self, function: Any, place: Place) -> str:
        for value in self.resolver.at(function, place):
            if value.kind == MODULE:
                return str(value.data)
        return ""

    def _comparison(self, test: Any, place: Place) -> tuple[int, bool, Any]:
        if len(test.ops) > 1:
            return OTHER, True, test
        operator, left, right = test.ops[0].__class__, test.left, test.comparators[0]
        if operator in (ast.In, ast.NotIn):
            return CONTAINS, operator is ast.In, right
        if operator is ast.Eq and (counted := self._counted(left, right, place)) is not None:
            return EVERY, True, counted
        limit = self._constant(right, place)
        if limit is None:
            return OTHER, True, test
        data = limit[0]
        if data in (None, "", b"") and operator in (ast.Is, ast.IsNot, ast.Eq, ast.NotEq):
            kind, there, subject = self._looked_at(left, place, 1)
            return kind, there is (operator in (ast.IsNot, ast.NotEq)), subject
        return self._number(test, place, operator, left, data)

    def _number(self, test: Any, place: Place, operator: type, left: Any, data: Any) -> tuple[int, bool, Any]:
        """A number compared with zero, or with one."""
        zero = data.__class__ is int and data == 0
        one = data.__class__ is int and data == 1
        some = (zero and operator in (ast.NotEq, ast.Gt)) or (one and operator is ast.GtE)
        none = (zero and operator in (ast.Eq, ast.LtE)) or (one and operator is ast.Lt)
        if not some and not none:
            return OTHER, True, test
        kind, there, subject = self._looked_at(left, place, 1)
        return kind, there is some, subject

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
            return ("",) if not (getattr(node, "elts", None) or getattr(node, "keys", None)) else None
        found = self.outcomer.values(node, place)
        if len(found) == 1 and found[0].value.kind in (CONSTANT, TEXT):
            return (found[0].value.data,)
        return None

    # --- where it comes from ---

    def is_evidence(self, sight: Sight, *, is_path: bool = False) -> bool:
        """Whether what a test looks at is what the agent has left, or what a run of its work has given."""
        paths = self.paths(sight) if is_path else self._sources(sight)
        if any(path == TESTS or path.startswith(TESTS + "/") for path in paths):
            return False
        return (self.origins.commanded and not is_path) or any(_is_evidence(path) for path in paths)

    def paths(self, sight: Sight) -> list[str]:
        """The paths that a test of existence looks at."""
        return known_texts(self.resolver.at(sight.subject, sight.place))

    def _sources(self, sight: Sight) -> "set[str]":
        self.origins.start(sight.subject, sight.place)
        return self.origins.paths


def _is_nothing(node: Any) -> bool:
    """Whether an expression is `""`, `None`, `[]` or the like."""
    if node.__class__ is ast.Constant:
        return not node.value
    return node.__class__ in (ast.List, ast.Tuple, ast.Dict) and not (getattr(node, "elts", node.__dict__.get("keys")))


def _is_evidence(path: str) -> bool:
    return bool(agent_path(path, scratch=True)) or path == TRAJECTORY or path.startswith(VERIFIER_DIR + "/")
