"""Records of agents' runs: without a part of what the agent did, with words of ours, and in odd shapes."""

import copy
import json
from collections.abc import Callable
from typing import Any, NamedTuple

from gradewright.contract import TRAJECTORY
from gradewright.prove.content import nested
from gradewright.prove.edit import content
from gradewright.prove.stage import Stage

Record = dict[str, Any]
MAX_RECORD = 16 << 20
"""Bytes of a recorded trajectory that is changed; a larger one is left as it is."""

UNRELATED = "This answer has nothing to do with the task."
_BYTES = 12 << 20
_DEPTH = 100_000


def record(stage: Stage) -> Record | None:
    """The trajectory on `stage`; None if there is none with a list of steps."""
    data = content(stage, TRAJECTORY, MAX_RECORD)
    try:
        value = json.loads(data) if data else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("steps"), list) else None


def dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


def has_answer(trajectory: Record) -> bool:
    return any(_has_text(step) for step in _agent_steps(trajectory))


def has_calls(trajectory: Record) -> bool:
    return any(step.get("tool_calls") for step in _agent_steps(trajectory))


def without_answer(trajectory: Record) -> Record:
    """The same without the last text of the agent."""
    new = copy.deepcopy(trajectory)
    last = [step for step in _agent_steps(new) if _has_text(step)]
    for step in last[-1:]:
        step["message"] = ""
    return new


def with_unrelated_answers(trajectory: Record) -> Record:
    """The same with another text in place of each of the agent's."""
    new = copy.deepcopy(trajectory)
    for step in _agent_steps(new):
        if _has_text(step):
            step["message"] = UNRELATED
    return new


def without_calls(trajectory: Record) -> Record:
    """The same without any tool call and what the tools answered."""
    new = copy.deepcopy(trajectory)
    for step in _agent_steps(new):
        step.pop("tool_calls", None)
        step.pop("observation", None)
    return new


def said(trajectory: Record | None, text: str) -> Record:
    """The same, or the record of a run that did nothing, with `text` as the agent's last message and a command."""
    new = copy.deepcopy(trajectory) if trajectory is not None else idle()
    call = {"tool_call_id": "said", "function_name": "bash", "arguments": {"command": f"echo {text}"}}
    results = [{"source_call_id": "said", "content": text}]
    step = {"source": "agent", "message": text, "tool_calls": [call], "observation": {"results": results}}
    new["steps"].append({"step_id": len(new["steps"]) + 1, **step})
    return new


def _with_step(trajectory: Record, *, source: str = "agent", **parts: Any) -> bytes:
    """The same with one more step, as the first, so that what the agent said last stays the last."""
    steps = [{"step_id": 1, "source": source, **parts}, *trajectory["steps"]]
    numbered = [step | {"step_id": at} if isinstance(step, dict) else step for at, step in enumerate(steps, 1)]
    return dumped(trajectory | {"steps": numbered})


def idle() -> Record:
    """The record of a run that did nothing."""
    steps = [{"step_id": 1, "source": "user", "message": "?"}]
    return {"schema_version": "ATIF-v1.4", "agent": {"name": "gradewright", "version": "1"}, "steps": steps}


def _agent_steps(trajectory: Record) -> list[Record]:
    return [step for step in trajectory["steps"] if isinstance(step, dict) and step.get("source") == "agent"]


def _has_text(step: Record) -> bool:
    message = step.get("message")
    if isinstance(message, list):
        return any(isinstance(part, dict) and str(part.get("text") or "").strip() for part in message)
    return isinstance(message, str) and bool(message.strip())


def _in_parts(trajectory: Record) -> bytes:
    new = copy.deepcopy(trajectory)
    for step in _agent_steps(new):
        if isinstance(step.get("message"), str):
            step["message"] = [{"type": "text", "text": step["message"]}]
    return dumped(new)


def _answered(content: Any) -> Record:
    """The parts of a step in which a tool gave an answer."""
    return {"message": "", "observation": {"results": [{"content": content}]}}


class Form(NamedTuple):
    """A form of a trajectory: `what` is odd about it, and how it is made of one. `whole` tells that it is still the
    record of the same work."""

    what: str
    make: Callable[[Record], bytes]
    whole: bool = False


FORMS = {
    "empty": Form("is empty", lambda _: b""),
    "broken": Form("breaks off in the middle", lambda record: dumped(record)[: len(dumped(record)) // 2]),
    "array": Form("holds a list instead of an object", lambda _: b"[1, null]"),
    "null": Form("holds `null`", lambda _: b"null"),
    "no-steps": Form("has no steps", lambda record: dumped(record | {"steps": []})),
    "odd-steps": Form(
        "has steps that are no objects",
        lambda record: dumped(record | {"steps": [None, 1, "x", [], {"source": 7, "message": {}}]}),
    ),
    "deep": Form("is nested too deeply for a parser", lambda _: b'{"steps": ' + nested(_DEPTH) + b"}"),
    "latin-1": Form(
        "is not UTF-8", lambda record: _with_step(record, message="caf@", source="user").replace(b"caf@", b"caf\xe9")
    ),
    "parts": Form("has its messages as lists of parts", _in_parts, whole=True),
    "nulls": Form(
        "has a step with `null` in place of its parts",
        lambda record: _with_step(record, message=None, tool_calls=None, observation=None),
        whole=True,
    ),
    "null-content": Form(
        "has a tool's answer that is `null`", lambda record: _with_step(record, **_answered(None)), whole=True
    ),
    "text-arguments": Form(
        "has a tool call whose arguments are a text",
        lambda record: _with_step(record, message="", tool_calls=[{"function_name": "bash", "arguments": "ls"}]),
        whole=True,
    ),
    "surrogate": Form(
        "has half of a surrogate pair in a message",
        lambda record: _with_step(record, message="a\ud800b", source="user"),
        whole=True,
    ),
    "megabytes": Form(
        f"has {_BYTES >> 20} MB of a tool's answer",
        lambda record: _with_step(record, **_answered("word " * (_BYTES // 5))),
        whole=True,
    ),
}
"""All that agents record, or what is left of it: no grader may stumble over any of these."""
