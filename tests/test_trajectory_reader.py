"""Trajectories as agents really leave them, odd ones included."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradewright.contract import MAX_STEP, MAX_TRAJECTORY
from gradewright.model import Problem, ToolCall, Trajectory
from gradewright.read.data.json_parts import split_object
from gradewright.read.trajectory import MAX_KEPT, MAX_OBSERVATION, read_trajectory

USER: dict[str, Any] = {"step_id": 1, "source": "user", "message": "Add up the USD rows"}
AGENT: dict[str, Any] = {
    "step_id": 2,
    "source": "agent",
    "message": 'Reading the file first, so that {brackets] in a "text" are seen.',
    "tool_calls": [{"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "cat in/ledger.csv"}}],
    "observation": {"results": [{"source_call_id": "c1", "content": "date,usd\n1,412.50"}]},
    "metrics": {"prompt_tokens": 10, "extra": {"ids": [1, 2, 3]}},
}
ANSWER: dict[str, Any] = {"step_id": 3, "source": "agent", "message": "The USD total is 412.50", "tool_calls": None}
WHOLE: dict[str, Any] = {
    "schema_version": "ATIF-v1.6",
    "agent": {"name": "sample", "version": "1.0", "extra": {"tools": [{"a": []}]}},
    "steps": [USER, AGENT, ANSWER],
    "final_metrics": {"total_steps": 3},
    "subagent_trajectories": [{"steps": [ANSWER, ANSWER]}],
}


def read(path: Path, content: str | bytes) -> tuple[Trajectory | None, list[Problem]]:
    path = path / "trajectory.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    problems: list[Problem] = []
    return read_trajectory(str(path), problems), problems


def steps(*items: Any) -> str:
    return json.dumps({"steps": items})


@pytest.mark.parametrize("indent", [None, 2])
def test_a_sound_trajectory(tmp_path: Path, indent: int | None) -> None:
    facts, problems = read(tmp_path, json.dumps(WHOLE, indent=indent))
    assert facts and problems == []
    assert (facts.steps, facts.agent_steps, facts.final_text) == (3, 2, "The USD total is 412.50")
    assert [(call.name, call.arguments) for call in facts.calls] == [("bash", {"command": "cat in/ledger.csv"})]
    assert facts.calls[0].at.keys == ("steps", 1, "tool_calls", 0)
    assert facts.observations == ("date,usd\n1,412.50",)
    assert facts.complete


def test_no_file_is_no_problem(tmp_path: Path) -> None:
    problems: list[Problem] = []
    assert read_trajectory(str(tmp_path / "gone.json"), problems) is None
    assert problems == []


REFUSED = [
    ("zero bytes", "", "empty"),
    ("blank", " \n", "empty"),
    ("truncated", json.dumps(WHOLE)[:300], "syntax"),
    ("truncated in a text", '{"steps": [{"message": "Add up the USD r', "syntax"),
    ("broken step", '{"steps": [{"source": agent}]}', "syntax"),
    ("broken elsewhere", '{"agent": {name: 1}, "steps": []}', "syntax"),
    ("wrong brackets", '{"steps": [{"a": 1]}}', "syntax"),
    ("two values", "{} {}", "syntax"),
    ("trailing comma", '{"steps": [{"source": "agent",}]}', "trailing-comma"),
    ("comment", '{"steps": [] /* none */}', "comment"),
    ("BOM", "\ufeff{}", "bom"),
    ("root array", json.dumps([WHOLE]), "not-an-object"),
    ("null", "null", "not-an-object"),
    ("number", "1", "not-an-object"),
    ("Latin-1", b'{"steps": [{"source": "agent", "message": "r\xe9sum\xe9 412.50"}]}', "not-utf8"),
    ("Latin-1 elsewhere", b'{"session": "r\xe9", "steps": []}', "not-utf8"),
    ("UTF-16", json.dumps(WHOLE).encode("utf-16"), ""),
]


@pytest.mark.parametrize("case", REFUSED, ids=[case[0] for case in REFUSED])
def test_what_no_grader_can_parse(case: tuple[str, str | bytes, str], tmp_path: Path) -> None:
    facts, problems = read(tmp_path, case[1])
    assert facts is None
    kinds = {problem.kind for problem in problems} - ({"missing-key"} if case[2] == "bom" else set())
    assert kinds == {case[2]} if case[2] else kinds
    assert {problem.role for problem in problems} == {"trajectory"}


ODD: list[tuple[str, Any, int, int, str, list[str]]] = [
    # name, the record, its steps, its agent steps, its final text, kinds of problem
    ("steps null", {"steps": None}, 0, 0, "", ["wrong-type"]),
    ("steps object", {"steps": {"1": {"source": "agent"}}}, 0, 0, "", ["wrong-type"]),
    ("steps missing", {}, 0, 0, "", ["missing-key"]),
    ("steps empty", {"steps": []}, 0, 0, "", []),
    ("no agent step", {"steps": [USER]}, 1, 0, "", []),
    ("step is text", {"steps": [USER, "The USD total is 412.50", [], AGENT]}, 4, 1, AGENT["message"],
     ["wrong-type", "wrong-type"]),
    ("step null", {"steps": [None, {}, ANSWER]}, 3, 1, ANSWER["message"], []),
    ("message null", {"steps": [USER, {"source": "agent", "message": None, "tool_calls": None}]}, 2, 1, "", []),
    ("last message null", {"steps": [ANSWER, {"source": "agent", "message": None}]}, 2, 2, ANSWER["message"], []),
    ("last message blank", {"steps": [ANSWER, {"source": "agent", "message": "\n"}]}, 2, 2, ANSWER["message"], []),
    ("message parts", {"steps": [{"source": "agent", "message": [
        {"type": "text", "text": "The USD total is "}, {"type": "image", "source": {"path": "x.png"}},
        {"type": "text", "text": "412.50"}, None, "!", {"text": None}]}]}, 1, 1, "The USD total is 412.50!", []),
    ("message number", {"steps": [{"source": "agent", "message": 412.5}]}, 1, 1, "", ["wrong-type"]),
    ("calls", {"steps": [{"source": "agent", "tool_calls": {"a": 1}}, {"source": "agent", "tool_calls": [1, None]}]},
     2, 2, "", ["wrong-type", "wrong-type"]),
    ("surrogate", {"steps": [{"source": "agent", "message": "total \ud800 412.50"}]}, 1, 1, "total \ud800 412.50", []),
]  # fmt: skip


@pytest.mark.parametrize("case", ODD, ids=[case[0] for case in ODD])
def test_odd_records(case: tuple[str, Any, int, int, str, list[str]], tmp_path: Path) -> None:
    facts, problems = read(tmp_path, json.dumps(case[1]))
    assert facts
    assert (facts.steps, facts.agent_steps, facts.final_text) == case[2:5]
    assert [problem.kind for problem in problems] == case[5]


def test_odd_calls_and_answers(tmp_path: Path) -> None:
    calls = [{"function_name": None, "arguments": "ls"}, {"arguments": None}, {"function_name": 1}]
    answers = [{"results": [{"content": None}, {"content": [{"text": "a"}, {"text": "b"}]}, "c", None]},
               {"results": None}, {"results": {"content": "d"}}, {"content": "e"}, "f", None, 7]  # fmt: skip
    facts, _ = read(tmp_path, steps({"tool_calls": calls}, *({"observation": answer} for answer in answers)))
    assert facts
    assert [(call.name, call.arguments) for call in facts.calls] == [("", "ls"), ("", None), ("", None)]
    assert facts.observations == ("", "ab", "c", "", "", "d", "e", "f")


def test_the_last_of_repeated_steps_counts(tmp_path: Path) -> None:
    facts, problems = read(
        tmp_path, '{"steps": [{"source": "agent"}], "steps": [{"message": ""}, {"source": "agent"}]}'
    )
    assert facts and (facts.steps, facts.agent_steps) == (2, 1)
    assert [problem.kind for problem in problems] == ["duplicate-key"]


def test_places_of_faults(tmp_path: Path) -> None:
    text = json.dumps(WHOLE, indent=2)
    line = next(number for number, row in enumerate(text.split("\n"), 1) if '"step_id": 3' in row)
    _, problems = read(tmp_path, text.replace('"step_id": 3', '"step_id": x', 1))
    assert [(problem.kind, problem.at.line) for problem in problems] == [("syntax", line)]
    last = text.count("\n") + 1
    _, problems = read(tmp_path, text[:-1] + ",}")
    assert [(problem.kind, problem.at.line) for problem in problems] == [("trailing-comma", last)]


def test_only_a_bounded_part_is_kept(tmp_path: Path) -> None:
    step = {"tool_calls": [{"function_name": "w", "arguments": {"t": "x" * 100_000}}], "observation": "y" * 9_000}
    facts, problems = read(tmp_path, steps(*[step] * 100, ANSWER))
    assert facts and problems == []
    assert not facts.complete
    assert 0 < len(facts.calls) <= MAX_KEPT // 100_000
    assert {len(text) for text in facts.observations} == {MAX_OBSERVATION}
    assert (facts.steps, facts.final_text) == (101, ANSWER["message"])


def test_a_step_too_large_is_counted_and_skipped(tmp_path: Path) -> None:
    facts, problems = read(tmp_path, steps(USER, {"source": "agent", "message": "x" * MAX_STEP}, ANSWER))
    assert facts and (facts.steps, facts.agent_steps) == (3, 1)
    assert [problem.kind for problem in problems] == ["oversized"]


def large(step: str) -> bytes:
    step += ",\n"
    return ('{"steps": [' + step * (60_000_000 // len(step.encode())) + json.dumps(ANSWER) + "]}").encode()


HONEST = {"prose", "token ids", "escapes"}
BOMBS: dict[str, Callable[[], bytes]] = {
    "prose": lambda: large(json.dumps({**AGENT, "observation": "é, 👍 " * 2_000}, ensure_ascii=False)),
    "token ids": lambda: large(json.dumps({"source": "agent", "metrics": {"ids": list(range(9_000))}})),
    "escapes": lambda: large(json.dumps({"source": "agent", "message": '\n\t"' * 50_000})),
    "one text": lambda: b'{"steps": [{"message": "' + b"x" * 60_000_000 + b'"}]}',
    "numbers": lambda: b'{"steps": [' + b"1," * 30_000_000 + b"1]}",
    "letters": lambda: b"a" * 60_000_000,
    "quotes": lambda: b'"' * 60_000_000,
    "open quote": lambda: b'{"steps": ["' + b"x" * 60_000_000,
    "objects": lambda: b'{"steps": [' + b"{}," * 20_000_000 + b"{}]}",
    "open": lambda: b'{"steps": [' + b"[" * 60_000_000,
    "close": lambda: b"]" * 60_000_000,
    "broken steps": lambda: b'{"steps": [' + b"{x}," * 400_000 + b"{}]}",
    "deep steps": lambda: b'{"steps": [' + (b"[" * 200 + b"]" * 200 + b",") * 4_000 + b"{}]}",
    "wrong steps": lambda: b'{"steps": [' + b"[]," * 200_000 + b"{}]}",
    "line breaks": lambda: b'{"steps": [{' + b"\n" * 60_000_000 + b"}]}",
    "spaces": lambda: b'{"steps"' + b" " * 60_000_000 + b": [{}]}",
    "too large": lambda: b" " * (MAX_TRAJECTORY + 1),
}


MEASURED = """
import sys, time
from gradewright.read.trajectory import read_trajectory
problems = []
start = time.process_time()
facts = read_trajectory(sys.argv[1], problems)
seconds = time.process_time() - start
try:
    memory = int(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0]) * 1024
except OSError:
    memory = 0
print(seconds, memory, len(problems), facts and facts.final_text)
"""
"""Measures in a process of its own; where the system has no `/proc` only the time."""


@pytest.mark.parametrize("name", BOMBS)
def test_large_files_are_cheap(name: str, tmp_path: Path) -> None:
    path = tmp_path / "trajectory.json"
    path.write_bytes(BOMBS[name]())
    command = [sys.executable, "-W", "error", "-c", MEASURED, str(path)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, memory, number, text = output.rstrip("\n").split(" ", 3)
    assert (text, number) == (ANSWER["message"], "0") if name in HONEST else 0 < int(number) <= 100
    assert float(seconds) < 3
    assert int(memory) < 200 << 20


PIECES = st.sampled_from(
    [*'[]{}",:\\\n/#1', '"steps"', '"steps": [', "\ufeff", "null", '"source": "agent"', "\\ud800", "//", "/*", "\0",
     '"message": ', "NaN", "1e999", '"\\"steps": [', '"\\u0073teps": [{}],']
)  # fmt: skip
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9), st.lists(PIECES, max_size=4)), max_size=5)


@given(EDITS, st.sampled_from([None, 1]))
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_crash_and_as_python_reads(tmp_path: Path, edits: list[tuple[float, int, list[str]]], indent: Any) -> None:
    text = json.dumps(WHOLE, indent=indent)
    for place, cut, pieces in edits:
        at = int(place * len(text))
        text = text[:at] + "".join(pieces) + text[at + cut :]
    compare(tmp_path, text.encode())


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text('ab"\\[]{},:é\ud800', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["steps", "source", "message", "text", "tool_calls", "arguments", "observation", "results",
                             "content", 'x"steps', ""]), inner, max_size=5)
    ),
    max_leaves=30,
)  # fmt: skip


@given(VALUES, st.lists(VALUES, max_size=4), st.sampled_from([None, 1]))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value(tmp_path: Path, value: Any, items: list[Any], indent: Any) -> None:
    record = {**value, "steps": items} if isinstance(value, dict) else value
    compare(tmp_path, json.dumps(record, indent=indent).encode())


def compare(folder: Path, content: bytes) -> None:
    """What Python can parse to an object has as many steps for us; what it cannot is refused."""
    facts, problems = read(folder, content)
    try:
        value = json.loads(content.decode())
    except ValueError:
        value = None
    assert (facts is None) == (not isinstance(value, dict)), problems
    assert facts is not None or problems
    if facts and "\\u0073teps" not in content.decode():
        there = value.get("steps")
        assert facts.steps == (len(there) if isinstance(there, list) else 0)
        assert all(isinstance(call, ToolCall) for call in facts.calls)


def test_a_skeleton_keeps_the_lines() -> None:
    data = b'{"a": {\n},\n"steps": [1, {\n\n}, [\n], "}"],\n"b": [{\n}]}'
    parts = split_object(data, b"steps")
    assert [data[start:end] for start, end in parts.items] == [b"{\n\n}", b"[\n]"]
    assert parts.skeleton == data.replace(b"[{\n}]", b"[\n]")
    assert parts.closed
