"""Signs of a test script that the other scripts beside it take back: they may write the reward themselves."""

from gradewright.contract import REWARD_FILES
from gradewright.model import (
    ABSENCE_ONLY,
    CONSTANT_SCORE,
    EMPTY_PASSES,
    EXISTENCE_ONLY,
    FAILS_OPEN,
    SHELL,
    Grader,
    Sign,
)

OF_SCORE = frozenset({ABSENCE_ONLY, CONSTANT_SCORE, EMPTY_PASSES, EXISTENCE_ONLY, FAILS_OPEN})
"""Signs that hold only if the script's own rewards are what the platform reads."""


def remaining_signs(script: Grader, scripts: list[Grader]) -> tuple[Sign, ...]:
    """The signs of `script` that still hold, now that all `scripts` of its folder are known."""
    if script.language != SHELL or not any(sign.what in OF_SCORE for sign in script.signs):
        return script.signs
    others = [other for other in scripts if other is not script]
    doubted = False
    for run in script.runs:
        if run.is_pytest:
            if any(_may_write(other) for other in others if other.at.path.endswith(".py")):
                return tuple(sign for sign in script.signs if sign.what not in OF_SCORE)
        elif run.script and run.script.startswith("/tests/"):
            started = next((other for other in others if other.at.path.endswith(run.script)), None)
            if started is not None and _may_write(started):
                return tuple(sign for sign in script.signs if sign.what not in OF_SCORE)
            doubted = doubted or started is None or started.opaque
    if not doubted:
        return script.signs
    return tuple(sign._replace(certain=False) if sign.what in OF_SCORE else sign for sign in script.signs)


def _may_write(script: Grader) -> bool:
    """Whether a script may write the reward; one that cannot be followed, and never names it, hardly does."""
    paths = [write.path for write in script.writes]
    written = any(path is None or path in REWARD_FILES or path[0] != "/" for path in paths)
    return script.names_reward and (written or script.opaque)
