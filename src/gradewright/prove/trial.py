"""Grade one sample once, as a platform would."""

from gradewright.finding import Location
from gradewright.model import CRASH, Problem, Reward, RewardState, Sample, Trial
from gradewright.prove.change import Change
from gradewright.prove.stage import listing, staged
from gradewright.prove.subject import Subject
from gradewright.read.reward import read_reward
from gradewright.sandbox.protocol import Command, Limits, Sandbox

SKILLEVALUATOR = "skillevaluator"


def run_trial(
    subject: Subject, sample: Sample, sandbox: Sandbox, limits: Limits, change: Change | None = None
) -> Trial:
    """Run the grader of `subject` on `sample`, with `change` made to it before.

    Raises `SandboxError` if it could not be started.
    """
    with staged(subject, sample) as stage:
        if change:
            change.apply(stage)
        before = listing(stage.path(subject.folder))
        outcome = sandbox.run(_command(subject, change), stage.mounts, limits)
        after = listing(stage.path(subject.folder))
        problems: list[Problem] = []
        reward = read_reward(stage.path("/logs/verifier"), problems, target=subject.target)
    reward = _in_the_container(reward, stage.root)
    if outcome.exit_code is None:
        reward = _nothing(reward, RewardState.NONE)
    elif outcome.exit_code and subject.target == SKILLEVALUATOR and reward.state is not RewardState.NONE:
        detail = f"the grader ended with exit status {outcome.exit_code}, which erases its reward"
        problems.append(Problem(CRASH, "reward", reward.at, detail))
        reward = _nothing(reward, RewardState.INVALID)
    return Trial(
        sample=sample,
        target=subject.target,
        outcome=outcome,
        reward=reward,
        problems=tuple(problem._replace(at=_place(problem.at, stage.root)) for problem in problems),
        changed=tuple(sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))),
        sandbox=sandbox.name,
        at=sample.at,
    )


def _command(subject: Subject, change: Change | None) -> Command:
    if change is None:
        return Command(subject.words, subject.folder)
    return Command((*change.words, *subject.words), subject.folder, change.environment)


def _nothing(reward: Reward, state: RewardState) -> Reward:
    """The reward of a run that counts for nothing, with what was in the file kept for the reader of a report."""
    return reward._replace(state=state, overall=None)


def _in_the_container(reward: Reward, root: str) -> Reward:
    return reward._replace(at=_place(reward.at, root))


def _place(at: Location, root: str) -> Location:
    """A place on the stage as the grader saw it."""
    return at._replace(path=at.path.removeprefix(root))
