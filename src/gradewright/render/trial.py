"""One trial, for people and for programs."""

import json
from collections.abc import Iterator
from typing import Any

from gradewright.model import RewardState, Trial
from gradewright.visible import visible

VERSION = 1
_SAID = {
    RewardState.SCORE: "a score",
    RewardState.ZERO: "zero",
    RewardState.INVALID: "an invalid reward",
    RewardState.NONE: "no reward",
}
_MAX_SHOWN = 4_000
"""Characters of what a script printed that are shown."""


def as_text(trial: Trial, missing: tuple[str, ...]) -> str:
    """The trial for people; `missing` are limits that the sandbox could not hold the grader to."""
    return "".join(f"{visible(line)}\n" for line in _lines(trial, missing))


def _lines(trial: Trial, missing: tuple[str, ...]) -> Iterator[str]:
    reward, outcome = trial.reward, trial.outcome
    score = "" if reward.overall is None else f": overall {reward.overall:g}"
    yield f"{trial.sample.case} / {trial.sample.name}, as {trial.target} grades it: {_SAID[reward.state]}{score}"
    for name, value in reward.metrics.items():
        reason = _reason(reward.details.get(name))
        yield f"  {name}  {value:g}{f'  {reason}' if reason else ''}"
    for problem in trial.problems:
        yield f"  {problem.at.path}: {problem.detail}"
    yield f"  {_ending(trial)} after {outcome.seconds:.2f} s in {trial.sandbox}"
    if outcome.left_processes:
        yield f"  {outcome.left_processes} processes were left running, and were ended"
    if trial.changed:
        yield f"  the grader changed {len(trial.changed)} files of the workspace, such as {trial.changed[0]}"
    if missing:
        yield f"  not limited here: {', '.join(missing)}"
    for name, text in (("stdout", outcome.stdout), ("stderr", outcome.stderr)):
        if text.strip():
            yield f"  {name}:"
            yield from (f"    {line}" for line in text[-_MAX_SHOWN:].splitlines())


def _ending(trial: Trial) -> str:
    outcome = trial.outcome
    if outcome.timed_out:
        return "it was ended because its time was up"
    if outcome.flooded:
        return "it was ended because it printed too much"
    memory = ", for want of memory" if outcome.out_of_memory else ""
    return f"it ended with exit status {outcome.exit_code}{memory}"


def _reason(detail: Any) -> str:
    if isinstance(detail, dict):
        detail = detail.get("reason")
    return detail if isinstance(detail, str) else ""


def as_json(trial: Trial) -> str:
    """The trial as JSON in ASCII."""
    reward, outcome = trial.reward, trial.outcome
    document = {
        "version": VERSION,
        "case": trial.sample.case,
        "sample": trial.sample.name,
        "target": trial.target,
        "sandbox": trial.sandbox,
        "reward": {
            "state": reward.state.value,
            "overall": reward.overall,
            "metrics": reward.metrics,
            "details": reward.details,
            "shape": reward.shape or None,
        },
        "outcome": outcome._asdict(),
        "problems": [{"path": problem.at.path, "message": problem.detail} for problem in trial.problems],
        "changed": list(trial.changed),
    }
    return json.dumps(document, indent=2, default=str) + "\n"
