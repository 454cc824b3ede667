"""What a check of a rendered grader may look at: the workspace, the trajectory and the entry."""

import os
from pathlib import Path

import pytest
from rendered import LANGUAGES, PYTHON, SHELL, Bench, filled
from test_templates import PYTHONS

READ = {
    PYTHON: 'return Score(1.0, "<" + run.workspace.text("out/a b.txt") + ">")',
    SHELL: 'score 1.0 "<$(workspace_text "out/a b.txt")>"',
}


def reason(bench: Bench) -> tuple[float, str]:
    outcome = bench.run()
    assert outcome.status == 0, outcome.stderr
    (details,) = outcome.reward["details"].values()
    return details["score"], details["reason"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_of_the_workspace(tmp_path: Path, language: str) -> None:
    bench = Bench(tmp_path, language, filled(language, {"read": READ[language]}))
    assert reason(bench) == (0.0, "`out/a b.txt` is not there")
    (bench.workspace / "out").mkdir()
    file = bench.workspace / "out" / "a b.txt"
    file.write_text("gr\u00fc\u00dfe")
    assert reason(bench) == (1.0, "<gr\u00fc\u00dfe>")
    file.rename(bench.workspace / "real.txt")
    file.symlink_to("../real.txt")
    assert reason(bench)[0] == 1.0


@pytest.mark.parametrize("kind", ["folder", "pipe", "loop", "dangling", "out", "absolute-out", "huge"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_file_of_the_workspace_fails_the_check(tmp_path: Path, language: str, kind: str) -> None:
    bench = Bench(tmp_path, language, filled(language, {"read": READ[language]}))
    (bench.workspace / "out").mkdir()
    file = bench.workspace / "out" / "a b.txt"
    (tmp_path / "secret").write_text("the answer")
    if kind == "folder":
        file.mkdir()
    elif kind == "pipe":
        os.mkfifo(file)
    elif kind == "huge":
        with file.open("wb") as stream:
            stream.truncate((64 << 20) + 1)
    else:
        targets = {"loop": file.name, "dangling": "nothing", "out": "../../secret", "absolute-out": tmp_path / "secret"}
        file.symlink_to(targets[kind])
    score, why = reason(bench)
    assert score == 0.0
    assert "`out/a b.txt`" in why
    assert "answer" not in why


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a\\0b", "", ".", "x/../../secret"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_names_that_lead_out_fail_the_check(tmp_path: Path, language: str, name: str) -> None:
    body = READ[language].replace("out/a b.txt", name)
    bench = Bench(tmp_path, language, filled(language, {"read": body}))
    (tmp_path / "secret").write_text("the answer")
    score, why = reason(bench)
    assert score == 0.0
    assert "answer" not in why and "root:" not in why


@pytest.mark.parametrize("python", [PYTHONS[0], PYTHONS[-1]])
@pytest.mark.parametrize(
    ("content", "score", "why"),
    [
        (b'{"a": [1, 2.5]}', 1.0, "{'a': [1, 2.5]}"),
        (b'\xef\xbb\xbf"bom"', 1.0, "bom"),
        (b'{"a": NaN}', 0.0, "is not JSON: NaN is no JSON number"),
        (b"{", 0.0, "is not JSON"),
        (b"\xff", 0.0, "is not UTF-8 text"),
        (b"[" * 100_000, 0.0, "is nested too deeply"),
        (b"9" * 1_000_000, 1.0, "inf"),
    ],
)
def test_json_of_the_workspace(tmp_path: Path, python: str, content: bytes, score: float, why: str) -> None:
    body = 'return Score(1.0, str(run.workspace.json("out.json")))'
    bench = Bench(tmp_path, PYTHON, filled(PYTHON, {"read": body}), python=python)
    (bench.workspace / "out.json").write_bytes(content)
    found, text = reason(bench)
    assert found == score
    assert why in text


def test_what_the_trajectory_tells(tmp_path: Path) -> None:
    body = """\
assert [step.source for step in run.steps] == ["user", "agent", "agent", "agent"]
assert [call.name for call in run.tool_calls] == ["bash", "terminal", ""]
assert run.commands == ["ls -l", "echo a b", "rm x"], run.commands
assert run.agent_steps[0].output == "one\\ntwo"
assert run.final_answer == "first\\nsecond"
return Score(1.0, "all seen")"""
    bench = Bench(tmp_path, PYTHON, filled(PYTHON, {"read": body}))
    bench.trajectory.write_text("""{"steps": [
        {"source": "user", "message": "do it"},
        {"source": "agent", "message": "", "tool_calls": [
            {"function_name": "bash", "arguments": {"command": "ls -l"}},
            {"function_name": "terminal", "arguments": "{\\"cmd\\": [\\"echo\\", \\"a\\", \\"b\\"]}"},
            {"arguments": "rm x"}],
         "observation": {"results": [{"content": "one"}, {"content": [{"type": "text", "text": "two"}]}, null]}},
        {"source": "agent", "message": [{"type": "text", "text": "first"}, {"type": "image"}, "second"]},
        {"source": "agent", "message": null}]}""")
    assert reason(bench) == (1.0, "all seen")


def test_the_entry_does_not_tell_the_arm(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PYTHON, filled(PYTHON, {"read": "return Score(1.0, ascii(run.entry))"}))
    assert reason(bench) == (1.0, "{}")
    bench.entry.write_text('{"id": 3, "expected_output": "x", "has_skill": true}')
    assert reason(bench) == (1.0, "{'id': 3, 'expected_output': 'x'}")


def test_ratios_of_the_shell(tmp_path: Path) -> None:
    pairs = {"a": ("0 7", 0.0), "b": ("7 7", 1.0), "c": ("1 3", 0.333333333), "d": ("08 09", 0.888888888)}
    checks = {name: f'score "$(ratio {pair})" "x"' for name, (pair, _) in pairs.items()}
    outcome = Bench(tmp_path, SHELL, filled(SHELL, checks)).run()
    assert outcome.reward["custom_metrics"] == {name: value for name, (_, value) in pairs.items()}
