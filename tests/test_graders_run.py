"""Rendered graders at work: what they make of good work, odd input, and their own bugs."""

import os
import subprocess
from pathlib import Path

import pytest
from rendered import FILES, LANGUAGES, PYTHON, SHELL, Bench, filled, grader_text
from test_templates import PYTHONS

from gradewright.scaffold import Source
from gradewright.scaffold.template import HARBOR_TASK, render

GOOD = {PYTHON: 'return Score(0.75, "3 of 4")', SHELL: 'score 0.75 "3 of 4"'}
POOR = {PYTHON: 'raise Failed("no row is right")', SHELL: 'failed "no row is right"'}
SURROGATE = rb'{"steps": [{"source": "agent", "message": "a\ud800b"}]}'
READ_ALL = {
    PYTHON: """\
        seen = [run.final_answer, *run.commands, *(step.output + step.text for step in run.steps), *run.tool_calls]
        return Score(1.0, f"{len(seen)} things seen, the first is {run.final_answer}")""".replace(" " * 8, ""),
    SHELL: 'text="$(trajectory_text)"\nscore 1.0 "seen ${text:0:300}"',
}


def trajectory(*steps: str) -> bytes:
    return ('{"schema_version": "ATIF-v1.6", "steps": [' + ", ".join(steps) + "]}").encode()


ODD = {
    "empty": b"",
    "blank": b" \n",
    "broken": b'{"steps": [',
    "not-an-object": b"[1]",
    "null": b"null",
    "no-steps": b"{}",
    "steps-null": b'{"steps": null}',
    "steps-odd": b'{"steps": [null, 1, "x", [], {"source": 7, "tool_calls": 3, "observation": [], "message": {}}]}',
    "no-agent": trajectory('{"source": "user", "message": "hi"}'),
    "null-message": trajectory('{"source": "agent", "message": null, "tool_calls": null, "observation": null}'),
    "list-message": trajectory(
        '{"source": "agent", "message": [{"type": "text", "text": "yes"}, {"type": "image"}, 3]}'
    ),
    "odd-calls": trajectory('{"source": "agent", "tool_calls": [null, {"arguments": "ls"}, {"function_name": 1}]}'),
    "deep": b'{"steps": ' + b"[" * 200_000,
    "deep-message": trajectory('{"source": "agent", "message": ' + "[" * 50_000 + "]" * 50_000 + "}"),
    "surrogate": SURROGATE,
    "nul": b"\0" * 1000,
    "nul-inside": trajectory('{"source": "agent", "message": "a\0b"}'),
    "not-utf8": trajectory('{"source": "agent", "message": "?"}').replace(b"?", b"\xff\xfe"),
    "utf16": '{"steps": []}'.encode("utf-16"),
    "bom": b"\xef\xbb\xbf" + trajectory('{"source": "agent", "message": "bom"}'),
    "huge-number": b'{"steps": ' + b"9" * 1_000_000 + b"}",
    "nan": b'{"steps": [{"source": "agent", "message": "x", "metrics": NaN}]}',
    "megabytes": trajectory('{"source": "agent", "message": "' + "word " * 2_000_000 + '"}'),
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("language", LANGUAGES)
def test_odd_trajectories_get_a_score(tmp_path: Path, language: str, odd: str) -> None:
    text = filled(language, {"seen": READ_ALL[language], "good": GOOD[language]})
    for python in (PYTHONS[0], PYTHONS[-1]) if language == PYTHON else PYTHONS[:1]:
        bench = Bench(tmp_path, language, text, python=python)
        bench.trajectory.write_bytes(ODD[odd])
        outcome = bench.run()
        assert outcome.status == 0, outcome.stderr
        assert outcome.reward["custom_metrics"]["good"] == 0.75
        assert outcome.reward["details"]["seen"]["reason"]
        if language == PYTHON:
            answered = odd in {"list-message", "surrogate", "not-utf8", "nan", "bom", "megabytes"}
            assert outcome.reward["custom_metrics"]["seen"] == float(answered)


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "loop", "below-a-file"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_trajectory_to_read_scores_zero(tmp_path: Path, language: str, kind: str) -> None:
    bench = Bench(tmp_path, language, filled(language, {"seen": READ_ALL[language]}))
    if kind == "folder":
        bench.trajectory.mkdir()
    elif kind == "pipe":
        os.mkfifo(bench.trajectory)
    elif kind == "loop":
        bench.trajectory.symlink_to(bench.trajectory)
    elif kind == "below-a-file":
        bench.trajectory.write_text("{}")
        bench.trajectory = bench.trajectory / "x"
    outcome = bench.run()
    assert (outcome.status, outcome.reward["overall"], outcome.text) == (0, 0.0, "0.0\n")
    assert "the trajectory" in outcome.reward["details"]["seen"]["reason"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_shapes(tmp_path: Path, language: str) -> None:
    bench = Bench(tmp_path, language, filled(language, {"good": GOOD[language], "poor": POOR[language]}))
    details = {"good": {"score": 0.75, "reason": "3 of 4"}, "poor": {"score": 0.0, "reason": "no row is right"}}
    metrics = {"good": 0.75, "poor": 0.0}
    nested = bench.run()
    assert nested.reward == {"overall": 0.375, "custom_metrics": metrics, "details": details}
    assert (nested.status, nested.text, nested.details) == (0, "0.375\n", None)
    flat = bench.run("--harbor")
    assert flat.reward == {"overall": 0.375, **metrics}
    assert (flat.status, flat.text, flat.details) == (0, "0.375\n", details)
    assert bench.run("--flat").status == 2
    assert not bench.reward.exists()


BUGS = {
    PYTHON: {
        "an exception": "{}['missing']",
        "a name that is not there": "return Scroe(1.0, 'x')",
        "an exit": "sys.exit(0)",
        "an exit through a failing message": "class Odd(Exception):\n    __str__ = None\nraise Odd",
        "no return": "pass",
        "endless recursion": "return check_buggy(run)",
        "not a number": 'return Score(float("nan"), "x")',
        "infinite": 'return Score(float("inf"), "x")',
        "above": 'return Score(1.0000001, "x")',
        "below": 'return Score(-0.1, "x")',
        "true": 'return Score(True, "x")',
        "text": 'return Score("1", "x")',
        "bare": "return 1.0",
        "no reason": 'return Score(1.0, " ")',
        "a broken entry": "return Score(1.0, str(run.entry))",
    },
    SHELL: {
        "an exit status": "false",
        "an exit": "exit 3",
        "a command that is not there": 'frobnicate || failed "no"\nscore 1.0 "x"',
        "the same in a substitution": 'x="$(frobnicate)"\nscore 1.0 "x"',
        "an unset variable": 'score 1.0 "$unset_variable"',
        "no score": ":",
        "not a number": 'score nan "x"',
        "above": 'score 1.0000001 "x"',
        "a percentage": 'score 75 "x"',
        "below": 'score -0.1 "x"',
        "an exponent": 'score 1e-3 "x"',
        "no digit first": 'score .5 "x"',
        "empty": 'score "" "x"',
        "no reason": "score 1.0",
        "two scores": '(score 0.5 "x")\nscore 1.0 "y"',
        "a ratio of nothing": 'score "$(ratio 1 0)" "x"',
        "a ratio above one": 'score "$(ratio 5 4)" "x"',
    },
}


@pytest.mark.parametrize(("language", "bug"), [(language, bug) for language in LANGUAGES for bug in BUGS[language]])
def test_a_bug_is_reported_and_never_scored(tmp_path: Path, language: str, bug: str) -> None:
    bench = Bench(tmp_path, language, filled(language, {"buggy": BUGS[language][bug], "good": GOOD[language]}))
    bench.entry.write_text("{")
    bench.verifier.mkdir()
    for arguments in ((), ("--harbor",)):
        for name in ("reward.json", "reward.txt"):
            (bench.verifier / name).write_text("1.0")
        outcome = bench.run(*arguments)
        assert outcome.status == 1
        assert outcome.text is None
        assert outcome.reward is None if arguments else set(outcome.reward) == {"details"}
        details = outcome.details if arguments else outcome.reward["details"]
        assert "bug in the check" in details["buggy"]["reason"]
        assert "score" not in details["buggy"]
        assert details["good"] == {"score": 0.75, "reason": "3 of 4"}
        assert "buggy" in outcome.stderr


REASONS = {
    "quotes": """ "'`$(touch hacked)`\\ """.strip(),
    "controls": "tab\tnewline\nbell\a escape\x1b delete\x7f end",
    "letters": "na\u00efve \u4f60\u597d \U0001f600 \u202e",
    "long": "x" * 100_000,
}


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_any_reason_is_valid_json(tmp_path: Path, language: str, reason: str, locale: str) -> None:
    text = REASONS[reason]
    quoted = ascii(text) if language == PYTHON else "'" + text.replace("'", "'\\''") + "'"
    body = f"return Score(1.0, {quoted})" if language == PYTHON else f"score 1.0 {quoted}"
    bench = Bench(tmp_path, language, filled(language, {"said": "@"}).replace("@\n", body + "\n", 1))
    outcome = bench.run(LC_ALL=locale)
    assert outcome.status == 0, outcome.stderr
    found = outcome.reward["details"]["said"]["reason"]
    assert found == text if len(text) < 1000 else text.startswith(found) and len(found) >= 1000
    assert not (bench.workspace / "hacked").exists()


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x00a", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\xe4\xbd", b"a\xe4b"]
)
def test_reasons_from_bytes_that_are_no_text(tmp_path: Path, data: bytes) -> None:
    bench = Bench(tmp_path, SHELL, filled(SHELL, {"said": 'score 1.0 "<$(workspace_text odd)>"'}))
    (bench.workspace / "odd").write_bytes(data)
    outcome = bench.run()
    assert outcome.status == 0
    reason = outcome.reward["details"]["said"]["reason"]
    assert reason.startswith("<") and reason.endswith(">") and "\ufffd" in reason


@pytest.mark.parametrize("language", LANGUAGES)
def test_weights(tmp_path: Path, language: str) -> None:
    text = filled(language, {"good": GOOD[language], "poor": POOR[language]})
    for weight, overall in (("3", 0.5625), ("0", 0.0), ("1", 0.375)):
        old, new = (
            ("check_good, 1.0", f"check_good, {weight}") if language == PYTHON else ('"good 1"', f'"good {weight}"')
        )
        assert old in text
        assert Bench(tmp_path, language, text.replace(old, new)).run().reward["overall"] == overall


WRONG_TABLES = {
    PYTHON: {
        '"good": (': '"accuracy": (', "check_good, 1.0": "check_good, -1", "check_good, 1.0)": "check_good, 0)",
        '"good": (check_good, 1.0),': "",
    },
    SHELL: {'"good 1"': '"accuracy 1"', 'good 1"': 'good x"', '"good 1': '"good 0', '    "good 1"': '"other 1"'},
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "old"), [(language, old) for language in LANGUAGES for old in WRONG_TABLES[language]]
)
def test_a_wrong_table_is_a_bug(tmp_path: Path, language: str, old: str) -> None:
    text = filled(language, {"good": GOOD[language]})
    new = WRONG_TABLES[language][old]
    assert old.strip() in text
    outcome = Bench(tmp_path, language, text.replace(old.strip(), new.strip(), 1)).run()
    assert (outcome.status, outcome.text) == (1, None)
    assert "bug in the table of checks" in outcome.reward["details"]["CHECKS"]["reason"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_stale_and_planted_rewards_go(tmp_path: Path, language: str) -> None:
    bench = Bench(tmp_path, language, filled(language, {"good": GOOD[language]}))
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (bench.reward / "deep").mkdir(parents=True)
    (bench.verifier / "reward.txt").symlink_to(victim)
    outcome = bench.run("--harbor")
    assert (outcome.status, outcome.text) == (0, "0.75\n")
    assert victim.read_text() == "mine"
    assert not (bench.verifier / "reward.txt").is_symlink()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reward_that_cannot_be_written_is_a_clear_failure(tmp_path: Path, language: str) -> None:
    bench = Bench(tmp_path, language, filled(language, {"good": GOOD[language]}))
    bench.verifier.write_text("a file where the folder belongs")
    outcome = bench.run()
    assert outcome.status == 1
    assert outcome.stderr.startswith("grader: ") or "grader: " in outcome.stderr
    assert "Traceback" not in outcome.stderr
    full = Bench(tmp_path / "full", language, filled(language, {"good": GOOD[language]}))
    limited = ["bash", "-c", 'ulimit -f 0; trap "" XFSZ; exec "$@"', "bash", *full.command]
    outcome = full.run(command=limited)
    assert (outcome.status, outcome.reward, outcome.text) == (1, None, None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_test_sh_works_under_plain_harbor(tmp_path: Path, language: str) -> None:
    bench = Bench(tmp_path, language, grader_text(language, ["a"]))
    script = render(HARBOR_TASK, Source(), {"language": language})["tests/test.sh"]
    (bench.grader.parent / "test.sh").write_bytes(script)
    command = ["bash", str(bench.grader.parent / "test.sh")]
    untouched = bench.run(command=command)
    assert (untouched.status, untouched.reward, untouched.text) == (0, {"overall": 0.0, "a": 0.0}, "0.0\n")
    assert "not written" in untouched.details["a"]["reason"]
    bug = next(iter(BUGS[language].values()))
    for broken in (filled(language, {"a": bug}), "(", "exit(0)" if language == PYTHON else "exit 0"):
        bench.grader.write_text(broken)
        for name in ("reward.json", "reward.txt"):
            (bench.verifier / name).write_text("1.0")
        outcome = bench.run(command=command)
        assert (outcome.status, outcome.reward, outcome.text) == (1, None, None)
        assert "so there is no reward" in outcome.stderr
    bench.grader.unlink()
    assert bench.run(command=command).status == 1


def test_a_strict_shell_grader_stays_right(tmp_path: Path) -> None:
    text = filled(SHELL, {"good": GOOD[SHELL], "poor": POOR[SHELL]}).replace(
        "set -u\n", "set -euo pipefail\nIFS=,\n", 1
    )
    outcome = Bench(tmp_path, SHELL, text).run()
    assert (outcome.status, outcome.reward["overall"]) == (0, 0.375)
    buggy = filled(SHELL, {"a": 'false\nscore 1.0 "x"'}).replace("set -u\n", "set -e\n", 1)
    assert Bench(tmp_path, SHELL, buggy).run().status == 1
    assert subprocess.run(["bash", "-n", tmp_path / "tests" / FILES[SHELL]]).returncode == 0
