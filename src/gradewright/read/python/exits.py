"""Where a script ends with a non-zero status although it has written a reward that is not zero."""

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from gradewright.model import ERASING_EXIT, Sign
from gradewright.read.python.flow import ASSIGNED, Control, Site
from gradewright.read.python.influences import Influences
from gradewright.read.python.kinds import FUNCTION, MAX_VALUES, MODULE, Frame
from gradewright.read.python.ranges import FULL, PART, TRUTH, UNKNOWN, range_of
from gradewright.read.python.sinks import Output
from gradewright.read.python.trace import Spot, spot_of
from gradewright.read.python.trace_forms import SCORE_KEYS

EXITS = frozenset({"sys.exit", "exit", "quit", "os._exit", "SystemExit"})
LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
NAMES = frozenset(dotted.rpartition(".")[2] for dotted in EXITS)
SETTINGS = frozenset({"argv", "args", "arguments", "options", "environ", "getenv"})
"""A test that looks at these may never hold: SkillEvaluator starts the grader without arguments."""

MAX_DEPTH = 4
MAX_ENDINGS = 100


Test = tuple[Any, bool]
"""An expression, and whether it has to hold or not to hold."""


class Ending(NamedTuple):
    """The script ends with a status that is, or may be, non-zero, under `tests`; `node` is where that is said."""

    site: Site
    frame: Frame | None
    tests: tuple[Test, ...]
    node: Any


class Written(NamedTuple):
    """A reward is written, or a function is called that writes one; `names` are those its score is made with."""

    site: Site
    range: frozenset[str]
    names: frozenset[str]


class Exits:
    """Looks at every end of a script."""

    def __init__(self, tracer: Influences) -> None:
        self.tracer = tracer
        self.resolver = tracer.resolver
        self.written: dict[tuple[int, int], list[Written]] = {}

    def note(self, output: Output, contents: list[Any]) -> None:
        """A reward is written."""
        site, frame = output.site, output.frame
        found, names = range_of(self.tracer, contents, spot_of(site, frame))
        while True:
            site = self.tracer.site(site)
            self.written.setdefault((id(site.scope), id(frame)), []).append(Written(site, found, names))
            if frame is None:
                return
            site, frame = frame.site, frame.outer

    def signs(self) -> Iterator[Sign]:
        """Every end that erases a reward, or may."""
        judge = self.tracer.judge
        for ending in list(self._endings())[:MAX_ENDINGS]:
            certain = self._erases(ending)
            if certain is not None:
                shown = judge.literal(ending.node)
                is_end = _called_name(ending.node) in NAMES or isinstance(ending.node, (ast.Raise, ast.Assert))
                shown = shown if is_end else f"return {shown}"
                yield Sign(ERASING_EXIT, judge.at(ending.node), shown, certain)

    # --- where it ends ---

    def _endings(self) -> Iterator[Ending]:
        program = self.tracer.program
        sites = [site for name in NAMES for site in program.calls.get(name, ())]
        for site in sites:
            if not site.scope.used or not site.node.args:
                continue
            for frame in self.resolver.frames_of(site.scope):
                callees = self.resolver.of_site(site.node.func, site, frame)
                if any(value.kind == MODULE and value.data in EXITS for value in callees):
                    yield from self._statuses(site.node.args[0], site, frame, site.node)

        yield from self._raised()

    def _raised(self) -> Iterator[Ending]:
        """An error that nothing catches ends the script with a status of 1."""
        program = self.tracer.program
        for site in (*program.raises, *program.asserts):
            node = site.node
            if not site.scope.used or _called_name(getattr(node, "exc", None)) in NAMES:
                continue
            tests = ((node.test, False),) if node.__class__ is ast.Assert else ()
            for frame in self.resolver.frames_of(site.scope):
                if not self._is_caught(site, frame):
                    yield Ending(site, frame, tests, node)

    def _is_caught(self, site: Site, frame: Frame | None) -> bool:
        while True:
            site = self.tracer.site(site)
            control = site.control
            while control is not None:
                if isinstance(control.node, (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)):
                    return True
                control = control.outer
            if frame is None:
                return False
            site, frame = frame.site, frame.outer

    def _statuses(self, code: Any, site: Site, frame: Frame | None, node: Any, depth: int = 0) -> Iterator[Ending]:
        """The ways in which a status is non-zero."""
        kind = code.__class__
        if kind is ast.Constant:
            if code.value not in (0, None, False):
                yield Ending(site, frame, (), node)
        elif kind is ast.IfExp:
            first, second = (_is_zero(part) for part in (code.body, code.orelse))
            if first is not None and second is not None and first != second:
                yield Ending(site, frame, ((code.test, not first),), node)
        elif kind in (ast.Compare, ast.BoolOp, ast.UnaryOp):
            yield Ending(site, frame, ((code, True),), node)
        elif kind is ast.Call:
            yield from self._returned(code, site, frame, node, depth)
        elif kind is ast.Name and depth < MAX_DEPTH:
            yield from self._bound(code, site, frame, node, depth)

    def _returned(self, call: Any, site: Site, frame: Frame | None, node: Any, depth: int) -> Iterator[Ending]:
        if getattr(call.func, "id", "") in ("int", "bool") and call.args:
            yield from self._statuses(call.args[0], site, frame, node, depth)
            return
        for callee in self.resolver.of_site(call.func, site, frame):
            if callee.kind == FUNCTION and depth < MAX_DEPTH:
                inner = self.resolver.entered(callee.data, site._replace(node=call), frame)
                for result in callee.data.returns[:MAX_VALUES] if inner else ():
                    if result.node is not None:
                        yield from self._statuses(result.node, result, inner, result.node, depth + 1)

    def _bound(self, name: Any, site: Site, frame: Frame | None, node: Any, depth: int) -> Iterator[Ending]:
        found = self.tracer.lookup(name.id, site.point)
        for bind in found.binds[:MAX_VALUES]:
            if bind.how == ASSIGNED:
                tests = tuple(_tests(bind.control, site.control, bind.value))
                there = Site(bind.value, bind.origin, bind.scope, bool(tests), site.control)
                for ending in self._statuses(bind.value, there, frame, node, depth + 1):
                    late = ending.site._replace(node=node) if ending.site is there else ending.site
                    yield ending._replace(site=late, tests=(*tests, *ending.tests))
        if not found.binds:
            for given, spot in self._given(name.id, site, frame):
                there = Site(given, spot.point, spot.scope, control=spot.control)
                for ending in self._statuses(given, there, spot.frame, node, depth + 1):
                    yield ending._replace(site=site, frame=frame) if ending.site is there else ending

    def _given(self, name: str, site: Site, frame: Frame | None) -> list[tuple[Any, Spot]]:
        if name not in site.scope.parameters or frame is None:
            return []
        return list(self.tracer.arguments(site.scope, name, frame))

    # --- what has been written by then ---

    def _erases(self, ending: Ending) -> bool | None:
        """Whether a reward is erased for certain, or may be; None if not."""
        last, tests = self._last(ending)
        found = frozenset().union(*(one.range for one in last))
        if not found & {FULL, PART, UNKNOWN}:
            return None
        if not tests:
            return bool(found & {FULL, PART})
        is_error = isinstance(ending.node, (ast.Raise, ast.Assert))
        if found <= TRUTH or (is_error and not any(_falls_short(test) for test in tests)):
            return None
        names = frozenset().union(*(one.names for one in last))
        relations = [self._relation(test, names, ending) for test in tests]
        return PART in found if "score" in relations and "zero" not in relations else None

    def _last(self, ending: Ending) -> tuple[list[Written], list[Test]]:
        """The rewards that may stand when the script ends, and the tests that lead from them to its end."""
        site, frame = ending.site, ending.frame
        last: list[Written] = []
        tests = list(ending.tests)
        while True:
            site = self.tracer.site(site)
            here = self.written.get((id(site.scope), id(frame)), [])
            earlier = [one for one in here if _precedes(one.site, site)]
            for one in sorted(earlier, key=lambda one: _position(one.site), reverse=True):
                last.append(one)
                if not list(_inside(one.site.control, site.control)):
                    return last, [*tests, *_tests(site.control, one.site.control, site.node)]
            tests += _tests(site.control, None, site.node)
            if frame is None:
                return last, tests
            site, frame = frame.site, frame.outer

    def _relation(self, test: Test, names: frozenset[str], ending: Ending, depth: int = 0) -> str:
        """What a test has to do with a score that is made with `names`: it tells zero, it looks at it, or nothing."""
        node, holds = test
        while node.__class__ is ast.UnaryOp and node.op.__class__ is ast.Not:
            node, holds = node.operand, not holds
        if node.__class__ is ast.Name and node.id in names:
            found, _ = range_of(self.tracer, [node], spot_of(ending.site, ending.frame))
            return "other" if found <= TRUTH else "score" if holds else "zero"
        if node.__class__ is ast.Name and depth < MAX_DEPTH:
            binds = self.tracer.lookup(node.id, ending.site.point).binds
            known = {
                self._relation((bind.value, holds), names, ending, depth + 1) for bind in binds if _is_test(bind.value)
            }
            return next((relation for relation in ("zero", "score") if relation in known), "other")
        parts = list(ast.walk(node))
        if any(getattr(part, "id", getattr(part, "attr", "")) in SETTINGS for part in parts):
            return "zero"
        compared = [part for part in parts if part.__class__ is ast.Compare]
        if any(_is_zero(side) for part in compared for side in (part.left, *part.comparators)):
            tells_more = isinstance(compared[0].ops[0], (ast.Gt, ast.NotEq)) == holds
            if not (len(compared) == 1 and compared[0] is node and tells_more):
                return "zero"
        mentioned = {part.id for part in parts if part.__class__ is ast.Name}
        keys = {part.value for part in parts if part.__class__ is ast.Constant and part.value.__class__ is str}
        return "score" if mentioned & names or keys & SCORE_KEYS else "other"


def _is_test(node: Any) -> bool:
    return isinstance(node, (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Name))


def _falls_short(test: Test) -> bool:
    """Whether something turns out to be less than a number above zero, as a score may."""
    node, holds = test
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.comparators[0], ast.Constant):
        return False
    limit = node.comparators[0].value
    less = isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.NotEq))
    is_order = isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.NotEq, ast.Gt, ast.GtE, ast.Eq))
    return isinstance(limit, int | float) and limit > 0 and is_order and less == holds


def _called_name(call: Any) -> str:
    function = getattr(call, "func", None)
    return getattr(function, "attr", getattr(function, "id", ""))


def _is_zero(node: Any) -> bool | None:
    """Whether a literal is zero; None for everything else."""
    if node.__class__ is not ast.Constant:
        return None
    return node.value in (0, None, False)


def _inside(control: Control | None, outer: Control | None) -> Iterator[Control]:
    """What decides on the way from `outer` to `control`."""
    around = set()
    while outer is not None:
        around.add(id(outer.node))
        outer = outer.outer
    while control is not None:
        if id(control.node) not in around:
            yield control
        control = control.outer


def _tests(control: Control | None, outer: Control | None, node: Any) -> list[Test]:
    """The tests that decide on the way from `outer` to `control`, in which `node` stands."""
    parts = [part for part in _inside(control, outer) if part.test is not None]
    return [(part.test, _block_of(part.node, node) is not (getattr(part.node, "orelse", None) or ())) for part in parts]


def _position(site: Site) -> tuple[int, int]:
    return site.node.lineno, site.node.col_offset


def _precedes(written: Site, end: Site) -> bool:
    """Whether the script may come from one place to the other within a function."""
    if _position(written) >= _position(end):
        return False
    here = written.control
    while here is not None:
        block = _block_of(here.node, written.node)
        elsewhere = block is not None and block is not _block_of(here.node, end.node)
        if block and elsewhere and (_leaves(block[-1]) or _is_in_another(here.node, end.node, block)):
            return False
        here = here.outer
    return True


def _blocks(node: Any) -> list[list[Any]]:
    blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
    blocks += [part.body for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))]
    return [block for block in blocks if block.__class__ is list and block]


def _block_of(statement: Any, node: Any) -> list[Any] | None:
    """The block of a statement in which `node` stands."""
    line = node.lineno
    return next((block for block in _blocks(statement) if block[0].lineno <= line <= block[-1].end_lineno), None)


def _leaves(statement: Any) -> bool:
    if isinstance(statement, LEAVING):
        return True
    call = statement.value if statement.__class__ is ast.Expr else None
    return _called_name(call) in NAMES


def _is_in_another(statement: Any, node: Any, block: list[Any]) -> bool:
    """Whether `node` stands in a branch that is taken instead of `block`."""
    other = _block_of(statement, node)
    if other is None or statement.__class__ in (ast.For, ast.While, ast.AsyncFor):
        return False
    if statement.__class__ in (ast.Try, ast.TryStar):
        return block is statement.body and other is not statement.orelse and other is not statement.finalbody
    return True
