"""Recorded results of work, and what grading one of them came to."""

from typing import NamedTuple

from gradewright.finding import Location
from gradewright.model.outcome import Outcome, Reward, RewardState
from gradewright.model.problem import Problem

Bounds = tuple[float, float]
"""The lowest and the highest value that is right, both included."""


class Sample(NamedTuple):
    """A state that an agent may have left, for one case: the folder `at`, or one that is made by us.

    `passes` tells the verdict that is right, None if nobody said. `overall` and `metrics` bound the scores further.
    `workspace`, `logs` (folders) and `trajectory` (a file) are paths, None where the sample has none. `made` tells that
    nobody recorded it.
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
    made: bool = False


class Trial(NamedTuple):
    """One grading of one sample, as the platform `target` takes it.

    `problems` are what the reward's reader found. `changed` are files of the workspace that the grader wrote, removed
    or renamed, relative to it; `sandbox` is the name of what it ran in. `created` are those among them that were not
    there before, `strayed` files of other places, as the grader saw them. `stale` is a file of the reward that counts
    although it lay there before the run and was left as it was. `allowed` are the seconds that the platform gives the
    grader, 0 if unknown. `lacking` names what the grader needs and this machine has not, so that nothing follows from
    the outcome. `replay` is the command that runs it once more. `at` is the grader.
    """

    sample: Sample
    target: str
    outcome: Outcome
    reward: Reward
    problems: tuple[Problem, ...]
    changed: tuple[str, ...]
    sandbox: str
    at: Location
    created: tuple[str, ...] = ()
    strayed: tuple[str, ...] = ()
    stale: str = ""
    allowed: float = 0.0
    lacking: tuple[str, ...] = ()
    replay: str = ""

    @property
    def ended(self) -> bool:
        """Whether the grader came to an end by itself."""
        return self.outcome.exit_code is not None

    @property
    def faults(self) -> tuple[Problem, ...]:
        """What is wrong with the reward that this grader wrote."""
        return () if self.stale else self.problems

    @property
    def lost(self) -> bool:
        """Whether no platform has a valid reward from this."""
        return self.reward.state in (RewardState.INVALID, RewardState.NONE)

    @property
    def shown(self) -> str:
        """The reward in words: a number, `no reward`, `an invalid reward`."""
        if self.reward.overall is not None:
            return f"{self.reward.overall:g}"
        names = {RewardState.NONE: "no reward", RewardState.INVALID: "an invalid reward"}
        return names.get(self.reward.state, "no overall score")

    @property
    def evidence(self) -> tuple[Location, ...]:
        """Where the sample lies, if somebody recorded it."""
        return () if self.sample.made else (self.sample.at,)

    def cure(self, what: str) -> str:
        """A hint: what to do, and how to see the fault."""
        return f"{what}; replay it with `{self.replay}`"

    @property
    def judged(self) -> bool:
        """Whether somebody said what this sample is worth, so that a grader has to cope with it."""
        return self.sample.passes is not None and (self.sample.passes or not self.sample.made)
