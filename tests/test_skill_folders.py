"""What is seen of a skill's folders: those that cannot be listed, and links that lead nowhere."""

import errno
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from gradewright.check import check_paths
from gradewright.model import LINK_DANGLES
from gradewright.read.skill.folder import skill_links
from gradewright.settings import Settings


def test_nothing_follows_from_evals_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skill = Path(shutil.copytree(Path(__file__).parent / "bases" / "case", tmp_path / "csv2json"))
    barred = str(skill / "evals")
    access, scandir = os.access, os.scandir

    def no_access(path: str, mode: int) -> bool:
        return not str(path).startswith(barred) and access(path, mode)

    def no_listing(path: str) -> Any:
        if str(path).startswith(barred):
            raise PermissionError(errno.EACCES, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "access", no_access)
    monkeypatch.setattr(os, "scandir", no_listing)
    report = check_paths([str(skill)], Settings(harbor_contract=True))
    assert [(finding.rule.code, finding.at.path) for finding in report.findings] == [("RD001", barred)]


def test_only_links_of_the_skill_itself_are_looked_at_in_its_folders(tmp_path: Path) -> None:
    for folder in ("scripts/deep", "evals/files", "evals/harbor", ".git", "node_modules", "evals/more"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "gone").symlink_to("nowhere")
    (tmp_path / "SKILL.md").symlink_to("nowhere")
    found = skill_links(str(tmp_path))
    assert [(problem.kind, problem.role, problem.at.path) for problem in found] == [
        (LINK_DANGLES, "resource", str(tmp_path / folder / "gone")) for folder in ("evals/more", "scripts/deep")
    ]
