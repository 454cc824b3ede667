"""The samples of a case: the recorded ones, and those that are always there because we make them."""

import json
import os
from collections.abc import Iterator

from gradewright.finding import Location
from gradewright.model import Problem, Sample
from gradewright.prove.subject import Subject
from gradewright.read.skill.samples import FOLDER, read_sample, read_samples

NOP, EMPTY, MISSING, MALFORMED = "nop", "empty", "missing", "malformed"
_AGENT = {"name": "gradewright", "version": "1"}
_IDLE = {
    "schema_version": "ATIF-v1.4",
    "session_id": "gradewright-empty",
    "agent": _AGENT,
    "steps": [{"step_id": 1, "source": "user", "message": "?"}, {"step_id": 2, "source": "agent", "message": ""}],
}
_TRAJECTORIES = {EMPTY: json.dumps(_IDLE), MALFORMED: '{"schema_version": "ATIF-v1.4", "steps": [{"step_id": 1, "sou'}
"""What the trajectory file of a sample of ours holds; the others have none."""

_MADE = {NOP: False, EMPTY: False, MISSING: False, MALFORMED: False}
"""The samples of ours with the verdict that is right: nobody did any work in any of them."""


class UnknownSampleError(Exception):
    """There is no such sample; the message names those that there are."""


def made_samples(subject: Subject, folder: str) -> Iterator[Sample]:
    """The samples of ours; their files are written into `folder`, which has to live as long as they are used."""
    for name, passes in _MADE.items():
        trajectory = None
        if name in _TRAJECTORIES:
            trajectory = os.path.join(folder, f"{name}.json")
            with open(trajectory, "w", encoding="utf-8") as stream:
                stream.write(_TRAJECTORIES[name])
        yield Sample(subject.case, name, passes, Location(name), trajectory=trajectory, made=True)


def recorded_samples(root: str, subject: Subject, problems: list[Problem]) -> Iterator[Sample]:
    """The recorded samples of one case of the skill or task `root`."""
    yield from (sample for sample in read_samples(samples_folder(root), problems) if sample.case == subject.case)


def samples_folder(root: str) -> str:
    """Where samples lie: beside the dataset of a skill, or in a bare Harbor task."""
    evals = os.path.join(root, "evals")
    return os.path.join(evals if os.path.isdir(evals) else root, FOLDER)


def find_sample(root: str, subject: Subject, name: str, made: str) -> Sample:
    """The sample called `name`, or the one in the folder `name`; `made` is where samples of ours are written.

    Raises `UnknownSampleError`.
    """
    found = {sample.name: sample for sample in made_samples(subject, made)}
    found |= {sample.name: sample for sample in recorded_samples(root, subject, [])}
    if name in found:
        return found[name]
    if os.path.isdir(name):
        return read_sample(name, subject.case, [])
    names = ", ".join(f"`{known}`" for known in found)
    raise UnknownSampleError(f"case `{subject.case}` has no sample `{name}`; it has {names}")
