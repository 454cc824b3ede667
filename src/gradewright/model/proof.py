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

_TOLERANCE = 1e-9
KINDS = (MUTANT, ATTACK, STRESS, REPEAT)

_BY_TEXT = frozenset({"exists", "claim", "literals", "words", "judge"})
"""Beginnings of the names of such attacks."""


class Probe(NamedTuple):
    """A sample that was graded again with a change.

    `kind` is one of the constants above, `name` tells the change apart from all others of the case and replays it,
    `what` says in words what was changed. `origin` is the grading of the sample as it is. `accepted` is the author's
    reason why this change makes no difference to good work, if there is one. `passes` is the verdict that is right
    after the change, None where that depends on the case. `diff` shows what was changed, where that is worth knowing.
    """

    kind: str
    name: str
    what: str
    origin: Trial
    trial: Trial
    accepted: str = ""
    passes: bool | None = None
    diff: str = ""

    @property
    def label(self) -> str:
        """The change and the sample that it was made to, for a list of such."""
        return f"`{self.name}` on `{self.origin.sample.name}`"

    @property
    def noticed(self) -> bool:
        """Whether the score, or that of a metric, fell with the change; no score at all is a fall as well."""
        before, after = self.origin.reward, self.trial.reward
        if self.trial.lost or after.overall is None:
            return True
        fell = after.overall < (before.overall or 0.0) - _TOLERANCE
        return fell or any(after.metrics.get(name, 0.0) < value - _TOLERANCE for name, value in before.metrics.items())

    @property
    def raised(self) -> bool:
        """Whether the score, or that of a metric, rose with the change and is valid."""
        before, after = self.origin.reward, self.trial.reward
        if self.trial.lost or self.trial.lacking:
            return False
        rose = (after.overall or 0.0) > (before.overall or 0.0) + _TOLERANCE
        return rose or any(
            value > before.metrics.get(name, value) + _TOLERANCE for name, value in after.metrics.items()
        )

    @property
    def by_text(self) -> bool:
        """Whether this attack is nothing but words, or empty files, which may be all that there is to check."""
        return self.name.partition(":")[0] in _BY_TEXT


class Proof(NamedTuple):
    """All gradings of one case by one platform; `trials` are those of the samples as they are.

    A trial passes if its overall score reaches `threshold`. `replay` is the command that grades one sample, to which
    `--sample NAME` and `--change NAME` are added. `unmeasured` says what could not be tried, and why. `declared` tells
    that the platform or the author says what a pass is; plain Harbor knows no such thing, and its tasks often do not.
    """

    case: str
    target: str
    threshold: float
    trials: tuple[Trial, ...]
    probes: tuple[Probe, ...]
    unmeasured: tuple[str, ...]
    replay: str
    at: Location
    declared: bool = True

    def passes(self, trial: Trial) -> bool:
        """Whether the score is there and high enough."""
        return trial.reward.overall is not None and trial.reward.overall >= self.threshold

    def trial(self, name: str) -> Trial | None:
        """The grading of the sample called `name`, as it is."""
        return next((trial for trial in self.trials if trial.sample.name == name), None)

    @property
    def measured(self) -> tuple[Trial, ...]:
        """The gradings of samples as they are from which something follows."""
        return tuple(trial for trial in self.trials if trial.ended and not trial.lacking and not trial.stale)

    def overall(self, trial: Trial) -> float:
        """What the trial counts for: a trial without a valid score is nothing."""
        return trial.reward.overall or 0.0

    def aspects(self) -> dict[str, bool]:
        """What a full proof shows, in words, and whether this one does."""
        known = {trial.sample.passes for trial in self.measured if trial.judged}
        return {
            "good work": True in known,
            "bad work": False in known,
            "idle runs": any(trial.sample.made and not trial.judged for trial in self.measured),
            "mutants": bool(self.of_kind(MUTANT)),
            "attacks": bool(self.of_kind(ATTACK)),
            "odd input": bool(self.of_kind(STRESS)),
            "repetition": bool(self.of_kind(REPEAT)),
        }

    def mutation(self) -> tuple[int, int]:
        """How many mutants were noticed, of how many that do not count as equivalent."""
        mutants = [probe for probe in self.of_kind(MUTANT) if not probe.accepted]
        return sum(probe.noticed for probe in mutants), len(mutants)

    def of_kind(self, kind: str) -> tuple[Probe, ...]:
        return tuple(probe for probe in self.probes if probe.kind == kind)
