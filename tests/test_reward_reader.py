"""What each platform makes of a reward file, row by row, and by Harbor's own parser where it is installed."""

import json
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradewright.model import Problem, Reward
from gradewright.read.reward import read_reward

TARGETS = ("harbor", "skillevaluator")
GOOD = '{"overall": 0.92, "custom_metrics": {"repair": 1.0}, "details": {"repair": {"score": 1.0, "reason": "ok"}}}'
FLAT = '{"overall": 0.92, "repair": 1}'


def nothing(kind: str) -> tuple[str, None, set[str]]:
    return ("invalid", None, {kind})


Answer = tuple[str, float | None, set[str]]
ROWS: list[tuple[str, str | bytes | None, str | bytes | None, Answer, Answer]] = [
    # name, reward.json, reward.txt, Harbor's answer, SkillEvaluator's answer: state, overall, kinds of problem
    ("flat", FLAT, None, ("score", 0.92, set()), ("score", 0.92, set())),
    ("flat with text", FLAT, "0.92\n", ("score", 0.92, set()), ("score", 0.92, set())),
    ("nested", GOOD, None, nothing("nested"), ("score", 0.92, set())),
    ("nested with text", GOOD, "0.92", nothing("nested"), ("score", 0.92, set())),
    ("single key", '{"reward": 1}', None, ("score", 1.0, set()), ("score", None, set())),
    ("single key of any name", '{"tests": 7}', "1", ("score", 7.0, set()), nothing("out-of-range")),
    ("raw counts", '{"passed": 7, "failed": 2}', None, ("score", None, set()), nothing("out-of-range")),
    ("all zero", '{"a": 0, "b": 0.0}', None, ("zero", None, set()), ("zero", None, set())),
    ("zero", '{"overall": 0, "a": 1}', None, ("zero", 0.0, set()), ("zero", 0.0, set())),
    ("minus zero", '{"overall": -0.0}', None, ("zero", 0.0, set()), ("zero", 0.0, set())),
    ("metrics only", '{"custom_metrics": {"a": 0.5}}', None, nothing("nested"), ("score", None, set())),
    ("metrics and text", '{"custom_metrics": {"a": 0.5}}', "0.7", nothing("nested"), ("score", 0.7, set())),
    ("bare number", "0.9", "0.9", nothing("not-an-object"), nothing("not-an-object")),
    ("list", "[0.9]", None, nothing("not-an-object"), nothing("not-an-object")),
    ("null", "null", None, nothing("not-an-object"), nothing("not-an-object")),
    ("text", '"0.9"', None, nothing("not-an-object"), nothing("not-an-object")),
    ("true", '{"overall": true}', None, ("score", 1.0, {"boolean"}), nothing("boolean")),
    ("true beside text", '{"overall": true}', "0.4", ("score", 1.0, {"boolean", "disagreement"}),
     ("score", 0.4, {"boolean"})),
    ("false", '{"a": false}', None, ("zero", 0.0, {"boolean"}), nothing("boolean")),
    ("a true metric", '{"overall": 0.5, "a": true}', None, ("score", 0.5, {"boolean"}), ("score", 0.5, {"boolean"})),
    ("numeric text", '{"overall": "0.8"}', None, nothing("non-numeric"), nothing("non-numeric")),
    ("numeric text beside text", '{"overall": "0.8"}', "0.8", nothing("non-numeric"),
     ("score", 0.8, {"non-numeric"})),
    ("a metric in quotes", '{"overall": 0.8, "custom_metrics": {"a": "0.8"}}', None,
     ("invalid", None, {"nested"}), ("score", 0.8, {"non-numeric"})),
    ("a note", '{"overall": 0.8, "reason": "fine"}', None, nothing("non-numeric"), ("score", 0.8, set())),
    ("null value", '{"overall": null}', None, nothing("non-numeric"), nothing("non-numeric")),
    ("NaN", '{"overall": NaN}', "1", nothing("non-finite"), nothing("non-finite")),
    ("Infinity", '{"overall": Infinity}', None, nothing("non-finite"), nothing("non-finite")),
    ("-Infinity", '{"overall": 0.5, "a": -Infinity}', None, nothing("non-finite"), nothing("non-finite")),
    ("1e400", '{"overall": 1e400}', None, nothing("non-finite"), nothing("non-finite")),
    ("a NaN metric", '{"overall": 1, "custom_metrics": {"a": NaN}}', None, nothing("nested"), nothing("non-finite")),
    ("huge integer", '{"overall": 1%s}' % ("0" * 400), None, nothing("non-finite"), nothing("non-finite")),
    ("5,000 digits", '{"overall": %s}' % ("9" * 5000), None, nothing("syntax"), nothing("syntax")),
    ("seven", '{"overall": 7}', None, ("score", 7.0, set()), nothing("out-of-range")),
    ("minus one", '{"overall": -1}', None, ("score", -1.0, set()), nothing("out-of-range")),
    ("duplicate keys", '{"overall": 0.1, "overall": 0.9}', None, ("score", 0.9, {"duplicate-key"}),
     ("score", 0.9, {"duplicate-key"})),
    ("empty object", "{}", "0.9", ("none", None, {"empty"}), ("score", 0.9, set())),
    ("empty object alone", "{}", None, ("none", None, {"empty"}), ("none", None, {"empty"})),
    ("details alone", '{"details": {}}', None, nothing("nested"), ("none", None, {"empty"})),
    ("metrics as a list", '{"overall": 1, "custom_metrics": [1]}', None, nothing("nested"),
     ("score", 1.0, {"not-an-object"})),
    ("empty file", "", "0.9", nothing("empty"), nothing("empty")),
    ("blank file", " \n\t", "0.9", nothing("empty"), nothing("empty")),
    ("BOM", "\ufeff" + FLAT, "0.9", nothing("bom"), nothing("bom")),
    ("fence", f"```json\n{FLAT}\n```\n", "0.9", nothing("syntax"), nothing("syntax")),
    ("truncated", '{"overall": 0.9', "0.9", nothing("syntax"), nothing("syntax")),
    ("trailing comma", '{"overall": 0.9,}', "0.9", nothing("trailing-comma"), nothing("trailing-comma")),
    ("comment", '{"overall": 0.9} // ok', "0.9", nothing("comment"), nothing("comment")),
    ("UTF-16", FLAT.encode("utf-16"), "0.9", nothing("not-utf8"), nothing("not-utf8")),
    ("Latin-1", b'{"r\xe9sum\xe9": 1}', None, nothing("not-utf8"), nothing("not-utf8")),
    ("CRLF", '{\r\n"overall": 0.5\r\n}\r\n', None, ("score", 0.5, set()), ("score", 0.5, set())),
    ("surrogate key", '{"\\ud800": 1}', None, ("score", 1.0, set()), ("score", None, set())),
    ("disagreement", '{"overall": 0.9}', "0.2", ("score", 0.9, {"disagreement"}), ("score", 0.9, {"disagreement"})),
    ("rounded", '{"overall": 0.91666}', "0.92", ("score", 0.91666, set()), ("score", 0.91666, set())),
    ("junk beside a good file", '{"overall": 0.9}', "pass", ("score", 0.9, set()), ("score", 0.9, set())),
    ("neither", None, None, ("none", None, set()), ("none", None, set())),
    ("txt 1", None, " 1 ", ("score", 1.0, set()), ("score", 1.0, set())),
    ("txt 0", None, "0\n", ("zero", 0.0, set()), ("zero", 0.0, set())),
    ("txt CRLF", None, "0.5\r\n", ("score", 0.5, set()), ("score", 0.5, set())),
    ("txt exponent", None, "7.5e-1", ("score", 0.75, set()), ("score", 0.75, set())),
    ("txt 1_0", None, "1_0", ("score", 10.0, set()), nothing("out-of-range")),
    ("txt percent", None, "85%", nothing("non-numeric"), nothing("non-numeric")),
    ("txt comma", None, "0,8", nothing("non-numeric"), nothing("non-numeric")),
    ("txt pass", None, "pass", nothing("non-numeric"), nothing("non-numeric")),
    ("txt two lines", None, "1\n0.5\n", nothing("non-numeric"), nothing("non-numeric")),
    ("txt BOM", None, "\ufeff1", nothing("non-numeric"), nothing("non-numeric")),
    ("txt UTF-16", None, "1".encode("utf-16"), nothing("not-utf8"), nothing("not-utf8")),
    ("txt NUL", None, "1\0", nothing("not-utf8"), nothing("not-utf8")),
    ("txt empty", None, "", nothing("empty"), nothing("empty")),
    ("txt blank", None, "\n", nothing("empty"), nothing("empty")),
    ("txt nan", None, "nan", nothing("non-finite"), nothing("non-finite")),
    ("txt infinity", None, "-inf", nothing("non-finite"), nothing("non-finite")),
    ("txt 1e400", None, "1e400", nothing("non-finite"), nothing("non-finite")),
    ("txt negative", None, "-1", ("score", -1.0, set()), nothing("out-of-range")),
]  # fmt: skip


def put(folder: Path, reward: str | bytes | None, text: str | bytes | None) -> str:
    for name, content in (("reward.json", reward), ("reward.txt", text)):
        if content is None:
            (folder / name).unlink(missing_ok=True)
        else:
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(folder)


def read(folder: str, target: str) -> tuple[Reward, list[Problem]]:
    problems: list[Problem] = []
    return read_reward(folder, problems, target=target), problems


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_the_table(row: tuple[Any, ...], target: str, tmp_path: Path) -> None:
    reward, problems = read(put(tmp_path, row[1], row[2]), target)
    state, overall, kinds = row[3 + TARGETS.index(target)]
    assert (reward.state, reward.overall, {problem.kind for problem in problems}) == (state, overall, kinds)
    assert {problem.role for problem in problems} <= {"reward"}
    assert all(problem.detail and problem.at.path.startswith(str(tmp_path)) for problem in problems)


def test_metrics_details_and_places(tmp_path: Path) -> None:
    reward, _ = read(put(tmp_path, GOOD, None), "skillevaluator")
    assert reward.metrics == {"repair": 1.0}
    assert reward.details == {"repair": {"score": 1.0, "reason": "ok"}}
    assert (reward.shape, reward.keys) == ("nested", ("overall", "custom_metrics", "details"))
    reward, problems = read(
        put(tmp_path, '{"overall": 2, "custom_metrics": {"a": NaN, "b": 1}}', None), "skillevaluator"
    )
    assert [problem.at.keys for problem in problems] == [("overall",), ("custom_metrics", "a")]
    assert [problem.subject for problem in problems] == ["overall", "a"]
    assert reward.metrics == {"b": 1.0}
    reward, _ = read(put(tmp_path, None, None), "harbor")
    assert reward.at.path == str(tmp_path / "reward.json")


def test_details_beside_a_flat_reward(tmp_path: Path) -> None:
    (tmp_path / "reward-details.json").write_text('{"repair": {"reason": "ok"}}')
    reward, problems = read(put(tmp_path, FLAT, None), "harbor")
    assert reward.details == {"repair": {"reason": "ok"}}
    (tmp_path / "reward-details.json").write_text("[")
    reward, problems = read(str(tmp_path), "harbor")
    assert (reward.details, problems) == ({}, [])


def test_files_that_are_none(tmp_path: Path) -> None:
    put(tmp_path, None, "1")
    (tmp_path / "reward.json").symlink_to("gone.json")
    reward, problems = read(str(tmp_path), "harbor")
    assert (reward.state, [problem.kind for problem in problems]) == ("score", ["link-dangles"])
    (tmp_path / "reward.json").unlink()
    (tmp_path / "reward.json").mkdir()
    reward, problems = read(str(tmp_path), "harbor")
    assert (reward.state, [problem.kind for problem in problems]) == ("invalid", ["irregular"])
    assert read(str(tmp_path / "gone"), "harbor")[0].state == "none"


@pytest.mark.parametrize(
    ("target", "last", "kind"), [("harbor", "[]", "nested"), ("skillevaluator", "7", "out-of-range")]
)
def test_the_fault_that_decides_is_listed_after_many_others(target: str, last: str, kind: str, tmp_path: Path) -> None:
    flags = "".join(f'"k{n}": true, ' for n in range(150))
    reward, problems = read(put(tmp_path, '{"overall": 1, ' + flags + f'"last": {last}' + "}", None), target)
    assert (reward.state, len(problems), problems[-1].kind) == ("invalid", 100, kind)


MANY, FLAGS = (",".join(f'"k{n}": {value}' for n in range(240_000)) for value in ("null", "true"))
BOMBS = ["[" * 200_000, '{"a":' * 90_000, "9" * 5_000_000, '{"a": ' + "1" * 4_000_000 + "}", "```" * 1_000_000,
         "{" + MANY + "}", "{" + FLAGS + ', "last": []}', " " * (8 << 20), "1" * (9 << 20)]  # fmt: skip


def read_bombs(folder: Path) -> None:
    for bomb in BOMBS:
        for target in TARGETS:
            for files in ((bomb, None), (None, bomb)):
                put(folder, *files)
                start = time.process_time()
                reward, problems = read(str(folder), target)
                seconds = time.process_time() - start
                assert reward.state in ("invalid", "none"), bomb[:20]
                assert 0 < len(problems) <= 100
                assert seconds < 2, bomb[:20]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc to measure memory")
def test_bombs_are_cheap(tmp_path: Path) -> None:
    code = "import pathlib, sys, test_reward_reader as t; t.read_bombs(pathlib.Path(sys.argv[1]))\n"
    code += "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=Path(__file__).parent, check=False,
                          capture_output=True, text=True, env={"PYTHONPATH": ":".join(sys.path)})  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 200 << 10


NAMES = st.sampled_from(["overall", "custom_metrics", "details", "reward", "a", "b", "\ud800", ""])
ODD = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)
TEXTS = st.one_of(
    st.dictionaries(NAMES, ODD, max_size=5).map(lambda record: json.dumps(record).encode()),
    ODD.map(lambda value: json.dumps(value).encode()),
    st.binary(max_size=40),
    st.text(alphabet=' \n\r\t{}[]",:.+-_0123456789eEnaNiIfty\ufeff\0٣', max_size=24).map(str.encode),
)


@given(TEXTS, st.none() | TEXTS, st.sampled_from(TARGETS))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_crash(tmp_path: Path, reward: bytes, text: bytes | None, target: str) -> None:
    result, problems = read(put(tmp_path, reward, text), target)
    assert (result.overall is None) or result.state in ("score", "zero")
    assert result.state != "invalid" or problems
    assert result.state != "zero" or not result.overall


def harbor_takes(folder: Path) -> dict[str, float] | None:
    """The rewards that Harbor reads in `folder` (none for an empty result), or None where it raises."""
    verifier = pytest.importorskip("harbor.verifier.verifier").Verifier
    result = pytest.importorskip("harbor.models.verifier.result").VerifierResult
    paths = SimpleNamespace(reward_json_path=folder / "reward.json", reward_text_path=folder / "reward.txt")
    reader = verifier.__new__(verifier)
    reader.trial_paths = paths
    if not paths.reward_json_path.exists() and not paths.reward_text_path.exists():
        return {}
    try:
        parse = reader._parse_reward_json if paths.reward_json_path.exists() else reader._parse_reward_text
        return dict(result(rewards=parse()).rewards)
    except Exception:
        return None


def agrees_with_harbor(folder: Path) -> None:
    theirs = harbor_takes(folder)
    ours, _ = read(str(folder), "harbor")
    if theirs and any(isinstance(value, int) and abs(value) > 10**300 for value in theirs.values()):
        theirs = None  # taken in, and then its own averages overflow
    assert (ours.state == "invalid") == (theirs is None)
    if theirs is not None:
        assert ours.metrics == theirs
        assert (ours.state == "none") == (not theirs)


@pytest.mark.harbor
@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_harbor_agrees_on_the_table(row: tuple[Any, ...], tmp_path: Path) -> None:
    put(tmp_path, row[1], row[2])
    agrees_with_harbor(tmp_path)


@pytest.mark.harbor
@given(st.none() | TEXTS, st.none() | TEXTS)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_harbor_agrees_on_anything(tmp_path: Path, reward: bytes | None, text: bytes | None) -> None:
    put(tmp_path, reward, text)
    agrees_with_harbor(tmp_path)
