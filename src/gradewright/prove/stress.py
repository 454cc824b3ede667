"""Stress: something odd or huge in the way; a sound grader ends in time, with a reward and the right verdict."""

import os
from collections.abc import Callable, Iterator
from itertools import chain

from gradewright.contract import TRAJECTORY
from gradewright.model import STRESS, Trial
from gradewright.prove import trajectories
from gradewright.prove.change import Change
from gradewright.prove.clues import clues
from gradewright.prove.content import nested
from gradewright.prove.edit import clear, put, putting
from gradewright.prove.outputs import files
from gradewright.prove.samples import MALFORMED, MISSING
from gradewright.prove.stage import Stage
from gradewright.prove.subject import Subject

HUGE = 200_000_000
"""Bytes of a huge file, which has no content and takes no room."""

_DEPTH = 1200
_NESTING = 100_000
_BINARY = bytes(range(256)) * 16
_MAX_PLACES = 2


def changes(subject: Subject, origin: Trial, stage: Stage, passes: bool) -> Iterator[Change]:
    """Oddities in place of outputs and beside them, of inputs, and of the trajectory."""
    sample = origin.sample
    if sample.name in (MISSING, MALFORMED):
        return
    made, found = files(subject, stage)
    inputs = [file.place for file in found]
    targets = [target for target in clues(subject, stage).targets if target not in inputs]
    made.sort(key=lambda file: (file.place not in targets, file.source is not None, file.name))
    outputs = [file.place for file in made] or list(targets)
    verdict = None if passes else False
    has_record = trajectories.record(stage) is not None
    yield from chain(
        _in_place(subject, outputs[:_MAX_PLACES], verdict),
        _beside(subject, outputs[:1] or [f"{subject.folder}/output"], passes),
        _inputs(subject, inputs[:_MAX_PLACES], verdict),
        _trajectories(verdict, passes, has_record),
    )


def _in_place(subject: Subject, places: list[str], verdict: bool | None) -> Iterator[Change]:
    for place in places:
        name = place.removeprefix(f"{subject.folder}/")
        for kind, what, make in _ODDITIES:
            yield Change(STRESS, f"{kind}:{name}", f"`{name}` {what}", _made(make, place), passes=verdict)
        if place.endswith(".json"):
            change = putting({place: nested(_NESTING)})
            what = f"`{name}` holds JSON that is nested too deeply for a parser"
            yield Change(STRESS, f"nested:{name}", what, change, passes=verdict)


def _beside(subject: Subject, places: list[str], passes: bool) -> Iterator[Change]:
    """What lies beside the work makes it neither better nor worse."""
    for place in places:
        stem, extension = os.path.splitext(place)
        for kind, what, make in (_PIPE, _HUGE, _LOOP):
            beside = f"{stem}-beside{extension}"
            name = beside.removeprefix(f"{subject.folder}/")
            yield Change(
                STRESS,
                f"{kind}:{name}",
                f"`{name}`, which nobody asked for, {what}",
                _made(make, beside),
                passes=passes,
            )
    deep = "/".join([f"{subject.folder}/deep", *["d"] * _DEPTH, "file.txt"])
    what = f"a file lies {_DEPTH} folders deep where the agent works"
    yield Change(STRESS, "deep:tree", what, lambda stage: put(stage, deep, "deep\n"), passes=passes)


def _inputs(subject: Subject, places: list[str], verdict: bool | None) -> Iterator[Change]:
    for place in places:
        name = place.removeprefix(f"{subject.folder}/")
        for kind, what, data in (("emptied", "is empty", b""), ("binary", "holds no text", _BINARY)):
            change = putting({place: data})
            yield Change(STRESS, f"{kind}:{name}", f"the input `{name}` {what}", change, passes=verdict)


def _trajectories(verdict: bool | None, passes: bool, has_record: bool) -> Iterator[Change]:
    def gone(stage: Stage, place: str) -> object:
        return clear(stage, place)

    if has_record:
        change = _made(gone, TRAJECTORY)
        yield Change(STRESS, "trajectory-missing", "there is no trajectory", change, passes=verdict)
    for kind, what, make in (_PIPE, _HUGE, _FOLDER):
        what = f"the trajectory {what}"
        yield Change(STRESS, f"trajectory-{kind}", what, _made(make, TRAJECTORY), passes=verdict)
    for name, form in trajectories.FORMS.items():
        right = passes if form.whole and has_record else verdict
        yield Change(STRESS, f"trajectory-{name}", f"the trajectory {form.what}", _formed(form), passes=right)


def _formed(form: trajectories.Form) -> Callable[[Stage], None]:
    def apply(stage: Stage) -> None:
        put(stage, TRAJECTORY, form.make(trajectories.record(stage) or trajectories.idle()))

    return apply


def _made(make: Callable[[Stage, str], object], place: str) -> Callable[[Stage], object]:
    return lambda stage: make(stage, place)


def _pipe(stage: Stage, place: str) -> None:
    os.mkfifo(clear(stage, place))


def _huge(stage: Stage, place: str) -> None:
    with open(clear(stage, place), "xb") as stream:
        stream.truncate(HUGE)


def _loop(stage: Stage, place: str) -> None:
    path = clear(stage, place)
    os.symlink(os.path.basename(path), path)


_PIPE = ("pipe", "is a named pipe, to which nobody writes", _pipe)
_HUGE = ("huge", f"has {HUGE // 1_000_000} MB of zeros", _huge)
_LOOP = ("loop", "is a link to itself", _loop)
_FOLDER = ("folder", "is a folder", lambda stage, place: os.mkdir(clear(stage, place)))
_GARBAGE = ("binary", "holds bytes that are no text", lambda stage, place: put(stage, place, _BINARY))
_NOTHING = ("emptied", "is empty", lambda stage, place: put(stage, place, b""))
_ODDITIES = (_PIPE, _HUGE, _LOOP, _FOLDER, _GARBAGE, _NOTHING)
