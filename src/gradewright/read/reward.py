"""Read the reward that a grader left, as the platforms do, and tell a score from what merely looks like one.

Harbor 0.26 takes a flat object of finite numbers. SkillEvaluator takes `overall`, else the number in `reward.txt`, and
metrics at the top level or under `custom_metrics`; it drops what is no number and bends the rest into 0 to 1 without a
word. Everything is judged here as it stands in the file.
"""

import math
import os
from typing import Any

from gradewright.contract import MAX_REWARD, REWARD_DETAILS
from gradewright.finding import Location
from gradewright.model import (
    BOOLEAN,
    DISAGREEMENT,
    DUPLICATE_KEY,
    EMPTY,
    LINK_DANGLES,
    LINK_LOOP,
    NESTED,
    NON_FINITE,
    NON_NUMERIC,
    NOT_AN_OBJECT,
    OUT_OF_RANGE,
    SYNTAX,
    Problem,
    Reward,
    RewardState,
    quoted,
    type_name,
)
from gradewright.read.data.document import parse
from gradewright.read.files import Text, read_text

_ROLE = "reward"
_FALSIFIES = {NON_FINITE, OUT_OF_RANGE}
"""Kinds that SkillEvaluator bends into a valid score; it only drops the values of the other kinds."""

_TOLERANCE = 0.005
"""What two spellings of one score may differ by: the text is often rounded to two digits."""

_MAX_FAULTS = 100
"""Faulty values that are listed for one reward."""


def read_reward(verifier_dir: str, problems: list[Problem], *, target: str) -> Reward:
    """The reward in `verifier_dir` as `target` (`harbor` or `skillevaluator`) reads it; what is wrong joins `problems`.

    `reward.json` wins whenever it exists, even empty or broken. Raises nothing, whatever the files hold.
    """
    path = os.path.join(verifier_dir, "reward.json")
    text = _opened(path, problems)
    if text is None:
        return _from_text(verifier_dir, problems, target) or _reward(RewardState.NONE, Location(path))
    record = _record(text, problems) if isinstance(text, Text) else None
    if record is None:
        return _reward(RewardState.INVALID, Location(path))
    reader = _read_harbor if target == "harbor" else _read_skillevaluator
    return reader(record, verifier_dir, problems)


def _opened(path: str, problems: list[Problem]) -> Text | Problem | None:
    """The text of a reward file; None if the platforms see no file there, which goes for a dangling link as well."""
    text = read_text(path, _ROLE, limit=MAX_REWARD)
    if isinstance(text, Problem):
        problems.append(text)
        return None if text.kind in (LINK_DANGLES, LINK_LOOP) else text
    return text


def _record(text: Text, problems: list[Problem]) -> dict[str, Any] | None:
    """The object in `reward.json`; None if it does not parse or is something else."""
    at = Location(text.path)
    start = text.text[:200].strip()
    if not start and not text.text.strip():
        problems.append(Problem(EMPTY, _ROLE, at, "the file is empty"))
        return None
    if start.startswith("```"):
        cure = "write the JSON without the fence"
        problems.append(Problem(SYNTAX, _ROLE, at, "a Markdown fence stands around the JSON", cure=cure))
        return None
    value, found = parse(text, "json", _ROLE)
    problems += found
    if any(problem.kind != DUPLICATE_KEY for problem in found):
        return None
    if not isinstance(value, dict):
        problems.append(Problem(NOT_AN_OBJECT, _ROLE, at, f"is {type_name(value)}, not an object"))
        return None
    return value


def _read_harbor(record: dict[str, Any], folder: str, problems: list[Problem]) -> Reward:
    at = Location(os.path.join(folder, "reward.json"))
    keys = tuple(record)
    if not record:
        problems.append(Problem(EMPTY, _ROLE, at, "has no value"))
        return _reward(RewardState.NONE, at)
    metrics: dict[str, float] = {}
    faults: list[Problem] = []
    for key, value in record.items():
        number, fault = _value(value, at.within(key))
        if fault:
            _note(fault, faults, decides=number is None)
        if number is not None:
            metrics[key] = number
    problems += faults
    if any(fault.kind != BOOLEAN for fault in faults):
        shape = "nested" if any(fault.kind == NESTED for fault in faults) else "flat"
        return _reward(RewardState.INVALID, at, metrics=metrics, shape=shape, keys=keys)
    overall = _harbor_overall(metrics)
    if overall is not None and not {"reward", "overall"}.isdisjoint(record):
        _compare(overall, folder, problems)
    state = _state(overall, metrics)
    return Reward(state, overall, metrics, _details(folder), at, "flat", keys)


def _harbor_overall(metrics: dict[str, float]) -> float | None:
    """The number that Harbor shows for the trial: `reward`, or the only one; else `overall`, as our graders call it."""
    if "reward" in metrics:
        return metrics["reward"]
    if len(metrics) == 1:
        return next(iter(metrics.values()))
    return metrics.get("overall")


def _read_skillevaluator(record: dict[str, Any], folder: str, problems: list[Problem]) -> Reward:
    at = Location(os.path.join(folder, "reward.json"))
    faults: list[Problem] = []
    overall = _bounded(record["overall"], at.within("overall"), faults) if "overall" in record else None
    metrics = {**_top_metrics(record, at, faults), **_custom_metrics(record, at, faults)}
    problems += faults
    details = record.get("details")
    found = _reward(
        RewardState.INVALID,
        at,
        metrics=metrics,
        details=details if isinstance(details, dict) else {},
        shape="nested" if "custom_metrics" in record or "details" in record else "flat",
        keys=tuple(record),
    )
    if any(fault.kind in _FALSIFIES for fault in faults):
        return found
    if overall is not None:
        _compare(overall, folder, problems)
        return found._replace(state=_state(overall, metrics), overall=overall)
    return _without_overall(found, bool(faults), folder, problems)


def _without_overall(found: Reward, faulty: bool, folder: str, problems: list[Problem]) -> Reward:
    """The reward when `reward.json` has no usable `overall`: `reward.txt` gives it, else the metrics stand alone."""
    text = _from_text(folder, problems, "skillevaluator")
    if text:
        return found._replace(state=text.state, overall=text.overall, at=text.at)
    if "overall" in found.keys or (faulty and not found.metrics):
        return found
    if found.metrics:
        return found._replace(state=_state(None, found.metrics))
    problems.append(Problem(EMPTY, _ROLE, found.at, "has no score"))
    return found._replace(state=RewardState.NONE)


def _top_metrics(record: dict[str, Any], at: Location, faults: list[Problem]) -> dict[str, float]:
    """Numbers beside `overall`. Notes of the author's own stay unmentioned, numbers in quotes do not."""
    metrics = {}
    for key, value in record.items():
        if key in ("overall", "custom_metrics", "details"):
            continue
        if isinstance(value, bool | int | float) or (isinstance(value, str) and _is_number(value)):
            number = _bounded(value, at.within(key), faults)
            if number is not None:
                metrics[key] = number
    return metrics


def _custom_metrics(record: dict[str, Any], at: Location, faults: list[Problem]) -> dict[str, float]:
    custom = record.get("custom_metrics", {})
    place = at.within("custom_metrics")
    if not isinstance(custom, dict):
        detail = f"`custom_metrics` is {type_name(custom)}, not an object"
        _note(Problem(NOT_AN_OBJECT, _ROLE, place, detail, "custom_metrics"), faults, decides=False)
        return {}
    numbers = {key: _bounded(value, place.within(key), faults) for key, value in custom.items()}
    return {key: number for key, number in numbers.items() if number is not None}


def _bounded(value: Any, at: Location, faults: list[Problem]) -> float | None:
    """The number from 0 to 1 that SkillEvaluator takes as it is; None, and a fault, for anything else."""
    number, fault = _value(value, at)
    fault = fault or _range_fault(number, at)
    if fault is None:
        return number
    _note(fault, faults, decides=fault.kind in _FALSIFIES)
    return None


def _note(fault: Problem, faults: list[Problem], *, decides: bool) -> None:
    """List a fault. Of too many only one that decides about the whole reward is, in place of the last."""
    if len(faults) < _MAX_FAULTS:
        faults.append(fault)
    elif decides:
        faults[-1] = fault


def _value(value: Any, at: Location) -> tuple[float | None, Problem | None]:
    """The number that `value` is, and what is wrong with it: a boolean has both. One too large for a float is none."""
    name = str(at.keys[-1])
    kind, what = NON_NUMERIC, f"is {type_name(value)}"
    if isinstance(value, bool):
        return float(value), Problem(BOOLEAN, _ROLE, at, f"{quoted(name)} is {quoted(value)}, no number", name)
    if isinstance(value, int | float):
        number = _as_float(value)
        if math.isfinite(number):
            return number, None
        kind, what = NON_FINITE, f"is {number}" if isinstance(value, float) else "is too large a number"
    elif isinstance(value, dict | list):
        kind, what = NESTED, f"is {type_name(value)} where a number is due"
    elif isinstance(value, str):
        what = f"is the text {quoted(value)}"
    return None, Problem(kind, _ROLE, at, f"{quoted(name)} {what}", name)


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _range_fault(number: float | None, at: Location) -> Problem | None:
    if number is None or 0 <= number <= 1:
        return None
    name = str(at.keys[-1]) if at.keys else ""
    subject = quoted(name) if name else "the number"
    return Problem(OUT_OF_RANGE, _ROLE, at, f"{subject} is {quoted(number)}, not from 0 to 1", name)


def _from_text(folder: str, problems: list[Problem], target: str) -> Reward | None:
    """The reward in `reward.txt`; None if there is no such file."""
    at = Location(os.path.join(folder, "reward.txt"))
    text = _opened(at.path, problems)
    if text is None:
        return None
    number = _text_number(text, problems) if isinstance(text, Text) else None
    fault = _range_fault(number, at) if target != "harbor" else None
    if fault:
        problems.append(fault)
    if number is None or fault:
        return _reward(RewardState.INVALID, at, shape="text")
    metrics = {"reward": number} if target == "harbor" else {}
    details = _details(folder) if target == "harbor" else {}
    return Reward(_state(number, metrics), number, metrics, details, at, "text")


def _text_number(text: Text, problems: list[Problem]) -> float | None:
    """The number in `reward.txt` by Python's own rules, which both platforms go by: `1_0` is ten."""
    at = Location(text.path)
    plain = text.text.strip()
    try:
        number = float(plain)
    except ValueError:
        kind = NON_NUMERIC if plain else EMPTY
        what = f"holds {quoted(plain)}, not one number" if plain else "the file is empty"
        problems.append(Problem(kind, _ROLE, at, what))
        return None
    if math.isfinite(number):
        return number
    problems.append(Problem(NON_FINITE, _ROLE, at, f"holds {quoted(plain)}, which is no finite number"))
    return None


def _compare(overall: float, folder: str, problems: list[Problem]) -> None:
    """Note a `reward.txt` that says something else: it is not read beside `overall`, so its faults do not matter."""
    text = read_text(os.path.join(folder, "reward.txt"), _ROLE, limit=MAX_REWARD)
    number = _text_number(text, []) if isinstance(text, Text) else None
    if number is not None and not math.isclose(number, overall, rel_tol=0, abs_tol=_TOLERANCE):
        at = Location(os.path.join(folder, "reward.txt"))
        detail = f"holds {quoted(number)}, but `reward.json` says {quoted(overall)}"
        problems.append(Problem(DISAGREEMENT, _ROLE, at, detail))


def _details(folder: str) -> dict[str, Any]:
    """The reasons beside a flat reward. Nobody but us reads them, so nothing that is wrong with them matters."""
    text = read_text(os.path.join(folder, REWARD_DETAILS), _ROLE, limit=MAX_REWARD)
    value = parse(text, "json", _ROLE)[0] if isinstance(text, Text) else None
    return value if isinstance(value, dict) else {}


def _state(overall: float | None, metrics: dict[str, float]) -> RewardState:
    """Of a valid reward: zero if the whole is, or, where there is no number for it, every metric."""
    values = [overall] if overall is not None else list(metrics.values())
    return RewardState.SCORE if any(values) else RewardState.ZERO


def _reward(
    state: RewardState,
    at: Location,
    *,
    metrics: dict[str, float] | None = None,
    details: dict[str, Any] | None = None,
    shape: str = "",
    keys: tuple[str, ...] = (),
) -> Reward:
    """A reward without a number for the whole."""
    return Reward(state, None, metrics or {}, details or {}, at, shape, keys)
