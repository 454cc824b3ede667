"""The flow of values in a Python script, as records that are built in one walk and followed only on demand.

A *point* stands between two statements. It links back to what happened before it: a `Bind` of a name, a `Guard` (a
test that looked at some names), a `Join` of branches, or the `Entry` of a function. None is a point that is never
reached. Which values a name may have at a point is found by following the links back.
"""

import ast
from typing import Any, NamedTuple, Union

ASSIGNED, ITEM, EACH, EACH_ITEM, ENTERED, DEFINED, IMPORTED, AUGMENTED, OPAQUE = range(9)
"""How a name was bound: to a value, to one of its items, to each item of an iterable in turn, to an item of each of
its items, by `with`, by `def` or `class`, by an import, by an operator such as `+=`, or in a way not followed."""

FUNCTIONS = frozenset({"function", "lambda"})
MAX_LINKS = 20_000


class Bind:
    """`name` is bound to something of `value`, which is evaluated at the point `origin`.

    `alternative`: in a branch that may be skipped.
    """

    __slots__ = ("alternative", "before", "control", "how", "index", "name", "origin", "scope", "value")

    def __init__(self, name: str, how: int, value: Any, before: "Point", scope: "Scope") -> None:
        self.name = name
        self.how = how
        self.value = value
        self.before = before
        self.origin = before
        self.scope = scope
        self.index = -1
        self.alternative = False
        self.control: Control | None = None


class Guard:
    """A test looked at `names`, and only some of their values lead past this point.

    `holds` tells how the test has come out, None where it is no matter of true or false. The `test` may also be a
    handler, or a `with` that suppresses errors: an error has led past this point.
    """

    __slots__ = ("before", "holds", "names", "test")

    def __init__(self, names: set[str], before: "Point", test: Any, holds: bool | None = None) -> None:
        self.names = names
        self.before = before
        self.test = test
        self.holds = holds


class Join:
    """Several ways lead here; the head of a loop gets its last ones when the body has been walked."""

    __slots__ = ("sources",)

    def __init__(self, sources: "list[Point]") -> None:
        self.sources = sources


class Entry:
    """The start of a function, or of the script."""

    __slots__ = ("scope",)

    def __init__(self, scope: "Scope") -> None:
        self.scope = scope


Point = Union[Bind, Guard, Join, Entry, None]  # noqa: UP007 - evaluated, and the classes are no types yet to `|` None


class Scope:
    """The script itself, a function, a lambda or a class. `names` and `attributes` are those its code mentions."""

    __slots__ = (
        "attributes", "binds", "ended_early", "kind", "name", "names", "node", "parameters", "parent", "returns",
        "shared", "used",
    )  # fmt: skip

    def __init__(self, kind: str, name: str, node: Any, parent: "Scope | None") -> None:
        self.kind = kind
        self.name = name
        self.node = node
        self.parent = parent
        self.parameters = _parameters(node) if kind in FUNCTIONS else {}
        self.binds: dict[str, list[Bind]] = {}
        self.returns: list[Site] = []
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.shared: set[str] = set()
        self.ended_early = False
        self.used = False


def _parameters(node: Any) -> dict[str, Any]:
    """The parameters of a function, each with its default (None without one)."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    found = {item.arg: default for item, default in zip(positional, defaults, strict=True)}
    found.update({item.arg: default for item, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)})
    found.update({item.arg: None for item in (arguments.vararg, arguments.kwarg) if item})
    return found


class Control(NamedTuple):
    """A statement that decides whether code runs: `if`, `match`, a loop, `try` (for its body and its handlers).

    `test` is evaluated at `point`; None where nothing is tested. `outer` is the statement around it.
    """

    node: Any
    test: Any
    point: Point
    outer: "Control | None"


class Site(NamedTuple):
    """An expression or statement with the point at which it is evaluated. `conditional`: it may be skipped."""

    node: Any
    point: Point
    scope: Scope
    conditional: bool = False
    control: Control | None = None


class Change(NamedTuple):
    """A dictionary is changed: `how` is `store` (of `key` and `value`), `update` (by `value`), `remove` or `clear`."""

    how: str
    base: Any
    key: Any
    value: Any
    site: Site


class Program:
    """Everything the walk has found."""

    __slots__ = (
        "asserts", "attributes", "calls", "changes", "handed", "heads", "inner", "module", "raises", "scope_of",
        "scopes", "sets", "shared", "staged", "texts", "tries",
    )  # fmt: skip

    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope("module", "", tree, None)
        self.scopes = [self.module]
        self.calls: dict[str, list[Site]] = {}
        self.changes: list[Change] = []
        self.attributes: dict[str, list[Bind]] = {}
        self.staged = ""
        self.handed: list[Scope] = []
        self.raises: list[Site] = []
        self.asserts: list[Site] = []
        self.tries: dict[int, Any] = {}
        self.texts: list[Site] = []
        self.sets: list[int] = []
        self.shared: set[str] = set()
        self.scope_of: dict[int, Scope] = {}
        self.inner: dict[int, Point] = {}
        self.heads: list[Join] = []

    def release(self) -> None:
        """Take the cycles apart, so that the syntax tree is freed at once and not by the garbage collector."""
        for scope in self.scopes:
            scope.binds.clear()
            scope.returns.clear()
        for head in self.heads:
            head.sources.clear()


def join(points: "list[Point]") -> Point:
    """The point that all of `points` lead to."""
    reached: list[Point] = [point for point in points if point is not None]
    if len(reached) < 2:
        return reached[0] if reached else None
    first = reached[0]
    return first if all(point is first for point in reached) else Join(reached)


class Found(NamedTuple):
    """What a name may be bound to at a point; `entries` are the scopes at whose start it was not bound yet.

    `guarded`: a test has looked at the name since; `whole`: the search was not given up; `steps`: the links
    followed.
    """

    binds: tuple[Bind, ...]
    entries: tuple[Scope, ...]
    guarded: bool
    whole: bool = True
    steps: int = 0


def find(name: str, point: Point) -> Found:
    """Follow the links back from `point` to every `Bind` of `name` that reaches it."""
    binds: dict[Bind, None] = {}
    entries: dict[Scope, None] = {}
    guarded = False
    pending: list[Point] = [point]
    seen: set[int] = set()
    steps = 0
    while pending:
        here = pending.pop()
        while here is not None:
            steps += 1
            if steps > MAX_LINKS:
                return Found((), (), True, whole=False, steps=steps)
            if here.__class__ is Bind:
                if here.name == name:
                    binds[here] = None
                    break
                here = here.before
            elif here.__class__ is Guard:
                guarded = guarded or name in here.names
                here = here.before
            elif here.__class__ is Join:
                if id(here) not in seen:
                    seen.add(id(here))
                    pending.extend(here.sources)
                break
            else:
                entries[here.scope] = None  # type: ignore[union-attr]
                break
    return Found(tuple(binds), tuple(entries), guarded, steps=steps)


def is_constant_true(test: Any) -> bool:
    return test.__class__ is ast.Constant and bool(test.value)


def is_constant_false(test: Any) -> bool:
    """Whether a test never holds when the script runs."""
    if test.__class__ is ast.Constant:
        return not test.value
    if test.__class__ is ast.Compare:
        named = _compared_name(test)
        return named is not None and named != "__main__"
    name = test.id if test.__class__ is ast.Name else test.attr if test.__class__ is ast.Attribute else ""
    return name == "TYPE_CHECKING"


def is_main_guard(test: Any) -> bool:
    """Whether a test is `__name__ == "__main__"`."""
    return test.__class__ is ast.Compare and _compared_name(test) == "__main__"


def _compared_name(test: Any) -> str | None:
    """The text that `__name__` is compared with, if a test is `__name__ == "..."`."""
    if len(test.comparators) != 1 or test.ops[0].__class__ is not ast.Eq:
        return None
    sides = (test.left, test.comparators[0])
    texts = [side.value for side in sides if side.__class__ is ast.Constant and side.value.__class__ is str]
    named = any(side.__class__ is ast.Name and side.id == "__name__" for side in sides)
    return texts[0] if named and texts else None
