"""A `validate --fix` that was killed at any moment: the next one ends as if there had been none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fixing import tree
from specification import BASES

MOMENTS = {
    "before the first rename": "transaction._perform = die",
    "between two renames": (
        "real, done = transaction._perform, []\n"
        "transaction._perform = lambda *a: (die() if done else None, done.append(real(*a)))"
    ),
    "before the commit": "transaction._flush = lambda folders: len(folders) > 1 and die()",
    "after the commit": "transaction._sweep = die",
}
SCRIPT = """
import os, sys
from gradewright.__main__ import main
from gradewright.write import transaction
def die(*_):
    os._exit(77)
{moment}
sys.argv = ["gradewright", "validate", "csv2json", "--harbor-contract", "--fix"]
main()
"""


def fix(home: Path, moment: str = "") -> int:
    command = [sys.executable, "-c", SCRIPT.format(moment=moment)]
    return subprocess.run(command, cwd=home, capture_output=True, check=False).returncode


def faulty(home: Path) -> Path:
    """A skill with faults in three folders, each of which is fixed safely."""
    skill = home / "csv2json"
    shutil.copytree(BASES / "case", skill)
    for name in ("evals/evals.json", "evals/harbor/case-001/task.toml", "evals/harbor/case-001/tests/test.sh"):
        path = skill / name
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    return skill


@pytest.mark.parametrize("moment", MOMENTS.values(), ids=list(MOMENTS))
def test_the_next_fix_ends_as_if_none_had_been_killed(tmp_path: Path, moment: str) -> None:
    skill = faulty(tmp_path)
    assert fix(tmp_path, moment) == 77
    assert any(name.startswith(".gradewright-stage") for name in os.listdir(skill))
    assert fix(tmp_path) == 0
    assert tree(skill) == tree(BASES / "case")


def test_what_was_fixed_before_a_kill_is_not_taken_back_later(tmp_path: Path) -> None:
    skill = faulty(tmp_path)
    assert fix(tmp_path, MOMENTS["before the commit"]) == 77
    assert fix(tmp_path) == 0
    config = skill / "evals" / "config.yml"
    config.write_text(config.read_text().replace("task_source", "task_sourc"))
    assert fix(tmp_path) == 0
    assert tree(skill) == tree(BASES / "case")
