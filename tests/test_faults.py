"""The fault bank: every measured fault of a static kind is reported at its file, and healthy cases stay silent."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from gradewright.check import NothingToCheckError, check_paths
from gradewright.finding import Finding, Severity
from gradewright.settings import Settings

HERE = Path(__file__).parent
BANK: dict[str, dict[str, dict[str, Any]]] = tomllib.loads((HERE / "faults.toml").read_text())
CASES = [(bank, name) for bank, cases in BANK.items() for name in cases]
FAULTS = [name for name, case in BANK["faults"].items() if not case.keys() & {"waits", "like", "silent", "only_for"}]


def folders(bank: str, name: str) -> list[Path]:
    """What is handed to the tool: one skill of the fault bank, or each `input*` of a field case."""
    root = HERE / bank / name
    return [root / "csv2json"] if bank == "faults" else sorted(root.glob("input*"))


def findings(folder: Path, target: str = "both") -> list[Finding]:
    return list(check_paths([str(folder)], Settings(target=target, harbor_contract=True)).findings)


def loud(found: list[Finding]) -> list[str]:
    return [f"{one.at.path}:{one.at.line} {one.rule.name}" for one in found if one.severity > Severity.NOTE]


def test_the_table_names_every_case() -> None:
    for bank, cases in BANK.items():
        assert sorted(cases) == sorted(path.name for path in (HERE / bank).iterdir())


@pytest.mark.parametrize(("bank", "name"), [(bank, name) for bank, name in CASES if "waits" not in BANK[bank][name]])
def test_case(bank: str, name: str) -> None:
    expected = BANK[bank][name]
    found = [finding for folder in folders(bank, name) for finding in findings(folder)]
    for rule, file in expected.get("report", {}).items():
        places = [finding.at.path for finding in found if finding.rule.name == rule]
        assert any(path.endswith(f"/{file}") for path in places), (rule, loud(found))
    if expected.get("silent"):
        assert loud(found) == []


@pytest.mark.parametrize(("bank", "name"), [(bank, name) for bank, name in CASES if "waits" in BANK[bank][name]])
def test_a_case_that_waits_for_a_rule_is_not_told_yet(bank: str, name: str) -> None:
    """It fails when that rule arrives: then the table must say what is reported."""
    known = rules("faults", control(name)) if bank == "faults" else set()
    assert rules(bank, name, Severity.WARNING) <= known


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_apart_from_its_control(name: str) -> None:
    """Most native faults carry the nested reward of their control: a finding of that rule proves nothing about them."""
    told = rules("faults", name) - rules("faults", control(name))
    assert told & set(BANK["faults"][name]["report"])


def rules(bank: str, name: str, floor: Severity = Severity.NOTE) -> set[str]:
    """The rules that say something about a case; none where there is neither a skill nor a task to check."""
    found: list[Finding] = []
    for folder in folders(bank, name):
        with suppress(NothingToCheckError):
            found += findings(folder)
    return {finding.rule.name for finding in found if finding.severity >= floor}


def control(name: str) -> str:
    """The healthy skill from which the faulty one was made."""
    native = (HERE / "faults" / name / "csv2json" / "evals" / "harbor").is_dir()
    return "00-healthy-byot-nested" if native else "02-healthy-byog"


@pytest.mark.parametrize("name", [name for name, case in BANK["faults"].items() if case.get("only_for") == "harbor"])
def test_a_case_for_harbor_only_is_silent_for_the_other(name: str) -> None:
    assert loud(findings(HERE / "faults" / name / "csv2json", "skillevaluator")) == []


@pytest.mark.parametrize("name", [name for name, case in BANK["faults"].items() if "like" in case])
def test_a_benign_change_is_not_reported(name: str) -> None:
    control = HERE / "faults" / BANK["faults"][name]["like"] / "csv2json"
    rules = [finding.rule for finding in findings(HERE / "faults" / name / "csv2json")]
    assert rules == [finding.rule for finding in findings(control)]


def ordinary_user() -> list[str]:
    """How a command is started without root's right to read everything."""
    become = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    if become and not shutil.which("setpriv"):
        pytest.skip("needs setpriv to give up root's right to read everything")
    return become


@pytest.mark.parametrize("mode", [0, 0o444, 0o111], ids=oct)
def test_nothing_is_said_of_what_a_locked_folder_may_hold(tmp_path: Path, mode: int) -> None:
    skill = tmp_path / "csv2json"
    shutil.copytree(HERE / "bases" / "case", skill)
    command = [*ordinary_user(), sys.executable, "-m", "gradewright", "validate", str(skill), "--harbor-contract"]
    folders = [path for path in sorted(skill.rglob("*")) if path.is_dir()]
    assert len(folders) > 6
    for folder in [skill, *folders]:
        before = folder.stat().st_mode
        folder.chmod(mode)
        shown = subprocess.run([*command, "--format=json"], capture_output=True, text=True, timeout=60, check=False)
        folder.chmod(before)
        assert shown.stderr == "", folder
        assert {one["code"] for one in json.loads(shown.stdout)["findings"]} <= {"RD001"}, folder


def test_a_path_that_may_not_be_reached_is_not_said_to_be_missing(tmp_path: Path) -> None:
    (tmp_path / "locked" / "skill").mkdir(parents=True)
    (tmp_path / "locked").chmod(0)
    command = [*ordinary_user(), sys.executable, "-m", "gradewright", "validate"]
    shown = [
        subprocess.run([*command, tmp_path / name], capture_output=True, text=True, timeout=60, check=False)
        for name in ("locked/skill", "nowhere")
    ]
    (tmp_path / "locked").chmod(0o755)
    assert [one.returncode for one in shown] == [2, 2]
    assert ["may not be entered" in one.stderr for one in shown] == [True, False]


def test_unreadable_files_as_an_ordinary_user(tmp_path: Path) -> None:
    """Locked files, a locked folder and a pipe are reported, the rest is checked, and nothing hangs."""
    become = ordinary_user()
    skill = tmp_path / "skill"
    shutil.copytree(HERE / "field" / "49-unreadable-files" / "input", skill)
    (skill / "evals" / "files" / "locked").mkdir()
    (skill / "evals" / "files" / "locked").chmod(0)
    os.mkfifo(skill / "evals" / "files" / "pipe")
    (skill / "evals" / "grader.py").chmod(0)
    command = [*become, sys.executable, "-m", "gradewright", "validate", str(skill), "--harbor-contract"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert shown.returncode == 1, shown.stderr
    assert "grader.py: RD001 error" in shown.stdout
    assert "locked: RD001 warning" in shown.stdout
    assert "pipe: RD004 warning" in shown.stdout


@pytest.mark.parametrize("name", ["40-crlf-and-accents-in-skill-md", "38-dataset-dialects"])
def test_any_locale(name: str) -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for folder in (HERE / "field" / name).glob("input*"):
        command = [sys.executable, "-m", "gradewright", "validate", str(folder), "--harbor-contract", "--strict"]
        shown = subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False)
        assert (shown.returncode, shown.stderr) == (0, b"")
