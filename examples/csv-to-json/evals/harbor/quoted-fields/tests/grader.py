#!/usr/bin/env python3
"""Grade one run of an agent: one check per metric, each with a score from 0.0 to 1.0 and the reason for it.

Needs nothing but Python 3.8 or newer. Run `gradewright validate` after every change.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
import sys
from functools import cached_property
from typing import Any, NamedTuple

# A check returns `Score(0.75, "3 of 4 rows are right")`, or gives 0.0 by `raise Failed("no row is right")`.
# What it may look at; whatever is missing or cannot be read gives 0.0 with that reason:
#   run.workspace.text("output/report.md")    a file in the agent's workspace; .json(...) parsed, .data(...) raw
#   run.final_answer                          the text of the agent's last message
#   run.commands, run.tool_calls              what the agent did, in order
#   run.steps, run.agent_steps                the whole trajectory: .source, .text, .tool_calls, .output
#   run.entry.get("expected_output")          the dataset entry of this case
# Any other exception is a bug of the check: it is reported, and the run gets no score.

# What the records are. It stands here, where the agent cannot change it.
EXPECTED = [
    {"to": "Ada", "text": "Dear Ada,\nhow are the engines?"},
    {"to": "Grace", "text": 'She said "ship it", and left.'},
]


def check_rows_right(run: Run) -> Score:
    """The share of the table's rows that are in the result, each in its place."""
    expected = EXPECTED
    records = run.workspace.json("output/records.json")
    if not isinstance(records, list):
        raise Failed("records.json is not an array")
    right = sum(1 for found, wanted in zip(records, expected) if found == wanted)
    return Score(right / max(len(expected), len(records)), f"{right} of {len(expected)} rows are right")


def check_keys_right(run: Run) -> Score:
    """The share of records that have the table's columns as keys, in their order; 0.0 if there is no record."""
    columns = list(EXPECTED[0])
    records = run.workspace.json("output/records.json")
    if not isinstance(records, list) or not records:
        raise Failed("records.json holds no records")
    right = sum(1 for record in records if isinstance(record, dict) and list(record) == columns)
    return Score(right / len(records), f"{right} of {len(records)} records have the columns as keys")


# metric: (its check, its weight in the overall score)
CHECKS = {
    "rows_right": (check_rows_right, 3.0),
    "keys_right": (check_keys_right, 1.0),
}


# --- gradewright contract 1 (sha256:beeea3dbe8e9eda7) ---
# Do not edit below: this part reads the run and writes the reward. `gradewright validate` tells when it is outdated.

WORKSPACE = os.environ.get("HARBOR_WORKSPACE") or "/workspace"
TRAJECTORY = os.environ.get("HARBOR_ATIF_PATH") or "/logs/agent/trajectory.json"
ENTRY = os.environ.get("HARBOR_ENTRY_JSON") or "/tests/entry.json"
REWARD_JSON = os.environ.get("HARBOR_REWARD_JSON") or "/logs/verifier/reward.json"
REWARD_TXT = os.environ.get("HARBOR_REWARD_TXT") or "/logs/verifier/reward.txt"
REWARD_DETAILS = os.path.join(os.path.dirname(REWARD_JSON), "reward-details.json")
MAX_TRAJECTORY = 256 << 20
MAX_FILE = 64 << 20
MAX_REASON = 2000
COMMAND_ARGUMENTS = ("command", "cmd", "commands", "script", "keystrokes")
RESERVED = {
    "accuracy", "behavior_check", "details", "entry_id", "evaluation_errors", "evaluation_status", "goal_accuracy",
    "has_skill", "metric_set", "metrics", "overall", "security", "skill_efficiency", "skill_execution",
    "trajectory_source",
}  # fmt: skip


class Failed(Exception):
    """The work does not pass a check, which scores 0.0 for the reason given."""


class NotWritten(Failed):
    """Nobody has written the check yet: it scores 0.0 and says so."""


class Broken(Exception):
    """The grader or what it was started with is at fault, not the agent: there is no score."""


class Score(NamedTuple):
    """What a check found: a number from 0.0 to 1.0, and why."""

    value: float
    reason: str


class ToolCall(NamedTuple):
    """A tool the agent called."""

    name: str
    arguments: dict[str, Any]


class Step(NamedTuple):
    """A step of the trajectory; `source` is `system`, `user` or `agent`, `output` what the tools answered."""

    source: str
    text: str
    tool_calls: tuple[ToolCall, ...]
    output: str


class Workspace:
    """The agent's files. Names are relative to `root`; what cannot be read fails the check that asks for it."""

    def __init__(self, root: str) -> None:
        self.root = root

    def path(self, name: str) -> str:
        """The full path of `name`, which neither itself nor by a link may lead out of the workspace."""
        try:
            root = os.path.realpath(self.root)
            path = os.path.realpath(os.path.join(root, name))
        except (OSError, ValueError) as error:
            raise Failed(f"`{name}` cannot be looked up: {error}") from error
        if path != root and not path.startswith(root.rstrip(os.sep) + os.sep):
            raise Failed(f"`{name}` leads out of the workspace")
        return path

    def data(self, name: str) -> bytes:
        """The bytes of a regular file."""
        return _read(self.path(name), f"`{name}`", MAX_FILE)

    def text(self, name: str) -> str:
        """The content of a UTF-8 text file, without its byte order mark."""
        try:
            return self.data(name).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Failed(f"`{name}` is not UTF-8 text: {error.reason} at byte {error.start}") from error

    def json(self, name: str) -> Any:
        """The value in a JSON file; `NaN` and `Infinity` are no JSON."""
        return _parse(self.text(name), f"`{name}`", _refuse_constant)


class Run:
    """What the agent was asked and what it did; each part is read when a check first asks for it."""

    def __init__(self) -> None:
        self.workspace = Workspace(WORKSPACE)

    @cached_property
    def entry(self) -> dict[str, Any]:
        """The dataset entry of this case; empty where the platform passes none (plain Harbor)."""
        if not os.path.lexists(ENTRY):
            return {}
        try:
            entry = _parse(_read(ENTRY, "the entry", MAX_FILE).decode("utf-8-sig", "replace"), "the entry", float)
        except Failed as failure:
            raise Broken(str(failure)) from failure
        if not isinstance(entry, dict):
            raise Broken("the entry is not a JSON object")
        entry.pop("has_skill", None)  # which arm of a comparison is graded must not change the score
        return entry

    @cached_property
    def trajectory(self) -> dict[str, Any]:
        """The trajectory as parsed JSON."""
        data = _read(TRAJECTORY, "the trajectory", MAX_TRAJECTORY)
        if not data.strip():
            raise Failed("the trajectory is empty")
        value = _parse(data.decode("utf-8-sig", "replace"), "the trajectory", float)
        if not isinstance(value, dict):
            raise Failed("the trajectory is not a JSON object")
        return value

    @cached_property
    def steps(self) -> list[Step]:
        """All steps of the trajectory that can be read."""
        steps = self.trajectory.get("steps")
        if not isinstance(steps, list):
            raise Failed("the trajectory has no list of steps")
        return [_step(step) for step in steps if isinstance(step, dict)]

    @cached_property
    def agent_steps(self) -> list[Step]:
        """The steps of the agent itself; at least one."""
        steps = [step for step in self.steps if step.source == "agent"]
        if not steps:
            raise Failed("the trajectory has no step of the agent")
        return steps

    @property
    def tool_calls(self) -> list[ToolCall]:
        """All tools the agent called, in order."""
        return [call for step in self.agent_steps for call in step.tool_calls]

    @property
    def commands(self) -> list[str]:
        """All command lines the agent ran through its tools, in order."""
        values = [call.arguments.get(key) for call in self.tool_calls for key in COMMAND_ARGUMENTS]
        return [text for text in map(_command, values) if text]

    @property
    def final_answer(self) -> str:
        """The agent's last message that holds any text."""
        answers = [step.text for step in self.agent_steps if step.text.strip()]
        if answers:
            return answers[-1]
        raise Failed("the agent gave no answer")


def _read(path: str, what: str, limit: int) -> bytes:
    """The content of the regular file `path`, without waiting for a pipe or filling the memory."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb", closefd=True) as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Failed(f"{what} is not a regular file")
            data = stream.read(limit + 1)
    except FileNotFoundError as error:
        raise Failed(f"{what} is not there") from error
    except (OSError, ValueError) as error:
        raise Failed(f"{what} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > limit:
        raise Failed(f"{what} is larger than {limit >> 20} MiB")
    return data


def _parse(text: str, what: str, constant: Any) -> Any:
    try:
        return json.loads(text, parse_int=_integer, parse_constant=constant)
    except RecursionError as error:
        raise Failed(f"{what} is nested too deeply") from error
    except ValueError as error:
        raise Failed(f"{what} is not JSON: {error}") from error


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= 300 else float(digits)  # int() takes minutes for a million digits


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _step(step: dict[str, Any]) -> Step:
    calls = step.get("tool_calls")
    found = [_tool_call(call) for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    observation = step.get("observation")
    results = observation.get("results") if isinstance(observation, dict) else None
    contents = [r.get("content") for r in results if isinstance(r, dict)] if isinstance(results, list) else []
    output = "\n".join(_text(content) for content in contents)
    return Step(str(step.get("source")), _text(step.get("message")), tuple(found), output)


def _text(content: Any) -> str:
    """The text of a message: a string, a list of parts of which only the text counts, or nothing."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        text = content.get("text")
        return text if isinstance(text, str) else ""
    if isinstance(content, list):
        return "\n".join(filter(None, (_text(part) for part in content if not isinstance(part, list))))
    return ""


def _tool_call(call: dict[str, Any]) -> ToolCall:
    name, arguments = call.get("function_name"), call.get("arguments")
    if isinstance(arguments, str):
        try:
            arguments = _parse(arguments, "the arguments", float)
        except Failed:
            arguments = {"command": arguments}
    return ToolCall(name if isinstance(name, str) else "", arguments if isinstance(arguments, dict) else {})


def _command(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _check_table() -> str:
    """What is wrong with CHECKS, or nothing."""
    for name, row in CHECKS.items():
        if not isinstance(name, str) or not re.match(r"[a-z][a-z0-9_]{0,63}\Z", name) or name in RESERVED:
            return f"the metric name {name!r} is reserved or unsafe"
        if not (isinstance(row, tuple) and len(row) == 2 and _is_number(row[1]) and row[1] >= 0):
            return f"`{name}` needs a check and a weight that is not negative"
    return "" if sum(row[1] for row in CHECKS.values()) > 0 else "no metric has a weight"


def _score(check: Any, run: Run) -> Score:
    try:
        result = check(run)
    except NotWritten as failure:
        return Score(0.0, f"the check is not written yet: {failure}")
    except Failed as failure:
        return Score(0.0, str(failure) or "failed without saying why")
    if not (isinstance(result, tuple) and len(result) == 2):
        raise Broken(f"a check returns a Score, not {result!r}")
    if not _is_number(result[0]) or not 0 <= result[0] <= 1:
        raise Broken(f"a score is a number from 0.0 to 1.0, not {result[0]!r}")
    if not isinstance(result[1], str) or not result[1].strip():
        raise Broken("a score needs a reason in words")
    return Score(float(result[0]) + 0.0, result[1])


def _describe(error: BaseException) -> str:
    """One line on an exception: where in this file it was raised, and what it says."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == __file__:
            line = trace.tb_lineno
        trace = trace.tb_next
    from traceback import format_exception_only

    return f"bug in the check, line {line}: {' '.join(format_exception_only(type(error), error)).strip()}"


def _clean(text: str) -> str:
    """`text` as any JSON parser takes it, at a length that people read."""
    return text[:MAX_REASON].encode("utf-8", "replace").decode("utf-8")


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        from shutil import rmtree

        rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def _write(texts: dict[str, str]) -> None:
    """Write all files or none; each appears whole."""
    staged = {path: f"{path}.{os.getpid()}.tmp" for path in texts}
    try:
        for path, text in texts.items():
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            _remove(staged[path])
            with open(staged[path], "x", encoding="ascii", newline="\n") as stream:
                stream.write(text)
        for path, temporary in staged.items():
            os.replace(temporary, path)
    except BaseException:
        for path in [*staged.values(), *texts]:
            if os.path.lexists(path):
                _remove(path)
        raise


def _dump(value: Any) -> str:
    return json.dumps(value, indent=2, allow_nan=False) + "\n"


def _grade(run: Run, flat: bool) -> tuple[dict[str, str], bool]:
    """The files to write, and whether the grader has a bug."""
    scores: dict[str, Score] = {}
    bugs: dict[str, str] = {}
    problem = _check_table()
    if problem:
        bugs["CHECKS"] = "bug in the table of checks: " + problem
    for name, (check, _weight) in {} if problem else CHECKS.items():
        try:
            scores[name] = _score(check, run)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a bug of one check must not hide the others
            bugs[name] = _describe(error)
    details: dict[str, Any] = {n: {"score": s.value, "reason": _clean(s.reason)} for n, s in scores.items()}
    details.update((name, {"reason": _clean(text)}) for name, text in bugs.items())
    for name, text in bugs.items():
        sys.stderr.write(f"grader: {name!a}: {_clean(text)!a}\n")
    if bugs:
        return {REWARD_DETAILS: _dump(details)} if flat else {REWARD_JSON: _dump({"details": details})}, True
    total = math.fsum(CHECKS[name][1] for name in scores)
    overall = round(math.fsum(CHECKS[name][1] * score.value for name, score in scores.items()) / total, 9)
    values = {name: score.value for name, score in scores.items()}
    number = json.dumps(overall) + "\n"
    if flat:
        reward = _dump({"overall": overall, **values})
        return {REWARD_DETAILS: _dump(details), REWARD_TXT: number, REWARD_JSON: reward}, False
    nested = {"overall": overall, "custom_metrics": values, "details": details}
    return {REWARD_TXT: number, REWARD_JSON: _dump(nested)}, False


def main(arguments: list[str]) -> int:
    """Grade, and write the reward: nested as SkillEvaluator reads it, or flat as plain Harbor does (`--harbor`)."""
    try:
        for path in (REWARD_JSON, REWARD_TXT, REWARD_DETAILS):
            _remove(path)
        if arguments not in ([], ["--harbor"]):
            sys.stderr.write("usage: grader.py [--harbor]\n")
            return 2
        texts, buggy = _grade(Run(), flat=bool(arguments))
        _write(texts)
    except OSError as error:
        sys.stderr.write(f"grader: the reward cannot be written: {str(error)!a}\n")
        return 1
    return 1 if buggy else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
# --- end of gradewright contract ---
