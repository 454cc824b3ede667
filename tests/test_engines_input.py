"""What is handed to ruff and bash comes from strangers: no name and no environment may steer them."""

import os
from pathlib import Path

import pytest

from gradewright.contract import MAX_TEXT
from gradewright.model import NEWER_SYNTAX, NOT_CHECKED, SYNTAX, UNDEFINED_NAME, Grader
from gradewright.read.engines import ruff_problems
from gradewright.read.grader import read_grader
from gradewright.read.shell.bash import bash_problems

NAMES = (
    "x\n--select=F401\n--fix\nvictim.py\nz",
    "x\n--output-file=pwned",
    "@arguments",
    "--fix",
    "a\x7fb",
    'quo"te\\',
    os.fsdecode(b"not utf-8 \xff"),
    "*",
    ".git",
    "node_modules",
)


def script(path: Path, code: str) -> Grader:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(code.encode())
    grader = read_grader(str(path), [], role="grader", native=True)
    assert grader is not None
    return grader


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_name_is_no_option_of_ruff(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "victim.py").write_text("import os\n")
    monkeypatch.chdir(tmp_path)
    graders = [
        script(Path(name, "tests", "grader.py"), "x = 1 +\n"),
        script(Path(name, "tests", "other.py"), "match 1:\n    case 1: pass\n")._replace(python="3.9"),
        script(Path(name, "tests", "third.py"), "print(nothing)\n")._replace(python="3.10"),
    ]
    before = everything(tmp_path)
    found = [(problem.kind, problem.at.path, problem.at.line) for problem in ruff_problems(graders)]
    kinds = (SYNTAX, NEWER_SYNTAX, UNDEFINED_NAME)
    assert found == [(kind, grader.at.path, 1) for kind, grader in zip(kinds, graders, strict=True)]
    assert everything(tmp_path) == before


def test_the_users_settings_do_not_reach_ruff(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUFF_OUTPUT_FILE", str(tmp_path / "pwned"))
    monkeypatch.setenv("RUFF_OUTPUT_FORMAT", "concise")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ruff.toml").write_text('exclude = ["*.py"]\ntarget-version = "py37"\n')
    grader = script(tmp_path / "grader.py", "print(nothing)\nmatch 1:\n    case 1: pass\n")
    assert [problem.kind for problem in ruff_problems([grader])] == [UNDEFINED_NAME]
    assert not (tmp_path / "pwned").exists()


def test_a_byte_order_mark_takes_no_column(tmp_path: Path) -> None:
    plain = script(tmp_path / "plain.py", "print(nothing)\n")
    marked = script(tmp_path / "marked.py", "\ufeffprint(nothing)\n")
    places = [(problem.at.line, problem.at.column) for problem in ruff_problems([plain, marked])]
    assert places == [(1, 7), (1, 7)]


def test_a_package_knows_its_path(tmp_path: Path) -> None:
    assert ruff_problems([script(tmp_path / "__init__.py", "print(__path__)\n")]) == []


def test_a_script_that_has_vanished_since(tmp_path: Path) -> None:
    gone, broken = script(tmp_path / "gone.py", "x = (\n"), script(tmp_path / "broken.py", "x = [\n")
    os.unlink(gone.at.path)
    assert [problem.at.path for problem in ruff_problems([gone, broken])] == [broken.at.path]


def test_a_script_that_has_grown_since_is_not_handed_on(tmp_path: Path) -> None:
    grader = script(tmp_path / "grader.py", "x = (\n")
    Path(grader.at.path).write_text("x = (\n" * MAX_TEXT)
    assert ruff_problems([grader]) == []


def test_without_ruff_scripts_are_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradewright.read.engines._program", lambda: "")
    assert [problem.kind for problem in ruff_problems([script(tmp_path / "grader.py", "x = (\n")])] == [NOT_CHECKED]


@pytest.mark.parametrize("name", NAMES)
def test_no_name_and_no_variable_steers_bash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "start").write_text("touch pwned\n")
    for variable in ("BASH_ENV", "ENV"):
        monkeypatch.setenv(variable, str(tmp_path / "start"))
    monkeypatch.setenv("BASH_FUNC_[%%", "() { touch pwned; }")
    monkeypatch.setenv("SHELLOPTS", "xtrace")
    path = Path(name, "test.sh")
    path.parent.mkdir()
    path.write_text("touch pwned\n$(touch pwned)\nif true; then\n")
    assert [problem.at.path for problem in bash_problems([str(path)])] == [str(path)]
    assert not (tmp_path / "pwned").exists()


def test_a_bash_in_the_folder_of_the_caller_is_not_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gradewright.read.shell import bash

    (tmp_path / "bash").write_text("#!/bin/sh\ntouch pwned\n")
    (tmp_path / "bash").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", ":.:" + os.environ["PATH"])
    bash._bash.cache_clear()
    assert os.path.isabs(bash._bash())
    bash._bash.cache_clear()
