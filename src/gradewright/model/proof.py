"""What trying a grader out has shown."""

from typing import NamedTuple

from gradewright.finding import Location
from gradewright.model.sample import Trial

MUTANT = "mutant"
"""A passing sample with something broken: a sound grader lowers the score."""

ATTACK = "attack"
"""A failing sample with something that only fools a grader: a sound one keeps the score."""

STRESS = "stress"
"""A sample with something odd or huge: a sound grader ends in time, with the right verdict."""

REPEAT = "repeat"
"""A sample as it is, graded again in other circumstances: a sound grader gives the same score."""


class Probe(NamedTuple):
    """A sample that was graded again with a change.

    `kind` is one of the constants above, `name` tells the change apart from all others of the case and replays it,
    `what` says in words what was changed. `origin` is the grading of the sample as it is. `accepted` is the author's
    reason why this change makes no difference to good work, if there is one.
    """

    kind: str
    name: str
    what: str
    origin: Trial
    trial: Trial
    accepted: str = ""


class Proof(NamedTuple):
    """All gradings of one case by one platform; `trials` are those of the samples as they are.

    A trial passes if its overall score reaches `threshold`. `replay` is the command that grades one sample, to which
    `--sample NAME` and `--change NAME` are added. `unmeasured` says what could not be tried, and why.
    """

    case: str
    target: str
    threshold: float
    trials: tuple[Trial, ...]
    probes: tuple[Probe, ...]
    unmeasured: tuple[str, ...]
    replay: str
    at: Location

    def passes(self, trial: Trial) -> bool:
        """Whether the score is there and high enough."""
        return trial.reward.overall is not None and trial.reward.overall >= self.threshold

    def trial(self, name: str) -> Trial | None:
        """The grading of the sample called `name`, as it is."""
        return next((trial for trial in self.trials if trial.sample.name == name), None)

    def of_kind(self, kind: str) -> tuple[Probe, ...]:
        return tuple(probe for probe in self.probes if probe.kind == kind)
