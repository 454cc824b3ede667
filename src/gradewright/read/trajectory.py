"""Read what an agent did (ATIF 1.0 to 1.8), tolerant of all that agents really record.

A trajectory may be large, so its steps are decoded and parsed one by one, and only a bounded part of them is kept.
"""

from collections.abc import Iterator
from typing import Any

from gradewright.contract import MAX_STEP, MAX_TRAJECTORY
from gradewright.finding import Location
from gradewright.model import (
    BOM,
    COMMENT,
    EMPTY,
    MISSING_KEY,
    NOT_AN_OBJECT,
    NOT_UTF8,
    OVERSIZED,
    SYNTAX,
    TRAILING_COMMA,
    WRONG_TYPE,
    Problem,
    ToolCall,
    Trajectory,
    type_name,
)
from gradewright.read.data.json_parts import Parts, split_object
from gradewright.read.data.json_syntax import read_json
from gradewright.read.files import read_bytes

_ROLE = "trajectory"
_REFUSED = frozenset({BOM, COMMENT, NOT_UTF8, SYNTAX, TRAILING_COMMA})
"""With one of these, no grader can parse the file."""

MAX_OBSERVATION = 4096
"""Characters that are kept of what a tool answered."""

MAX_KEPT = 4 << 20
"""Characters that are kept of all tool calls and observations together."""

_MAX_PROBLEMS = 100
_NAMES: dict[type[Any], str] = {dict: "an object", list: "a list", str: "text"}


def read_trajectory(path: str, problems: list[Problem]) -> Trajectory | None:
    """The facts of the trajectory `path`; what is wrong with it joins `problems`.

    None if there is no such file (with the oracle there is none, which is no problem), or if it is not JSON, not an
    object or too large. A step that cannot be made sense of is counted and otherwise skipped.
    """
    data = read_bytes(path, _ROLE, limit=MAX_TRAJECTORY)
    if data is None:
        return None
    if isinstance(data, Problem):
        problems.append(data)
        return None
    found: list[Problem] = []
    trajectory = _whole(path, data, found)
    problems += found[:_MAX_PROBLEMS]
    return trajectory


def _whole(path: str, data: bytes, problems: list[Problem]) -> Trajectory | None:
    at = Location(path)
    if not data[:200].strip() and not data.strip():
        problems.append(Problem(EMPTY, _ROLE, at, "the file is empty"))
        return None
    parts = split_object(data, b"steps")
    fault = _fault(path, data, parts)
    if fault:
        problems.append(fault)
        return None
    whole = _parsed(parts.skeleton, path, 1, problems)
    problems[:] = [problem._replace(at=problem.at._replace(column=0)) for problem in problems]
    if problems and whole is None:
        return None
    if not isinstance(whole, dict):
        problems.append(Problem(NOT_AN_OBJECT, _ROLE, at, f"is {type_name(whole)}, not an object"))
        return None
    for start, end in parts.others:
        found: list[Problem] = []
        _parsed(data[start:end], path, data.count(b"\n", 0, start) + 1, found)
        problems += [problem for problem in found if problem.kind in _REFUSED]
    facts = _Facts(at, problems)
    for index, step in enumerate(_steps(data, parts, whole, at, problems)):
        facts.add(step, at.within("steps", index))
    return None if any(problem.kind in _REFUSED for problem in problems) else facts.trajectory()


def _fault(path: str, data: bytes, parts: Parts) -> Problem | None:
    """Why the parts are not worth a look."""
    if parts.crowded:
        return Problem(OVERSIZED, _ROLE, Location(path), "holds more values than the record of an agent's run would")
    if not parts.closed:
        at = Location(path, data.count(b"\n") + 1 - data.endswith(b"\n"))
        return Problem(SYNTAX, _ROLE, at, "the text ends before everything is closed", cure="add the missing end")
    if len(parts.skeleton) > MAX_STEP:
        return Problem(OVERSIZED, _ROLE, Location(path), f"holds more than {MAX_STEP:,} bytes outside its steps")
    return None


def _parsed(data: bytes, path: str, line: int, problems: list[Problem]) -> Any:
    """The value of one part, which begins on `line`; None, and a problem, if there is none to be had."""
    if len(data) > MAX_STEP:
        problems.append(Problem(OVERSIZED, _ROLE, Location(path, line), f"has a part of more than {MAX_STEP:,} bytes"))
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        detail = f"holds the byte 0x{data[error.start]:02x}, which is not UTF-8"
        problems.append(Problem(NOT_UTF8, _ROLE, Location(path, line), detail))
        return None
    value, found = read_json(text, path, _ROLE, line)
    problems += found[:_MAX_PROBLEMS]
    return value


def _steps(data: bytes, parts: Parts, whole: dict[str, Any], at: Location, problems: list[Problem]) -> Iterator[Any]:
    """The steps one after the other; None for one that cannot be had."""
    steps = whole.get("steps")
    if not isinstance(steps, list):
        kind, what = (
            (WRONG_TYPE, f"is {type_name(steps)}, not a list") if "steps" in whole else (MISSING_KEY, "is missing")
        )
        problems.append(Problem(kind, _ROLE, at.within("steps"), f"`steps` {what}", "steps"))
        return
    items = iter(parts.items)
    line, done = 1, 0
    for step in steps:
        if not isinstance(step, dict | list):
            yield step
            continue
        start, end = next(items)
        line, done = line + data.count(b"\n", done, start), start
        found: list[Problem] = []
        value = _parsed(data[start:end], at.path, line, found)
        if len(problems) < _MAX_PROBLEMS or any(problem.kind in _REFUSED for problem in found):
            problems += found
        yield None if found and value is None else value


class _Facts:
    """Gathers the facts of one trajectory, step by step."""

    def __init__(self, at: Location, problems: list[Problem]) -> None:
        self.at = at
        self.problems = problems
        self.steps = 0
        self.agent_steps = 0
        self.final_text = ""
        self.calls: list[ToolCall] = []
        self.observations: list[str] = []
        self.room = MAX_KEPT

    def add(self, step: Any, at: Location) -> None:
        self.steps += 1
        if not isinstance(step, dict):
            self._odd(step, at, "a step", dict)
            return
        text = _text(step.get("message"))
        if step.get("source") == "agent":
            self.agent_steps += 1
            self.final_text = text if text.strip() else self.final_text
        self._odd(step.get("message"), at.within("message"), "`message`", str, list)
        calls = step.get("tool_calls")
        self._odd(calls, at.within("tool_calls"), "`tool_calls`", list)
        for index, call in enumerate(calls if isinstance(calls, list) else []):
            self._call(call, at.within("tool_calls", index))
        for answer in _answers(step.get("observation")):
            self._observation(answer)

    def trajectory(self) -> Trajectory:
        calls, observations = tuple(self.calls), tuple(self.observations)
        return Trajectory(
            self.steps, self.agent_steps, self.final_text, calls, observations, self.at, complete=self.room >= 0
        )

    def _odd(self, value: Any, at: Location, name: str, *types: type[Any]) -> None:
        """Note a value of a type that no version of the format has; `null` stands for nothing everywhere."""
        if value is not None and not isinstance(value, types) and len(self.problems) < _MAX_PROBLEMS:
            due = " or ".join(_NAMES[kind] for kind in types)
            subject = str(at.keys[-1])
            self.problems.append(Problem(WRONG_TYPE, _ROLE, at, f"{name} is {type_name(value)}, not {due}", subject))

    def _call(self, call: Any, at: Location) -> None:
        self._odd(call, at, "a tool call", dict)
        if not isinstance(call, dict):
            return
        name, arguments = call.get("function_name"), call.get("arguments")
        if self._fits(200 + _size(name) + _size(arguments)):
            self.calls.append(ToolCall(name if isinstance(name, str) else "", arguments, at))

    def _observation(self, text: str) -> None:
        if self._fits(50 + len(text[:MAX_OBSERVATION])):
            self.observations.append(text[:MAX_OBSERVATION])

    def _fits(self, size: int) -> bool:
        """Whether there is room for so many characters; from the first time there is none, nothing fits."""
        self.room = self.room - size if 0 <= size <= self.room else -1
        return self.room >= 0


def _text(content: Any) -> str:
    """The text of a message or of an answer: itself, or its text parts put together."""
    if isinstance(content, list):
        return "".join(_text(part) for part in content if isinstance(part, dict | str))
    if isinstance(content, dict):
        content = content.get("text")
    return content if isinstance(content, str) else ""


def _answers(observation: Any) -> Iterator[str]:
    """What the tools answered in one step, whether or not it is wrapped as the format asks."""
    if not isinstance(observation, dict):
        text = _text(observation)
        if text:
            yield text
        return
    results = observation.get("results", observation)
    for result in results if isinstance(results, list) else [results]:
        content = result.get("content") if isinstance(result, dict) else result
        yield _text(content)


def _size(value: Any) -> int:
    """About how many characters `value` takes, which nests no deeper than a parser allows."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return 100 + sum(100 + len(key) + _size(item) for key, item in value.items())
    return 100 + sum(map(_size, value)) if isinstance(value, list) else 30
