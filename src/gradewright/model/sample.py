"""Recorded results of work, and what grading one of them came to."""

from typing import NamedTuple

from gradewright.finding import Location
from gradewright.model.outcome import Outcome, Reward
from gradewright.model.problem import Problem

Bounds = tuple[float, float]
"""The lowest and the highest value that is right, both included."""


class Sample(NamedTuple):
    """A state that an agent may have left, for one case: the folder `at`, or one that is made by us.

    `passes` tells the verdict that is right, None if nobody said. `overall` and `metrics` bound the scores further.
    `workspace`, `logs` (folders) and `trajectory` (a file) are paths, None where the sample has none.
    """

    case: str
    name: str
    passes: bool | None
    at: Location
    overall: Bounds | None = None
    metrics: dict[str, Bounds] = {}  # noqa: RUF012 - never changed
    workspace: str | None = None
    trajectory: str | None = None
    logs: str | None = None


class Trial(NamedTuple):
    """One grading of one sample, as the platform `target` takes it.

    `problems` are what the reward's reader found. `changed` are files of the workspace that the grader wrote, removed
    or renamed, relative to it; `sandbox` is the name of what it ran in.
    """

    sample: Sample
    target: str
    outcome: Outcome
    reward: Reward
    problems: tuple[Problem, ...]
    changed: tuple[str, ...]
    sandbox: str
    at: Location
