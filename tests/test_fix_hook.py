"""`gradewright-validate --fix`: what the hook mends, and what it says when it cannot."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from specification import BASES

from gradewright import hook
from gradewright.write import WriteError


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration of a skill, with one fault that is fixed safely."""
    shutil.copytree(BASES / "case", tmp_path / "csv2json")
    path = tmp_path / "csv2json" / "evals" / "config.yml"
    path.write_text(path.read_text().replace("task_source", "task_sourc"))
    monkeypatch.chdir(tmp_path)
    return path


def test_the_hook_fixes_what_is_safe(config: Path) -> None:
    command = [sys.executable, "-c", "from gradewright.hook import main; raise SystemExit(main())", "--fix"]
    done = subprocess.run([*command, "csv2json/evals/config.yml"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "fixed: csv2json/evals/config.yml:3:3: CF010" in done.stdout
    assert config.read_bytes() == (BASES / "case" / "evals" / "config.yml").read_bytes()


def test_fixes_that_the_hook_could_not_write_are_an_error(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> None:
        raise WriteError("no room")

    monkeypatch.setattr("gradewright.fix.rounds.publish", refuse)
    before = config.read_bytes()
    assert hook.main(["--fix", "csv2json/evals/config.yml"]) == 2
    assert "nothing was fixed: no room" in capsys.readouterr().err
    assert config.read_bytes() == before
