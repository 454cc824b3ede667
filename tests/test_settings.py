"""Settings files: what is accepted, and that what is refused is said."""

import os
from pathlib import Path

import pytest

from gradewright.settings import Ignore, Settings, SettingsError, load


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert load([str(tmp_path)]) == Settings()


def test_the_nearest_file_at_or_above_wins(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.gradewright]\ntarget = "harbor"\n')
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert load([str(tmp_path / "a" / "b")]).target == "harbor"
    (tmp_path / "a" / "gradewright.toml").write_text('target = "skillevaluator"\nharbor-contract = true\njobs = 2\n')
    settings = load([str(tmp_path / "a" / "b")])
    assert (settings.target, settings.harbor_contract, settings.jobs) == ("skillevaluator", True, 2)
    assert settings.base == str(tmp_path / "a")


def test_the_file_must_stand_above_all_paths(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "gradewright.toml").write_text('target = "harbor"\n')
    paths = [str(tmp_path / "a"), str(tmp_path / "b")]
    (tmp_path / ".git").mkdir()
    assert load(paths) == Settings()
    (tmp_path / "gradewright.toml").write_text("strict = true\n")
    assert load(paths).strict
    assert load(paths[:1]).target == "harbor"


def test_a_pyproject_of_somebody_else_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nline-length = 9\n")
    assert load([str(tmp_path)]) == Settings()
    (tmp_path / "pyproject.toml").write_text("not toml at all [[[")
    assert load([str(tmp_path)]) == Settings()


def test_an_ignore_carries_its_reason(tmp_path: Path) -> None:
    (tmp_path / "gradewright.toml").write_text('[[ignore]]\nrule = "GR1"\npaths = ["a/*"]\nreason = " ours "\n')
    assert load([str(tmp_path)]).ignore == (Ignore("GR1", "ours", ("a/*",)),)


@pytest.mark.parametrize("name", ["gradewright.toml", "pyproject.toml"])
def test_an_editor_of_windows_may_have_saved_the_file(tmp_path: Path, name: str) -> None:
    head = "" if name == "gradewright.toml" else "[tool.gradewright]\r\n"
    (tmp_path / name).write_bytes(f"\ufeff{head}strict = true\r\njobs = 3\r\n".encode())
    assert (load([str(tmp_path)]).strict, load([str(tmp_path)]).jobs) == (True, 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[ignore]]\nrule = "GR1"\n', "write a `reason`"),
        ('[[ignore]]\nrule = "GR1"\nreason = "  "\n', "write a `reason`"),
        ('[[ignore]]\nreason = "x"\n', "`rule` must name"),
        ('[[ignore]]\nrule = "GR1"\nreason = "x"\nfiles = []\n', "unknown key `files`"),
        ('ignore = ["GR1"]\n', "list of tables"),
        ('targets = "harbor"\n', "unknown key `targets`"),
        ('target = "neither"\n', "`target` must be one of"),
        ('select = "GR1"\n', "`select` must be a list"),
        ("strict = 1\n", "`strict` must be true or false"),
        ("jobs = true\n", "`jobs` must be an integer"),
        ("jobs = -1\n", "`jobs` must be an integer"),
        ("a = [[[", "cannot be read"),
    ],
)
def test_what_cannot_be_used_is_said(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "gradewright.toml").write_text(text)
    with pytest.raises(SettingsError, match=said.replace("[", r"\[")):
        load([str(tmp_path)])


def test_tool_gradewright_must_be_a_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool]\ngradewright = 3\n")
    with pytest.raises(SettingsError, match="must be a table"):
        load([str(tmp_path)])


@pytest.mark.parametrize("kind", ["dangling", "loop", "pipe", "folder", "huge"])
def test_settings_that_are_there_and_cannot_be_read_are_not_passed_over(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "gradewright.toml"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "huge":
        path.write_text("strict = true #" + "x" * (2 << 20))
    else:
        path.symlink_to(path if kind == "loop" else "nowhere")
    with pytest.raises(SettingsError, match="cannot be read"):
        load([str(tmp_path)])
