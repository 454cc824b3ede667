"""Whether a script writes the same score whatever it finds out."""

from collections.abc import Iterator
from typing import Any

from gradewright.model import CONSTANT_SCORE, Run, Sign
from gradewright.read.python.flow import Site
from gradewright.read.python.outcome_members import in_loop
from gradewright.read.python.reward import Judge
from gradewright.read.python.scores import Case, Scores, Written, sites_of

EXITS = ("exit", "quit", "_exit", "abort")
CHECKED_RUNS = ("check_call", "check_output", "check_returncode", "raise_for_status")
RISKY = ("read_text", "read_bytes", "loads", "load", "literal_eval", "getsize", "stat", "listdir")
"""Calls that end the script with an error where the agent's work is not as expected."""
REFLECTION = frozenset({"globals", "locals", "vars", "__dict__", "modules"})
"""What a script can set its own names and attributes by, other than by an assignment."""

Tests = frozenset[tuple[int, int, bool | None]]


def constant_score(
    judge: Judge, scores: Scores, cases: list[Case], runs: tuple[Run, ...], *, opaque: bool
) -> list[Sign]:
    """The sign that every way to a reward ends with one and the same number."""
    first = cases[0]
    if first.score is None or any(case.score != first.score for case in cases):
        return []
    if scores.metrics_vary or not _is_complete(cases) or opaque or (first.score <= 0 and runs):
        return []
    if any(scope.used and REFLECTION & (scope.names | scope.attributes) for scope in judge.resolver.program.scopes):
        return []
    last = scores.written
    if any(_may_write(run, last) for run in runs) or any(_breaks_off(scores, site, last) for site in _stops(scores)):
        return []
    risks = [site for name in RISKY for site in scores.outcomer.program.calls.get(name, ())]
    certain = not any(_breaks_off(scores, site, last) for site in risks)
    return [Sign(CONSTANT_SCORE, judge.at(first.node), f"{first.score:g}", certain)]


def _is_complete(cases: list[Case]) -> bool:
    """Whether one of the cases is had on every run that nothing breaks off."""
    known: set[Tests] = set()
    for case in cases:
        written = case.written
        if written and (written.always or (written.sites[0].scope.kind == "module" and not _may_be_skipped(written))):
            known.add(frozenset((id(fork.test), id(fork.frame), fork.holds) for fork in case.tests))
    while frozenset() not in known:
        reduced = _reduced(known)
        if reduced is None:
            return False
        known = reduced
    return True


def _may_be_skipped(written: Written) -> bool:
    """Whether something other than the tests on the way may keep the script from writing."""
    return any(in_loop(site.control) or site.scope.ended_early for site in written.sites) and not written.tests


def _reduced(known: "set[Tests]") -> "set[Tests] | None":
    """The cases with two of them put together that differ only in how one test comes out; None if there are none."""
    for tests in known:
        for test, frame, holds in tests:
            other = (tests - {(test, frame, holds)}) | {(test, frame, not holds)}
            if holds is not None and other in known:
                return (known - {tests, other}) | {tests - {(test, frame, holds)}}
    return None


def _may_write(run: Run, last: list[Written]) -> bool:
    """Whether a program may write another reward that stands in the end."""
    known = run.script is None and not run.inline and bool(run.words) and run.words[0] is not None
    return not (known or any(one.always and one.sites[0].node.lineno > run.at.line for one in last))


def _stops(scores: Scores) -> Iterator[Site]:
    """Everything that may break the script off on purpose."""
    program = scores.outcomer.program
    yield from program.raises
    yield from program.asserts
    for name in (*EXITS, *CHECKED_RUNS):
        yield from program.calls.get(name, ())
    for site in program.calls.get("run", ()):
        if any(word.arg == "check" for word in site.node.keywords):
            yield site


def _breaks_off(scores: Scores, site: Site, last: list[Written]) -> bool:
    """Whether the script may end at `site` before a reward is written."""
    if not site.scope.used:
        return False
    for frame in scores.outcomer.resolver.frames_of(site.scope):
        sites = [scores.outcomer.tracer.site(one) if one is not site else one for one in sites_of(site, frame)]
        if not any(_is_caught(one) for one in sites) and not any(_is_after(sites, one.sites) for one in last):
            return True
    return False


def _is_caught(site: Site) -> bool:
    control = site.control
    while control is not None:
        handlers = getattr(control.node, "handlers", None)
        if handlers and site.node.lineno < handlers[0].lineno:
            return True
        control = control.outer
    return False


def _is_after(sites: list[Site], written: tuple[Site, ...]) -> bool:
    """Whether the first sites come after, or around, those of a place that writes a reward."""
    for one, other in zip(sites, written, strict=False):
        if one.node is not other.node:
            return one.scope is other.scope and _end(one.node) >= _end(other.node)
    return True


def _end(node: Any) -> tuple[int, int]:
    return node.end_lineno, node.end_col_offset
