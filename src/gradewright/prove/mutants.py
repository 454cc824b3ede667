"""Mutants: good work with something broken, for which a sound grader lowers the score."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, zip_longest

from gradewright.contract import TRAJECTORY
from gradewright.model import MUTANT, Probe, Trial
from gradewright.prove import trajectories
from gradewright.prove.change import Change
from gradewright.prove.clues import clues
from gradewright.prove.content import Operator, operators
from gradewright.prove.edit import clear, content, put
from gradewright.prove.outputs import File, files
from gradewright.prove.stage import Stage
from gradewright.prove.subject import Subject
from gradewright.prove.trajectories import Record

MAX_FILES = 8
MAX_MUTANTS = 60
ANSWER, CALLS, OTHER_ANSWER = "delete:answer", "delete:calls", "other:answer"
_RUN = (ANSWER, OTHER_ANSWER, CALLS)
_UNREAD = "the work of this sample is in files: no change of the trajectory makes a difference"


def changes(subject: Subject, origin: Trial, stage: Stage, passes: bool) -> Iterator[Change]:
    """What would make good work bad: changes of each file that the agent made, and of what it said and did."""
    if passes and origin.sample.passes is not False:
        yield from islice(_all(subject, stage), MAX_MUTANTS)


def excused(probes: Iterable[Probe]) -> tuple[Probe, ...]:
    """The probes, those accepted that change what the agent said and did where a grader never looks at that.

    It never does if no change of the trajectory makes a difference to the sample while one of its files does: then the
    work is in the files.
    """
    probes = tuple(probes)
    differing = [probe for probe in probes if _differs(probe)]
    read = {probe.origin.sample.name for probe in differing if _is_of_run(probe)}
    in_files = {probe.origin.sample.name for probe in differing if probe.kind == MUTANT and probe.name not in _RUN}
    unread = in_files - read
    return tuple(
        probe._replace(accepted=_UNREAD)
        if probe.name in _RUN and probe.origin.sample.name in unread and not probe.accepted
        else probe
        for probe in probes
    )


def _is_of_run(probe: Probe) -> bool:
    return probe.name in _RUN or probe.name.startswith("trajectory-")


def _differs(probe: Probe) -> bool:
    return probe.trial.reward[:3] != probe.origin.reward[:3]


def _all(subject: Subject, stage: Stage) -> Iterator[Change]:
    """Those that tell most first: one of each kind for each file, before the next kind."""
    yield from _of_run(trajectories.record(stage))
    named = clues(subject, stage).targets
    made, _ = files(subject, stage)
    made.sort(key=lambda file: (file.place not in named, file.name.count("/"), file.name))
    for row in zip_longest(*(_of_file(stage, file) for file in made[:MAX_FILES])):
        yield from (change for change in row if change)


def _of_run(record: Record | None) -> Iterator[Change]:
    if record and trajectories.has_answer(record):
        yield _run(ANSWER, "the agent's last message is gone", trajectories.without_answer)
        yield _run(OTHER_ANSWER, "the agent's messages say something unrelated", trajectories.with_unrelated_answers)
    if record and trajectories.has_calls(record):
        yield _run(CALLS, "the agent's tool calls are gone, with what they answered", trajectories.without_calls)


def _run(name: str, what: str, change: Callable[[Record], Record]) -> Change:
    def apply(stage: Stage) -> None:
        record = trajectories.record(stage)
        if record:
            put(stage, TRAJECTORY, trajectories.dumped(change(record)))

    return Change(MUTANT, name, what, apply)


def _of_file(stage: Stage, file: File) -> Iterator[Change]:
    def change(name: str, what: str, apply: Callable[[Stage], object]) -> Change:
        return Change(MUTANT, f"{name}:{file.name}", f"`{file.name}` {what}", apply)

    yield change("delete", "is gone", lambda stage: clear(stage, file.place))
    if file.source is not None:
        yield change("undo", "is as the agent found it", lambda stage: _undo(stage, file))
    if file.size:
        yield change("empty", "is empty", lambda stage: put(stage, file.place, b""))
    data = content(stage, file.place)
    seen = {b"", data}
    for name, what, operator in operators(file.name, data) if data else ():
        new = operator(file.name, data or b"")
        if new is not None and new not in seen:
            seen.add(new)
            yield change(name, what, _edit(file, operator))


def _undo(stage: Stage, file: File) -> None:
    with open(file.source or "", "rb") as stream:
        put(stage, file.place, stream.read())


def _edit(file: File, operator: Operator) -> Callable[[Stage], None]:
    def apply(stage: Stage) -> None:
        new = operator(file.name, content(stage, file.place) or b"")
        if new is not None:
            put(stage, file.place, new)

    return apply
