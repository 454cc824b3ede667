"""Shell completion, asked as the installed script asks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = "import sys; from gradewright.__main__ import main; sys.argv[0] = 'gradewright'; sys.exit(main())"


def completed(line: str) -> list[str]:
    environment = {**os.environ, "_GRADEWRIGHT_COMPLETE": "complete_bash", "COMP_WORDS": line}
    environment["COMP_CWORD"] = str(len(line.split(" ")) - 1)
    shown = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    return shown.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("gradewright val", ["validate"]),
        ("gradewright validate --format ", ["text", "json", "sarif", "github", "junit"]),
        ("gradewright validate --wri", ["--write-baseline"]),
        ("gradewright rule reserved-m", ["reserved-metric-name"]),
    ],
)
def test_commands_options_values_and_rules_complete(line: str, offered: list[str]) -> None:
    assert completed(line) == offered


def test_it_is_installed_for_a_shell(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "gradewright", "--install-completion", "bash"]
    subprocess.run(command, env=environment, capture_output=True, timeout=60, check=True)
    (script,) = (tmp_path / ".bash_completions").iterdir()
    assert "_GRADEWRIGHT_COMPLETE=complete_bash" in script.read_text()
    assert str(script) in (tmp_path / ".bashrc").read_text()
