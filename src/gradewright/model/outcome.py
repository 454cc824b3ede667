"""What a run leaves behind: its reward and what the agent did."""

from enum import StrEnum
from typing import Any, NamedTuple

from gradewright.finding import Location


class Outcome(NamedTuple):
    """How a script ended in a sandbox.

    `exit_code` is None if it was ended because its time was up (`timed_out`) or because it printed too much
    (`flooded`). `seconds` are of the clock. `left_processes` still ran when the script had ended, and were ended.
    """

    exit_code: int | None
    stdout: str
    stderr: str
    seconds: float
    timed_out: bool = False
    flooded: bool = False
    out_of_memory: bool = False
    left_processes: int = 0


class RewardState(StrEnum):
    """What came out of a grading: four answers that are never counted as one another.

    `INVALID` is a file that its reader refuses, or one whose numbers it would bend into range; `NONE` is no reward at
    all: no file, or none with a number in it.
    """

    SCORE = "score"
    ZERO = "zero"
    INVALID = "invalid"
    NONE = "none"


class Reward(NamedTuple):
    """What a grader left in the verifier's folder, as one platform reads it, judged before any clamp.

    `overall` is None unless the state is `SCORE` or `ZERO`, and where the file has metrics and no number for the whole.
    `metrics` are the values that count; `keys` are all keys at the top level of `reward.json`, a metric that is not
    among them stands under `custom_metrics`. `shape` is `flat`, `nested`, `text` (of `reward.txt`) or empty. `at` is
    the file that decided, `reward.json` if there is none.
    """

    state: RewardState
    overall: float | None
    metrics: dict[str, float]
    details: dict[str, Any]
    at: Location
    shape: str = ""
    keys: tuple[str, ...] = ()


class ToolCall(NamedTuple):
    """A tool that the agent called; `arguments` are as recorded, usually a mapping."""

    name: str
    arguments: Any
    at: Location


class Trajectory(NamedTuple):
    """What an agent did, in the parts that matter for judging a grader.

    `final_text` is the text of the last agent step that has any; `observations` are what the tools answered, each cut
    to its first 4,096 characters. `complete` is false where more had to be left out to bound the memory.
    """

    steps: int
    agent_steps: int
    final_text: str
    calls: tuple[ToolCall, ...]
    observations: tuple[str, ...]
    at: Location
    complete: bool = True
