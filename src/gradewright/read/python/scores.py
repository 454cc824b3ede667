"""The scores that a script may write as its reward, each with the tests that have led to it."""

import ast
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from gradewright.contract import REWARD_TXT
from gradewright.read.python.flow import Site
from gradewright.read.python.kinds import ANYTHING, CONSTANT, OBJECT, TEXT, Frame, Place, Value
from gradewright.read.python.outcome_calls import Outcomer
from gradewright.read.python.outcome_forms import SCORE_KEYS, score_in
from gradewright.read.python.outcomes import Outcome, both, under
from gradewright.read.python.routes import NO_FORKS, Fork, Forks
from gradewright.read.python.sinks import Output
from gradewright.read.python.trace_forms import REMARKS

MAX_WAYS = 32
MAX_CASES = 200
MAX_DEPTH = 6
MAX_NESTING = 3
LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Written(NamedTuple):
    """A place that writes a reward: the sites from the script's own level down to it, and the tests on that way.

    `always`: it is reached on every run that nothing breaks off.
    """

    output: Output
    contents: list[Any]
    sites: tuple[Site, ...]
    tests: Forks
    always: bool


class Case(NamedTuple):
    """A score, None if it is not known, where it is spelt, the tests that have led to it, and where it is written."""

    score: float | None
    node: Any
    tests: Forks
    written: Written | None = None


class Scores:
    """Collects the scores of all rewards."""

    def __init__(self, outcomer: Outcomer) -> None:
        self.outcomer = outcomer
        self.written: list[Written] = []
        self.metrics_vary = False
        """Whether metrics beside the score may differ from run to run."""

        self.alternatives: dict[tuple[int, bool | None, int], list[Forks]] = {}

    def take(self, output: Output, contents: list[Any]) -> None:
        """A reward is written, with any of the expressions `contents`."""
        outcomer = self.outcomer
        sites, frame = [output.site], output.frame
        tests: Forks | None = outcomer.routes.before(output.site.point, output.site.scope, frame)
        while frame is not None and tests is not None:
            site = outcomer.tracer.site(frame.site)
            sites.insert(0, site)
            tests = both(outcomer.routes.before(site.point, site.scope, frame.outer), tests)
            frame = frame.outer
        if tests is None or len(contents) != 1 or _is_blank(contents[0]):
            return
        complete = sites[0].scope.kind == "module"
        always = complete and not tests and not any(site.conditional for site in sites)
        self.written.append(Written(output, contents, tuple(sites), tests, always))

    def cases(self) -> list[Case]:
        """All scores that may stand at the end; none at all where they are too many."""
        found: list[Case] = []
        for written in self.written:
            if any(_is_overwritten(written, other) for other in self.written):
                continue
            for case in self._of(written):
                found.append(case)
                if len(found) > MAX_CASES:
                    return []
        return found

    def _of(self, written: Written) -> Iterator[Case]:
        output, node = written.output, written.contents[0]
        place = Place(node, output.site.point, output.site.scope, output.frame)
        for content in self.outcomer.values(node, place):
            for value, tests in self._scores(content):
                together = both(written.tests, tests)
                for leaves in self.leaves(together) if together is not None else ():
                    score = number_of(value)
                    yield Case(score, node if value.node is None else value.node, leaves, written)

    def _scores(self, content: Outcome) -> Iterable[Outcome]:
        """The score in what is written."""
        value = content.value
        if value.kind == TEXT:
            return (Outcome(_parsed(value), content.tests),)
        if value.kind != OBJECT:
            return (content,)
        self.metrics_vary = self.metrics_vary or self._varies(value)
        names = (*SCORE_KEYS, *_only_key(value.node))
        for name in names:
            held = self.outcomer.member(value, name)
            if held:
                return under(held, content.tests)
        return (Outcome(Value(ANYTHING), content.tests),)

    def _varies(self, document: Value, depth: int = 0) -> bool:
        """Whether a metric of a document may be one or another number, or the metrics are not known."""
        node, place = document.node, document.data
        if node.__class__ is ast.DictComp:
            point = self.outcomer.program.inner.get(id(node))
            values = self.outcomer.values(node.value, place._replace(point=point)) if point is not None else ()
            return len({one.value.data for one in values}) != 1 or values[0].value.kind != CONSTANT
        if node.__class__ is not ast.Dict:
            return node.__class__ is ast.Call and depth > 0
        changed = bool(depth and self.outcomer.resolver.changed.get(id(node)))
        for key, item in zip(node.keys, node.values, strict=True):
            name = key.value if key.__class__ is ast.Constant else None
            if name in SCORE_KEYS or name in REMARKS:
                continue
            held = self.outcomer.values(item, place)
            inner = [one.value for one in held if one.value.kind == OBJECT]
            numbers = {one.value.data for one in held if one.value.kind == CONSTANT}
            changed = changed or any(self._varies(value, depth + 1) for value in inner if depth < MAX_NESTING)
            changed = changed or not (inner or (len(numbers) == 1 and all(o.value.kind == CONSTANT for o in held)))
        return changed

    # --- tests ---

    def leaves(self, tests: Forks, depth: int = 0) -> list[Forks]:
        """The ways in which all of `tests` come out so, by tests that cannot be looked into any further."""
        ways: list[Forks] = [NO_FORKS]
        for fork in tests:
            alternatives = self._alternatives(fork, depth)
            further = [one for way in ways for other in alternatives if (one := both(way, other)) is not None]
            if len(further) > MAX_WAYS:
                further = [(*way, fork._replace(holds=None)) for way in ways]
            ways = further
        return ways

    def _alternatives(self, fork: Fork, depth: int) -> list[Forks]:
        known = self.alternatives.get(fork.key)
        if known is not None:
            return known
        self.alternatives[fork.key] = [(fork,)]
        ways = self.outcomer.expanded(fork) if depth < MAX_DEPTH else None
        if ways is not None:
            found = [leaves for _, tests in ways for leaves in self.leaves(tests, depth + 1)]
            self.alternatives[fork.key] = found if len(found) <= MAX_WAYS else [(fork._replace(holds=None),)]
        return self.alternatives[fork.key]


def _is_blank(node: Any) -> bool:
    return node.__class__ is ast.Constant and node.value.__class__ is str and not node.value.strip()


def _only_key(node: Any) -> tuple[str, ...]:
    """The key of a dictionary that has only one."""
    if node.__class__ is ast.Dict and len(node.keys) == 1:
        key = node.keys[0]
        if key.__class__ is ast.Constant and key.value.__class__ is str:
            return (key.value,)
    return ()


def _parsed(value: Value) -> Value:
    """The score in a text."""
    text = value.data.strip()
    try:
        number = score_in(json.loads(text)) if text.startswith("{") else float(text)
    except (ValueError, RecursionError):
        return Value(ANYTHING, None, value.node)
    return Value(CONSTANT, number, value.node)


def number_of(value: Value) -> float | None:
    """A score as a number; a number that is at least 1 for certain counts as 1."""
    data = value.data
    if value.kind == CONSTANT and data.__class__ in (int, float, bool) and abs(data) < 1e9:
        return float(data)
    return 1.0 if value.kind == ANYTHING and data.__class__ in (int, float) and data >= 1 else None


def _is_overwritten(first: Written, second: Written) -> bool:
    """Whether `second` writes a reward that counts instead, on every run, after `first` has."""
    if not second.always or second is first or not _covers(first.output, second.output):
        return False
    for one, other in zip(first.sites, second.sites, strict=False):
        if one.node is not other.node:
            return one.scope is other.scope and one.node.lineno < other.node.lineno
    return False


def _covers(first: Output, second: Output) -> bool:
    paths = {value.data for value in first.paths}
    later = {value.data for value in second.paths}
    return paths == later or (paths == {REWARD_TXT} and REWARD_TXT not in later)


def sites_of(site: Site, frame: Frame | None) -> list[Site]:
    """The sites of the calls that lead to `site`, from the outermost, and itself."""
    sites = [site]
    while frame is not None:
        sites.insert(0, frame.site)
        frame = frame.outer
    return sites
