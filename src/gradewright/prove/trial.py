"""Grade one sample once, as a platform would."""

import re

from gradewright.contract import ENVIRONMENT, REWARD_JSON, VERIFIER_DIR
from gradewright.finding import Location
from gradewright.model import CRASH, Outcome, Problem, Reward, RewardState, Sample, Trial
from gradewright.prove.change import Change
from gradewright.prove.lacking import lacks
from gradewright.prove.stage import Listing, listing, staged
from gradewright.prove.subject import Subject
from gradewright.read.reward import read_reward
from gradewright.sandbox.protocol import Command, Limits, Sandbox

SKILLEVALUATOR = "skillevaluator"
_RESULTS = (f"{VERIFIER_DIR}/", "/logs/artifacts/")
"""Where a grader may write."""

_CACHES = re.compile(r"(?:^|/)(?:__pycache__|\.\w+_cache)/|\.pyc\Z")
"""What programs leave behind wherever they run, which is nobody's work."""


def run_trial(
    subject: Subject, sample: Sample, sandbox: Sandbox, limits: Limits, change: Change | None = None
) -> Trial:
    """Run the grader of `subject` on `sample`, with `change` made to it before.

    Raises `SandboxError` if it could not be started.
    """
    with staged(subject, sample) as stage:
        if change:
            change.apply(stage)
        before = listing(stage.root)
        outcome = sandbox.run(_command(subject, change), stage.mounts, limits)
        after = listing(stage.root)
        reward, problems = outcome_of(stage.path(VERIFIER_DIR), outcome, subject.target, stage.root)
    places = touched(before, after)
    inside = f"{subject.folder.rstrip('/')}/"
    return Trial(
        sample=sample,
        target=subject.target,
        outcome=outcome,
        reward=reward,
        problems=problems,
        changed=tuple(_within(inside, places)),
        sandbox=sandbox.name,
        at=Location(subject.grader) if subject.grader else sample.at,
        created=tuple(_within(inside, [place for place in places if place[1:] not in before])),
        strayed=tuple(place for place in places if not place.startswith((inside, *_RESULTS))),
        stale=next((place for place in (reward.at.path, REWARD_JSON) if _kept(place, before, places)), ""),
        allowed=subject.allowed,
        lacking=lacks(outcome),
    )


def touched(before: Listing, after: Listing) -> list[str]:
    """The places of files that were written, removed or made, but for caches, in order."""
    names = (name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return sorted(f"/{name}" for name in names if not _CACHES.search(name))


def _kept(place: str, before: Listing, places: list[str]) -> bool:
    return place[1:] in before and place not in places


def _within(folder: str, places: list[str]) -> list[str]:
    return [place.removeprefix(folder) for place in places if place.startswith(folder)]


def _command(subject: Subject, change: Change | None) -> Command:
    told = ENVIRONMENT if subject.target == SKILLEVALUATOR else {}
    if change is None:
        return Command(subject.words, subject.folder, told)
    return Command((*change.words, *subject.words), subject.folder, {**told, **change.environment})


def outcome_of(folder: str, outcome: Outcome, target: str, root: str) -> tuple[Reward, tuple[Problem, ...]]:
    """The reward in `folder` after a script ended so, and what is wrong with it, as the grader saw it below `root`."""
    problems: list[Problem] = []
    reward = read_reward(folder, problems, target=target)
    if outcome.exit_code is None:
        reward = _nothing(reward, RewardState.NONE)
    elif outcome.exit_code and target == SKILLEVALUATOR and reward.state is not RewardState.NONE:
        detail = f"the grader ended with exit status {outcome.exit_code}, which erases its reward"
        problems.append(Problem(CRASH, "reward", reward.at, detail))
        reward = _nothing(reward, RewardState.INVALID)
    seen = tuple(problem._replace(at=_place(problem.at, root)) for problem in problems)
    return reward._replace(at=_place(reward.at, root)), seen


def _nothing(reward: Reward, state: RewardState) -> Reward:
    """The reward of a run that counts for nothing, with what was in the file kept for the reader of a report."""
    return reward._replace(state=state, overall=None)


def _place(at: Location, root: str) -> Location:
    """A place on the stage as the grader saw it."""
    return at._replace(path=at.path.removeprefix(root))
