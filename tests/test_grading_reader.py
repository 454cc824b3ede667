"""Grading files as models write them: whatever is in them, they are read within bounds, and judged without a crash."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradewright.check import check_paths
from gradewright.finding import Finding
from gradewright.model import Grading, Problem
from gradewright.read.skill.grading import read_grading
from gradewright.settings import Settings

KEYS = st.sampled_from(
    ["expectations", "text", "passed", "evidence", "summary", "failed", "total", "pass_rate", "met", "results",
     "assertion_results", "name", "details", "", "\ud800", "Passed", "expectatons", "x" * 200]
)  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**400)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=20
)


def write(folder: Path, value: Any) -> Path:
    path = folder / "with_skill" / "run-1" / "grading.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def read(folder: Path, value: Any) -> tuple[Grading | None, list[Problem]]:
    problems: list[Problem] = []
    return read_grading(str(write(folder, value)), problems), problems


def judged(path: Path) -> list[Finding]:
    return list(check_paths([str(path)], Settings()).findings)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=6) | VALUES)
def test_any_value_is_read_and_judged(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    judged(write(tmp_path_factory.mktemp("grading"), value))


@pytest.mark.parametrize("metadata", ["", "[]", "{", '{"expectations": 3}', '{"assertions": [null, {"text": 5}, "a"]}'])
def test_whatever_is_announced(tmp_path: Path, metadata: str) -> None:
    path = write(tmp_path, {"expectations": []})
    (tmp_path / "eval_metadata.json").write_text(metadata, encoding="utf-8")
    assert [finding.rule.code for finding in judged(path)] == (["GJ007"] if '"a"' in metadata else [])


@pytest.mark.parametrize("text", ["", "null", "[1]", "{", "\ufeff{}", "```json\n{}\n```", '{"a":' * 200, "\0"])
def test_what_cannot_be_taken_in_is_counted(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    write(tmp_path / "eval-1", {"expectations": []})
    assert check_paths([str(path)], Settings()).gradings == 1
    assert check_paths([str(tmp_path / "eval-1"), str(path)], Settings()).gradings == 2


def test_a_value_under_another_name_is_taken(tmp_path: Path) -> None:
    item = {"name": "It adds up", "Met": True, "details": "line 3"}
    grading, problems = read(tmp_path, {"results": [item]})
    assert grading and grading.complete
    [verdict] = grading.verdicts
    assert (verdict.text, verdict.passed, verdict.evidence, grading.passed) == ("It adds up", True, "line 3", 1)
    assert [problem.nearest for problem in problems] == ["expectations", "passed", "text", "evidence"]


@pytest.mark.parametrize("number", [True, "3", None, [], float("nan"), float("inf"), 10**400])
def test_what_is_no_number_is_no_counter(tmp_path: Path, number: Any) -> None:
    grading, problems = read(tmp_path, {"expectations": [], "summary": {"total": number}, "passed": number})
    assert grading and grading.counters == ()
    assert [problem.subject for problem in problems] == ["counter"]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"expectations": [{}] * 100_000}),
        json.dumps({"expectations": [{f"k{number}": number for number in range(100_000)}] * 3}),
        json.dumps({f"expectation{number}": [] for number in range(100_000)}),
        json.dumps({"expectations": [1] * 200_000, "summary": {f"s{number}": 1 for number in range(50_000)}}),
        "[" * 100_000,
        '{"expectations": ' * 50_000,
        "```json\n" * 100_000,
    ],
    ids=["items", "keys", "lists", "numbers", "deep", "deeper", "fences"],
)
def test_large_files_take_no_longer_than_a_moment(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    start = time.process_time()
    found = judged(path)
    assert 0 < len(found) <= 60
    assert time.process_time() - start < 4


def test_a_large_tree_is_read_only_where_gradings_belong(tmp_path: Path) -> None:
    for number in range(300):
        folder = tmp_path / f"eval-{number}" / "with_skill" / "outputs" / "deep" / "run-1"
        folder.mkdir(parents=True)
        (folder / "grading.json").write_text("{")
    write(tmp_path / "eval-0", "{")
    (tmp_path / "eval-1" / "without_skill").symlink_to(tmp_path)
    (tmp_path / "eval-2" / "with_skill" / "grading.json").symlink_to("grading.json")
    assert [finding.rule.code for finding in check_paths([str(tmp_path)], Settings()).findings] == ["GJ001", "RD005"]
