"""All ways through a shell script, one after another, as long as they are few."""

from typing import Any, NamedTuple

from gradewright.contract import REWARD_FILES
from gradewright.finding import Location
from gradewright.read.shell.inline import shell_code
from gradewright.read.shell.sequence import status_of
from gradewright.read.shell.state import ALIVE, EXITED, Shell, Source
from gradewright.read.shell.trail import Entry, Origin, Question, Trail
from gradewright.read.shell.way import add_up, follow

MAX_WAYS = 48
MAX_TOTAL = 6000
"""Statements that are followed on all ways together."""


class Way(NamedTuple):
    """One way: its questions and answers, and the reward that the platform would find at its end.

    `fails` tells that the script ends with an exit status other than 0, `ended_by` the check whose failure ended it
    under errexit, `left_at` and `left_by` its last `exit`. `texts` are all rewards that were written, be it for a
    moment, `programs` those of the agent's that were run. `foreign` and `runs` count, as `Entry.order` does, the last
    program and the last script of the task that may have written a reward out of sight; -1 and 0 where there was none.
    """

    asked: tuple[tuple[Question, bool], ...]
    reward: Entry | None
    fails: bool | None
    ended_by: Question | None
    foreign: int
    runs: int
    dependent: dict[tuple[str, ...], frozenset[Origin]]
    left_at: Location | None = None
    left_by: str = ""
    texts: frozenset[str] = frozenset()
    programs: frozenset[str] = frozenset()


class Ways(NamedTuple):
    """All ways that were followed; `complete` if these are all there are, and nothing on them was hidden."""

    found: tuple[Way, ...]
    complete: bool


def ways(source: Source, staged: str, root: Any, *, is_test: bool, errexit: bool) -> Ways:
    """Follow a script along every way that its conditions allow."""
    found: list[Way] = []
    plan: list[bool] | None = []
    complete = True
    steps = 0
    while plan is not None:
        if len(found) >= MAX_WAYS or steps > MAX_TOTAL:
            return Ways(tuple(found), complete=False)
        shell = Shell(source, staged, follow, is_test=is_test)
        shell.errexit = errexit
        trail = shell.trail = Trail(plan, add_up)
        found.append(_followed(shell, trail, root))
        complete = complete and not (trail.blind or trail.uncertain or shell.opaque)
        steps += shell.steps
        plan = _next(trail.answers)
    return Ways(tuple(found), complete)


def _next(answers: list[bool]) -> list[bool] | None:
    """The answers of the next way: the last yes becomes a no, what was asked after it is open again."""
    while answers and not answers[-1]:
        answers = answers[:-1]
    return [*answers[:-1], False] if answers else None


def _followed(shell: Shell, trail: Trail, root: Any) -> Way:
    try:
        follow(shell, root)
        status = status_of(shell)
        if shell.trap:
            trail.blind = trail.blind or shell.trapped
            shell.ended, shell.errexit = ALIVE, False
            shell_code(shell, shell.trap[1].nodes[1], shell.trap[0])
            status = status_of(shell) if shell.ended == EXITED else status
        if not shell.is_test and shell.ended == EXITED and trail.left_at:
            trail.is_success(status, trail.left_at)
        fails = _fails(trail, status)
    except RecursionError:
        trail.blind, fails = True, None
    asked = tuple(zip(trail.asked, trail.answers, strict=True))
    reward = next((trail.entries[path] for path in REWARD_FILES if path in trail.entries), None)
    return Way(
        asked,
        reward,
        fails,
        trail.failed_at,
        trail.foreign,
        trail.runs,
        trail.dependent,
        trail.left_at,
        trail.left_by,
        frozenset(trail.texts),
        frozenset(trail.programs),
    )


def _fails(trail: Trail, status: str) -> bool | None:
    """Whether the script ends in failure, without asking anything more."""
    if status.isdigit():
        return int(status) != 0
    question = trail.question_of(status)
    answer = trail.given.get(question.key) if question else None
    return None if answer is None else not answer
