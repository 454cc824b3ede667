"""The largest files that are read, filled with what costs a careless reader most, are judged within two seconds."""

import os
import shutil
from pathlib import Path

import pytest

from gradewright.check import check_paths
from gradewright.contract import MAX_TEXT
from gradewright.settings import Settings

BASES = Path(__file__).parent / "bases"
CASE = "evals/harbor/case-001"
SECONDS = 2.0
FILES: dict[str, tuple[str, ...]] = {
    f"{CASE}/tests/grader.py": ("# ", "a\n", "\\", "x = 0.5 # TODO\n", "# gradewright: ignore[x]\n"),
    f"{CASE}/tests/test.sh": ("score=", "score=0 # TODO\n", "\n", "awk 'print print' > x\n", "exit\n", '"'),
    f"{CASE}/solution/solve.sh": ("x=$x$x\n", "<<E\n"),
    f"{CASE}/environment/Dockerfile": ("RUN <<E\n", "RUN a \\\n", "#", " "),
    f"{CASE}/task.toml": ("a.", "a" * 100, '"', "[a]\n", "{"),
    f"{CASE}/instruction.md": ("TODO ", "[", " "),
    "evals/harbor/dataset.toml": ("\n", "# gradewright: ignore[x]\n"),
    "evals/config.yml": ("a: ", "- ", "# gradewright: ignore[x]\n"),
    "evals/evals.json": ("[", '\\"', '{"a":'),
    "SKILL.md": ("---\n", "a: a: ", "# gradewright: ignore[x]\n"),
}


@pytest.mark.parametrize(("name", "unit"), [(name, unit) for name, units in FILES.items() for unit in units])
def test_the_largest_file_of_its_kind(tmp_path: Path, name: str, unit: str) -> None:
    root = shutil.copytree(BASES / "case", tmp_path / "csv2json")
    head = {"Dockerfile": "FROM a\n", "SKILL.md": "---\n"}.get(os.path.basename(name), "")
    (root / name).write_text(head + unit * ((MAX_TEXT - 10) // len(unit)))
    before = os.times()
    check_paths([str(root)], Settings(harbor_contract=True, jobs=1))
    assert sum(os.times()[:4]) - sum(before[:4]) < SECONDS


def test_a_table_of_checks_that_never_ends(tmp_path: Path) -> None:
    root = shutil.copytree(BASES / "skill", tmp_path / "csv2json")
    (root / "evals" / "grader.py").unlink()
    (root / "evals" / "grader.sh").write_text("CHECKS=(\n" + "\n" * (MAX_TEXT - 200) + "--- gradewright contract")
    before = os.times()
    check_paths([str(root)], Settings(harbor_contract=True, jobs=1))
    assert sum(os.times()[:4]) - sum(before[:4]) < SECONDS
