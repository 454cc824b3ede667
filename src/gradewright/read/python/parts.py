"""The scores that single checks of a script give, where the whole score is not known."""

import ast
from collections.abc import Iterator

from gradewright.read.contract_block import CONTRACT_START
from gradewright.read.python.flow import AUGMENTED, Scope, Site
from gradewright.read.python.kinds import FUNCTION, INSTANCE, OBJECT, SEQUENCE, Place
from gradewright.read.python.outcome_forms import SCORE_KEYS
from gradewright.read.python.outcomes import UNSETTLED, Outcome, Outcomes, both, under
from gradewright.read.python.scores import Case, Scores, number_of
from gradewright.read.python.trace import DIRECT

FIELDS = frozenset({*SCORE_KEYS, "value", "passed", "ok", "success"})
TABLE = "CHECKS"
MAX_CHECKS = 60
MAX_RETURNS = 16


def table_of(scores: Scores, text: str) -> list[Scope]:
    """The checks of a scaffolded grader, whose contract block calls what its table holds."""
    program = scores.outcomer.program
    binds = program.module.binds.get(TABLE, ()) if CONTRACT_START.search(text) else ()
    found: list[Scope] = []
    for bind in binds:
        rows = bind.value.values if bind.value.__class__ is ast.Dict else ()
        for row in rows[:MAX_CHECKS]:
            check = row.elts[0] if row.__class__ is ast.Tuple and row.elts else row
            callees = scores.outcomer.resolver.values(check, bind.origin, bind.scope)
            found += [callee.data for callee in callees if callee.kind == FUNCTION]
    return found


def is_bare(scores: Scores, table: list[Scope]) -> bool:
    """Whether the checks do nothing but return: they look at nothing, and nothing in them may fail."""
    program = scores.outcomer.program
    sites = [site for name, calls in program.calls.items() if name != "Score" for site in calls]
    return not any(site.scope in table for site in (*sites, *program.raises, *program.asserts))


def checks_of(scores: Scores, table: list[Scope]) -> Iterator[list[Case]]:
    """For each function whose result is a score, or a share of it, what it may return."""
    for scope in table:
        yield [case for site in scope.returns for case in _returned(scores, site)]
    if any(_lowers(scope) for scope in scores.outcomer.program.scopes):
        return
    seen = scores.outcomer.tracer.seen
    direct = {key[0] for key, ways in seen.items() if any(way.level >= DIRECT for way in ways)}
    found = [scope for scope in scores.outcomer.program.scopes if scope not in table and _is_check(scope, direct)]
    for scope in found[:MAX_CHECKS]:
        yield [case for site in scope.returns for case in _returned(scores, site)]


def _lowers(scope: Scope) -> bool:
    """Whether something is taken off a number, so that what a function gives may be a penalty."""
    lists = scope.binds.values() if scope.used else ()
    return any(bind.how == AUGMENTED and bind.value.op.__class__ is ast.Sub for binds in lists for bind in binds)


def _is_check(scope: Scope, direct: set[int]) -> bool:
    """Whether a function returns several things, one of which is a share of the score as it is."""
    if scope.kind != "function" or not scope.used or not 1 < len(scope.returns) <= MAX_RETURNS:
        return False
    return any(id(site.node) in direct for site in scope.returns)


def _returned(scores: Scores, site: Site) -> Iterator[Case]:
    if site.node is None:
        return
    tests = scores.outcomer.routes.before(site.point, site.scope, None)
    for outcome in scores.outcomer.values(site.node, Place(site.node, site.point, site.scope, None)):
        for value, own in _share(scores, outcome):
            together = both(tests, own)
            for leaves in scores.leaves(together) if together is not None else ():
                yield Case(number_of(value), value.node or site.node, leaves)


def _share(scores: Scores, outcome: Outcome) -> Outcomes:
    """The number in what a check returns: it may stand beside a reason."""
    value, outcomer = outcome.value, scores.outcomer
    if value.kind == SEQUENCE:
        return tuple(outcomer.picked((outcome,), 0))
    if value.kind == OBJECT:
        held = [outcomer.member(value, key) for key in FIELDS]
        return tuple(under(next((one for one in held if one), UNSETTLED), outcome.tests))
    if value.kind == INSTANCE and isinstance(value.node, ast.Call):
        named = [word.value for word in value.node.keywords if word.arg in FIELDS]
        given = [*value.node.args[:1], *named]
        return tuple(under(outcomer.values(given[0], value.data) if given else UNSETTLED, outcome.tests))
    return (outcome,)
