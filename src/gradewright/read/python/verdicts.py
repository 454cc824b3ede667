"""What the ways to a score tell about its worth: whether it changes, what a run that fails or is empty gets."""

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from gradewright.finding import Location
from gradewright.model import (
    ABSENCE_ONLY,
    CONSTANT_SCORE,
    EMPTY_PASSES,
    EXISTENCE_ONLY,
    FAILS_OPEN,
    Run,
    Sign,
)
from gradewright.read.python.constants import constant_score
from gradewright.read.python.evidence import Evidence, Sight
from gradewright.read.python.kinds import HOLE
from gradewright.read.python.looks import COMMAND, CONTAINS, DEFAULT, EVERY, EXISTS, FAILED, FILLED, OTHER
from gradewright.read.python.parts import checks_of, is_bare, table_of
from gradewright.read.python.reward import Judge
from gradewright.read.python.scores import Case, Scores

FULL = 1.0
PASSING = 0.5
"""The lowest score that passes where nothing else is configured."""

PARSERS = frozenset({"load", "loads", "safe_load", "parse", "literal_eval", "reader", "DictReader", "float", "int"})
BROAD = frozenset({"Exception", "BaseException"})


class Seen(NamedTuple):
    """A way to a score: what it is (None if that is not known), where it is spelt, and what was looked at before."""

    score: float | None
    node: Any
    sights: tuple[Sight, ...]

    def of(self, *kinds: int) -> list[Sight]:
        return [sight for sight in self.sights if sight.kind in kinds]


class Verdicts:
    """Judges all ways to a score together."""

    def __init__(self, judge: Judge, evidence: Evidence, cases: list[Case]) -> None:
        self.judge = judge
        self.evidence = evidence
        self.program = judge.resolver.program
        self.cases = cases
        self.seen = [Seen(case.score, case.node, tuple(evidence.sight(fork) for fork in case.tests)) for case in cases]
        known = [case.score for case in cases if case.score is not None]
        self.is_open = len(known) < len(cases)
        self.best = max(known, default=0.0)

    def sign(self, what: str, seen: Seen, detail: Any, *, certain: bool) -> Sign:
        return Sign(what, self.judge.at(seen.node), self.judge.literal(detail), certain)

    def sign_of_path(self, what: str, seen: Seen, sight: Sight, *, certain: bool) -> Sign:
        """The sign of a test of existence, with the path if it is known."""
        path = next((path for path in self.evidence.paths(sight) if HOLE not in path), "")
        return Sign(what, self.judge.at(seen.node), path or self.judge.literal(sight.fork.test), certain)

    def is_good(self, seen: Seen) -> bool:
        """Whether a way may end with the best score there is."""
        return seen.score is None or seen.score >= self.best

    # --- failures ---

    def failures(self) -> Iterator[Sign]:
        """Errors and failing commands that earn the best score."""
        for seen in self.seen:
            if seen.score is None or seen.score < max(self.best, PASSING):
                continue
            for sight in seen.of(FAILED):
                yield from self._failed(seen, seen.score, sight)
            for sight in seen.of(COMMAND):
                yield from self._command(seen, sight)
            for sight in seen.of(EXISTS):
                if not sight.there and _asks_for_tool(sight.fork.test):
                    yield from self._unequipped(seen, sight)

    def _unequipped(self, seen: Seen, sight: Sight) -> Iterator[Sign]:
        """A program that a check needs is not installed, and that earns the best score."""
        looked = [other for other in self.seen if any(_is_opposite(one, sight) for one in other.sights)]
        less = [other for other in looked if other.score is not None and other.score < self.best]
        if less and any(self.is_good(other) for other in looked):
            yield self.sign(FAILS_OPEN, seen, sight.fork.test, certain=all(one is sight for one in seen.sights))

    def _failed(self, seen: Seen, score: float, sight: Sight) -> Iterator[Sign]:
        handler = sight.subject
        others = [other for other in self.seen if not any(one.subject is handler for one in other.sights)]
        good = [other for other in others if self.is_good(other)]
        if any(sight.kind == OTHER and sight.fork.holds is None for sight in seen.sights):
            around = self._around(handler)
            good = [other for other in good if _is_inside(other.node, around)]
        if any(self.evidence.is_own(one) for one in seen.sights if one.kind not in (FAILED, EXISTS)):
            return
        statement = self.program.tries.get(id(handler), handler)
        if self.evidence.fails_on_its_own(sight, statement):
            return
        inside = [one for one in seen.sights if one is not sight and _is_inside(one.subject, statement)]
        measured = score >= FULL or any(other.score is not None for other in good)
        if not good or inside or not measured:
            return
        alone = all(one.kind in (FAILED, EXISTS, FILLED) for one in seen.sights)
        lenient = all(_is_lenient(other) for other in good)
        kinds = _caught(handler)
        certain = alone and not lenient and (kinds is None or bool(kinds & BROAD))
        yield self.sign(FAILS_OPEN, seen, _heading(handler), certain=certain)

    def _around(self, handler: Any) -> Any:
        """What a handler decides together with: its function, or its `try` outside of functions."""
        functions = [
            scope.node
            for scope in self.program.scopes
            if scope.kind == "function" and _is_inside(handler, scope.node) and len(scope.returns) > 1
        ]
        return functions[-1] if functions else self.program.tries.get(id(handler), handler)

    def _command(self, seen: Seen, sight: Sight) -> Iterator[Sign]:
        if not sight.there:
            return
        passed = [other for other in self.seen if any(_is_opposite(one, sight) for one in other.sights)]
        if any(self.is_good(other) for other in passed):
            alone = all(one.kind in (COMMAND, FAILED, EXISTS, FILLED) for one in seen.sights)
            yield self.sign(FAILS_OPEN, seen, sight.fork.test, certain=alone)

    # --- nothing to look at ---

    def empties(self) -> Iterator[Sign]:
        """Missing or empty evidence that earns the full score."""
        for seen in self.seen:
            if seen.score is None or seen.score < max(self.best, FULL):
                continue
            for sight in seen.of(EXISTS, FILLED):
                if not sight.there:
                    yield from self._missing(seen, sight)
            is_filled = any(one.there for one in seen.of(FILLED))
            for sight in () if is_filled else seen.of(DEFAULT):
                if not seen.of(OTHER, CONTAINS) and self.evidence.is_evidence(sight):
                    yield self.sign(EMPTY_PASSES, seen, sight.subject, certain=False)
            yield from self._vacuous(seen)

    def _missing(self, seen: Seen, sight: Sight) -> Iterator[Sign]:
        is_path = sight.kind == EXISTS
        if seen.of(OTHER, CONTAINS, COMMAND) or not self.evidence.is_evidence(sight, is_path=is_path):
            return
        if any(one.kind == FILLED and not self.evidence.is_evidence(one) for one in seen.sights if one is not sight):
            return
        looked = [other for other in self.seen if any(_is_opposite(one, sight) for one in other.sights)]
        good = [other for other in looked if self.is_good(other)]
        if not good or all(_is_lenient(other) for other in good):
            return
        certain = is_path and all(one is sight or one.there for one in seen.sights) and not seen.of(FAILED)
        make = self.sign_of_path if is_path else self.sign
        yield make(EMPTY_PASSES, seen, sight if is_path else sight.fork.test, certain=certain)

    def _vacuous(self, seen: Seen) -> Iterator[Sign]:
        every = [sight for sight in seen.of(EVERY) if sight.there]
        if not every or seen.of(OTHER, CONTAINS, COMMAND) or any(one.there for one in seen.of(EXISTS, FILLED)):
            return
        for sight in every[:1]:
            if self.evidence.is_evidence(sight):
                yield self.sign(EMPTY_PASSES, seen, sight.fork.test, certain=False)

    # --- leads ---

    def leads(self) -> Iterator[Sign]:
        """Scores for which nothing counts but that something is there, or is not."""
        sights = [sight for seen in self.seen for sight in seen.sights]
        if self.is_open or not sights or self.best < FULL:
            return
        if any(self.evidence.is_own(sight) for sight in sights if sight.kind in (FILLED, CONTAINS)):
            return
        kinds = {sight.kind for sight in sights}
        best = [seen for seen in self.seen if seen.score == self.best]
        if not kinds <= {EXISTS, FILLED, CONTAINS, FAILED} or all(seen.score == self.best for seen in self.seen):
            return
        there = all(one.there for seen in best for one in seen.sights if one.kind != FAILED)
        if kinds <= {EXISTS, FILLED} | self._harmless and there and not any(seen.of(FAILED) for seen in best):
            yield from self._existence(best)
        else:
            yield from self._absence(best)

    @property
    def _harmless(self) -> set[int]:
        """Errors are part of a check of existence only where no content is parsed."""
        return set() if PARSERS & self.program.calls.keys() else {FAILED}

    def _existence(self, best: list[Seen]) -> Iterator[Sign]:
        for seen in best:
            for sight in (*seen.of(EXISTS), *seen.of(FILLED)):
                is_path = sight.kind == EXISTS
                if self.evidence.is_evidence(sight, is_path=is_path):
                    make = self.sign_of_path if is_path else self.sign
                    yield make(EXISTENCE_ONLY, seen, sight if is_path else sight.subject, certain=False)
                    return

    def _absence(self, best: list[Seen]) -> Iterator[Sign]:
        for seen in best:
            if any(sight.there for sight in seen.sights):
                continue
            missing = [sight for sight in seen.of(EXISTS) if self.evidence.is_evidence(sight, is_path=True)]
            if missing:
                yield self.sign_of_path(ABSENCE_ONLY, seen, missing[0], certain=False)
                return
            unfound = [
                one for one in seen.of(CONTAINS, FILLED) if _is_search(one) and self.evidence.is_always_there(one)
            ]
            if unfound and len(unfound) == len(seen.sights) and not any(other.of(FAILED) for other in self.seen):
                yield self.sign(ABSENCE_ONLY, seen, unfound[0].fork.test, certain=False)
                return


def _is_lenient(seen: Seen) -> bool:
    """Whether nothing had to be found on a way that may end with the best score."""
    kinds = {sight.kind for sight in seen.sights}
    return (
        seen.score is not None
        and bool(kinds)
        and kinds <= {EXISTS, FILLED, CONTAINS}
        and not any(sight.there for sight in seen.of(CONTAINS))
    )


def _asks_for_tool(test: Any) -> bool:
    return any(getattr(getattr(part, "func", None), "attr", "") == "which" for part in ast.walk(test))


def _is_search(sight: Sight) -> bool:
    """Whether a fixed text or pattern is looked for, or files of a pattern."""
    test = sight.fork.test
    while test.__class__ is ast.UnaryOp:
        test = test.operand
    if test.__class__ is ast.Compare and isinstance(test.ops[0], ast.In | ast.NotIn):
        return isinstance(test.left, ast.Constant)
    subject = sight.subject if test.__class__ is ast.Name else test
    while subject.__class__ is ast.Call and getattr(subject.func, "id", "") in ("list", "sorted", "any", "bool"):
        subject = subject.args[0] if subject.args else None
    if subject.__class__ is not ast.Call:
        return sight.kind == CONTAINS and test.__class__ is ast.Call and bool(test.args) and _is_text(test.args[0])
    name = getattr(subject.func, "attr", "")
    is_pattern = bool(subject.args) and _is_text(subject.args[0])
    return is_pattern and name in ("glob", "rglob", "search", "match", "findall")


def _is_text(node: Any) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_opposite(one: Sight, other: Sight) -> bool:
    return one.fork.test is other.fork.test and one.there is not other.there


def _is_inside(node: Any, statement: Any) -> bool:
    return bool(statement.lineno <= node.lineno <= statement.end_lineno)


def _caught(handler: Any) -> "set[str] | None":
    """The names of the errors that are caught; None if it is every one."""
    if handler.__class__ is ast.ExceptHandler:
        if handler.type is None:
            return None
        parts = handler.type.elts if handler.type.__class__ is ast.Tuple else [handler.type]
    else:
        calls = [item.context_expr for item in handler.items]
        parts = [part for call in calls if call.__class__ is ast.Call for part in call.args]
    return {getattr(part, "id", getattr(part, "attr", "")) for part in parts}


def _heading(handler: Any) -> Any:
    """The part of a handler that stands for it in a message."""
    if handler.__class__ is ast.ExceptHandler:
        return handler
    return handler.items[0].context_expr


def _same_everywhere(judge: Judge, cases: list[Case]) -> list[Sign]:
    """The sign that all checks give one and the same number."""
    known = {case.score for case in cases}
    if len(known) != 1 or None in known:
        return []
    return [Sign(CONSTANT_SCORE, judge.at(cases[0].node), f"{cases[0].score:g}", certain=True)]


def verdicts_of(judge: Judge, scores: Scores, evidence: Evidence, runs: tuple[Run, ...], *, opaque: bool) -> list[Sign]:
    """The signs that all ways to the score of a script show together."""
    cases = scores.cases()
    if not cases:
        return []
    verdicts = Verdicts(judge, evidence, cases)
    constant = constant_score(judge, scores, cases, runs, opaque=opaque)
    if constant or (verdicts.best <= 0 and not verdicts.is_open):
        return constant
    found = [*verdicts.failures(), *verdicts.empties()]
    if not found and verdicts.is_open:
        table = table_of(scores, judge.text)
        parts = [Verdicts(judge, evidence, part) for part in checks_of(scores, table)]
        same = _same_everywhere(judge, [case for part in parts[: len(table)] for case in part.cases])
        if same and is_bare(scores, table):
            return same
        found = [sign._replace(certain=False) for part in parts for sign in (*part.failures(), *part.empties())]
    signs: dict[tuple[str, Location], Sign] = {}
    for sign in found:
        known = signs.get((sign.what, sign.at))
        if known is None or sign.certain:
            signs[sign.what, sign.at] = sign
    if not signs and not runs and not opaque:
        return list(verdicts.leads())[:1]
    return [sign._replace(certain=sign.certain and not opaque) for sign in signs.values()]
