"""Text of unknown origin on a terminal: nothing that it would obey gets through, wherever the text comes from."""

import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from test_cli import run

from gradewright.model import quoted
from gradewright.visible import visible

OBEYED = "\x00\x07\x08\t\n\r\x1b\x7f\x9b\u061c\u200b\u200e\u200f\u2028\u202e\u2066\ufeff\ud800\U000e0041"
SKILL = "---\nname: x\ndescription: Use when x.\n---\n"
HOSTILE = ["two`\nlines", "--force", "\x1b[2J\x1b]0;title\x07", "\u202e\u061c\u200e\u200f\ufeff"]


def shown_of(shown: "subprocess.CompletedProcess[str]") -> str:
    """All output, in which nothing may be left that a terminal obeys, and no line may begin in a name."""
    text = shown.stdout + shown.stderr
    assert "Traceback" not in text and shown.returncode in (0, 1, 2), text
    assert not [letter for letter in text if letter in OBEYED and letter != "\n"], ascii(text)
    assert "\nlines" not in text
    return text


@pytest.mark.parametrize("letter", OBEYED)
def test_what_a_terminal_obeys_is_escaped(letter: str) -> None:
    assert visible(letter).isascii() and visible(letter).isprintable() and visible(letter)[0] == "\\"
    assert letter not in quoted(f"a{letter}b")


def test_every_control_is_escaped_and_readable_text_is_left() -> None:
    controls = [
        letter for letter in map(chr, range(0x3000)) if unicodedata.category(letter) in ("Cc", "Zl", "Zp", "Cs")
    ]
    assert all(visible(letter) != letter for letter in controls)
    text = "na\u00efve \u65e5\u672c\u8a9e \u0639\u0631\u0628\u064a \U0001f469\u200d\U0001f4bb \u00a0 `x` \\"
    assert visible(text) == text


def test_a_value_in_a_message_is_cut_and_keeps_its_backticks_apart() -> None:
    assert quoted("a`b\u202e") == "`a'b\\u202e`"
    assert len(quoted("x" * 5000)) == 62


@pytest.mark.parametrize("name", HOSTILE)
def test_validate_a_skill_and_a_case_of_a_hostile_name(tmp_path: Path, name: str) -> None:
    case = tmp_path / "skills" / name / "evals" / "harbor" / name
    (case / "tests").mkdir(parents=True)
    (case / "tests" / "test.sh").write_text("true\n")
    (tmp_path / "skills" / name / "SKILL.md").write_text(SKILL)
    (case / "task.toml").write_text("[tusk]\n")
    (case / "link").symlink_to("nowhere\x1b[2J`" + "x" * 200)
    (case / name).write_text("")
    (case / f"copy of {name}").symlink_to(name)
    shown = run("validate", ".", "--harbor-contract", cwd=tmp_path)
    assert shown.returncode == 1
    assert visible(name) in shown_of(shown)
    assert len(max(shown.stdout.splitlines(), key=len)) < 400
    shown_of(run("validate", "--harbor-contract", "--", name, cwd=tmp_path / "skills"))
    hook = [sys.executable, "-c", "from gradewright.hook import run; raise SystemExit(run())", "--", name]
    shown_of(subprocess.run(hook, cwd=tmp_path / "skills", capture_output=True, text=True, timeout=60, check=False))


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("command", ["init-custom-grader", "init-harbor-task"])
def test_scaffold_in_a_skill_of_a_hostile_name(tmp_path: Path, command: str, name: str) -> None:
    skill = tmp_path / name
    (skill / "evals" / "harbor" / name).mkdir(parents=True)
    (skill / "SKILL.md").write_text(SKILL)
    (skill / f".gradewright-stage-{name}").mkdir()
    state = {"XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}
    shown_of(run(command, "--dry-run", "--", name, cwd=tmp_path, **state))
    shown = run(command, "--", name, cwd=tmp_path, **state)
    assert shown.returncode == 0, shown.stderr
    assert "left alone" in shown_of(shown)
    (skill / "SKILL.md").unlink()
    refused = run(command, "--", name, cwd=tmp_path, **state)
    assert refused.returncode == 2
    shown_of(refused)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_that_scaffolds_are_asked_for(tmp_path: Path, name: str) -> None:
    (tmp_path / "SKILL.md").write_text(SKILL)
    for option in ("--case-id", "--org", "--template", "--data"):
        shown = run("init-harbor-task", f"{option}={name}", ".", cwd=tmp_path)
        assert shown.returncode == 2
        shown_of(shown)
    shown = run("init-custom-grader", f"--metric={name}", ".", cwd=tmp_path)
    assert shown.returncode == 2
    shown_of(shown)
    assert sorted(os.listdir(tmp_path)) == ["SKILL.md"]


def test_settings_of_a_clone(tmp_path: Path) -> None:
    """The hook too knows every rule that is named: an unknown one would silence all others."""
    hook = [sys.executable, "-c", "from gradewright.hook import run; raise SystemExit(run())", "SKILL.md"]
    (tmp_path / "SKILL.md").write_text(SKILL)
    for text in (
        '"\\u001b[2J\\u202e" = 1\n',
        'select = ["\\u001b[2J"]\n',
        '[[ignore]]\nrule = "\\u001b]0;x"\n',
        "\x1b[2J",
    ):
        (tmp_path / "gradewright.toml").write_text(text)
        shown = run("validate", ".", cwd=tmp_path)
        assert shown.returncode == 2
        shown_of(shown)
        by_hook = subprocess.run(hook, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert by_hook.returncode == 2
        shown_of(by_hook)


def test_a_bug_of_ours_shows_no_text_of_a_file(tmp_path: Path) -> None:
    code = "from gradewright.failure import guarded\ndef fail(): raise ValueError('\\x1b[2J\\u202e')\nguarded(fail)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert "\\x1b[2J\\u202e" in shown_of(shown)
