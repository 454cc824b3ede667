"""`validate --fix`, `--unsafe-fixes` and `--diff`: what is written, what is not, and what is said about it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from fixing import fix, planned, tree
from specification import BASES

import gradewright
from gradewright.check import check_paths
from gradewright.finding import DropCommas, DropMark, Location
from gradewright.fix.rounds import write
from gradewright.read.files import Text, read_text
from gradewright.read.grader import contract_block
from gradewright.settings import Ignore, Settings

SETTINGS = Settings(harbor_contract=True)
CONFIG = """\
schema_version: 1 # first
harbor:
  task_sourc: native_harbor   # a near miss
grading: {mode: custom_only}
"""
FIXED_CONFIG = CONFIG.replace("task_sourc", "task_source")
BOM = b"\xef\xbb\xbf"


@pytest.fixture
def skill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A skill with one fault that is fixed safely, and one that is not."""
    folder = tmp_path / "csv2json"
    shutil.copytree(BASES / "case", folder)
    (folder / "evals" / "config.yml").write_text(CONFIG)
    task = folder / "evals" / "harbor" / "case-001" / "task.toml"
    task.write_text(task.read_text().replace("[verifier]", "[verifer]"))
    monkeypatch.chdir(tmp_path)
    return folder


def run(*arguments: str) -> tuple[int, str, str]:
    """The command line as users start it: exit code, output, errors."""
    done = subprocess.run(
        [sys.executable, "-m", "gradewright", "validate", "--harbor-contract", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_safe_fixes_leave_the_unsafe_ones(skill: Path) -> None:
    code, out, _ = run("csv2json", "--fix")
    assert (skill / "evals" / "config.yml").read_text() == FIXED_CONFIG
    assert "[verifer]" in (skill / "evals" / "harbor" / "case-001" / "task.toml").read_text()
    assert "fixed: csv2json/evals/config.yml:3:3: CF010 rename it to `task_source`\n" in out
    assert out.endswith("; 1 fixed; 1 fixable with --fix --unsafe-fixes\n")
    assert code == 0


def test_unsafe_fixes_are_asked_for(skill: Path) -> None:
    code, out, _ = run("csv2json", "--fix", "--unsafe-fixes", "--strict")
    assert out.endswith("no findings in 1 skill and 1 task; 2 fixed\n")
    assert code == 0
    before = tree(skill)
    assert run("csv2json", "--fix", "--unsafe-fixes", "--strict")[1] == "no findings in 1 skill and 1 task\n"
    assert tree(skill) == before


def test_unsafe_fixes_alone_are_a_misuse(skill: Path) -> None:
    assert run("csv2json", "--unsafe-fixes")[0] == 2


def test_without_fix_the_report_says_what_could_be_fixed(skill: Path) -> None:
    code, out, _ = run("csv2json")
    assert "CF010 error [fix] unknown key" in out
    assert "TK004 warning [unsafe fix] `verifer`" in out
    assert out.endswith("; 1 fixable with --fix; 1 fixable with --fix --unsafe-fixes\n")
    assert code == 1


@pytest.mark.parametrize("options", [["--diff"], ["--diff", "--fix"]])
def test_a_diff_changes_nothing_and_can_be_applied(skill: Path, options: list[str]) -> None:
    before = tree(skill)
    code, out, _ = run("csv2json", *options, "--unsafe-fixes")
    assert (code, tree(skill)) == (1, before)
    subprocess.run(["git", "apply", "-"], input=out, text=True, check=True)
    assert (skill / "evals" / "config.yml").read_text() == FIXED_CONFIG
    assert run("csv2json", *options, "--unsafe-fixes")[:2] == (0, "")


def test_select_restricts(skill: Path) -> None:
    run("csv2json", "--fix", "--unsafe-fixes", "--select", "TK004")
    assert (skill / "evals" / "config.yml").read_text() == CONFIG
    assert "[verifier]" in (skill / "evals" / "harbor" / "case-001" / "task.toml").read_text()


@pytest.mark.parametrize("how", ["comment", "option", "baseline"])
def test_what_is_hidden_is_not_fixed(skill: Path, how: str) -> None:
    config = skill / "evals" / "config.yml"
    options = ["csv2json", "--fix"]
    if how == "comment":
        text = CONFIG.replace("# a near miss", "# gradewright: ignore[unknown-config-key] kept for a test")
        config.write_text(text)
    elif how == "option":
        options += ["--ignore", "CF010"]
    else:
        run("csv2json", "--write-baseline", "known.json")
        options += ["--baseline", "known.json"]
    before = tree(skill)
    assert "fixed" not in run(*options)[1].rpartition("\n")[2]
    assert tree(skill) == before


def test_settings_with_paths_hide_as_well(skill: Path) -> None:
    settings = SETTINGS._replace(
        ignore=(Ignore("CF010", "kept", paths=("csv2json/evals/*",), source="settings"),), base=os.getcwd()
    )
    assert planned(["csv2json"], settings, unsafe=False).changes == {}


def test_several_roots_are_fixed_each_for_itself(skill: Path, tmp_path: Path) -> None:
    shutil.copytree(skill, tmp_path / "other")
    code, out, _ = run("csv2json", "other", "--fix", "--unsafe-fixes")
    assert out.count("fixed: ") == 4
    for folder in (skill, tmp_path / "other"):
        assert (folder / "evals" / "config.yml").read_text() == FIXED_CONFIG
    assert code == 0 or "csv2json" in out


@pytest.mark.parametrize("name", [".", "csv2json/", "./csv2json", "csv2json/evals/config.yml"])
def test_however_the_root_is_named(skill: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == ".":
        monkeypatch.chdir(skill)
    assert run(name, "--fix")[1].endswith("\n")
    assert (skill / "evals" / "config.yml").read_text() == FIXED_CONFIG


def test_a_file_that_is_a_link_is_left_alone(skill: Path, tmp_path: Path) -> None:
    config = skill / "evals" / "config.yml"
    config.rename(tmp_path / "shared.yml")
    config.symlink_to(tmp_path / "shared.yml")
    out = run("csv2json", "--fix")[1]
    assert (tmp_path / "shared.yml").read_text() == CONFIG
    assert config.is_symlink()
    assert "not fixed: csv2json/evals/config.yml:3:3: CF010 the file is a symbolic link\n" in out


def test_a_folder_that_is_a_link_is_left_alone(skill: Path, tmp_path: Path) -> None:
    evals = skill / "evals"
    evals.rename(tmp_path / "elsewhere")
    evals.symlink_to(tmp_path / "elsewhere")
    before = tree(tmp_path / "elsewhere")
    run("csv2json", "--fix", "--unsafe-fixes")
    assert tree(tmp_path / "elsewhere") == before


def test_a_file_that_has_changed_meanwhile_is_not_overwritten(skill: Path) -> None:
    found = planned(["csv2json"], SETTINGS)
    config = skill / "evals" / "config.yml"
    task = skill / "evals" / "harbor" / "case-001" / "task.toml"
    config.write_text(CONFIG + "# somebody else was here\n")
    before = task.read_text()
    failures = write(found)
    assert [root for root, _ in failures] == ["csv2json"]
    assert config.read_text() == CONFIG + "# somebody else was here\n"
    assert task.read_text() == before, "all of a root or nothing"


def test_a_root_that_cannot_be_written_is_an_error_and_the_others_are_fixed(skill: Path, tmp_path: Path) -> None:
    shutil.copytree(skill, tmp_path / "other")
    found = planned(["csv2json", "other"], SETTINGS)
    (skill / "evals" / "config.yml").write_text("")
    assert len(write(found)) == 1
    assert (tmp_path / "other" / "evals" / "config.yml").read_text() == FIXED_CONFIG


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(skill: Path) -> None:
    (skill / "evals").chmod(0o555)
    skill.chmod(0o555)
    try:
        code, out, error = run("csv2json", "--fix")
    finally:
        skill.chmod(0o755)
        (skill / "evals").chmod(0o755)
    assert code == 2
    assert "you may not write" in error
    assert "not fixed: " in out


def test_an_interrupt_leaves_everything_as_it_was(skill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(skill)
    calls: list[int] = []

    def interrupted(*_: Any, **__: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return check_paths(["csv2json"], SETTINGS)

    monkeypatch.setattr("fixing.check_roots", interrupted)
    with pytest.raises(KeyboardInterrupt):
        planned(["csv2json"], SETTINGS)
    assert tree(skill) == before
    text = read_text("csv2json/evals/config.yml", "config")
    assert isinstance(text, Text) and text.text == CONFIG, "what would be is forgotten"


def test_permissions_are_kept(skill: Path) -> None:
    script = skill / "evals" / "harbor" / "case-001" / "tests" / "test.sh"
    script.write_bytes(script.read_bytes().replace(b"\n", b"\r\n"))
    script.chmod(0o751)
    fix(["csv2json"], SETTINGS)
    assert script.stat().st_mode & 0o777 == 0o751
    assert b"\r" not in script.read_bytes()


def test_what_a_renamed_file_holds_is_fixed_too(skill: Path) -> None:
    (skill / "evals" / "config.yml").rename(skill / "evals" / "Config.yml")
    out = run("csv2json", "--fix", "--unsafe-fixes")[1]
    assert out.endswith("; 3 fixed\n")
    assert (skill / "evals" / "config.yml").read_text() == FIXED_CONFIG
    assert run("csv2json", "--diff", "--unsafe-fixes")[:2] == (0, "")


def test_of_two_files_that_would_get_one_name_the_first_does(skill: Path) -> None:
    (skill / "evals" / "config.yml").rename(skill / "evals" / "Config.yml")
    shutil.copy(skill / "evals" / "Config.yml", skill / "evals" / "CONFIG.yml")
    out = run("csv2json", "--fix", "--unsafe-fixes")[1]
    assert (skill / "evals" / "config.yml").read_text() == FIXED_CONFIG
    assert (skill / "evals" / "Config.yml").read_text() == CONFIG
    assert "not fixed" not in out, "there is a config now, and nothing is wrong with the other"


def test_a_grading_file_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = '{"expectations": [{"text": "It works", "passed": true, "details": "It does"}]}'
    (tmp_path / "grading.json").write_text(text)
    assert "; 1 fixed" in run("grading.json", "--fix", "--unsafe-fixes")[1]
    assert (tmp_path / "grading.json").read_text() == text.replace("details", "evidence")


def test_the_report_for_programs(skill: Path) -> None:
    schema = json.loads((Path(gradewright.__file__).parent / "schemas" / "report.json").read_text())
    before = json.loads(run("csv2json", "--format", "json")[1])
    after = json.loads(run("csv2json", "--format", "json", "--fix")[1])
    for document in (before, after):
        jsonschema.validate(document, schema)
    assert before["summary"]["fixable"] == {"safe": 1, "unsafe": 1}
    fixes = {one["code"]: one["fix"] for one in before["findings"]}
    assert fixes["CF010"] == {"title": "rename it to `task_source`", "safe": True}
    assert after["summary"]["fixed"] == 1
    assert [one["code"] for one in after["fixed"]] == ["CF010"]
    assert after["summary"]["fixable"] == {"safe": 0, "unsafe": 1}


def test_several_faults_of_one_file_are_fixed_at_once(skill: Path) -> None:
    dataset = skill / "evals" / "evals.json"
    text = dataset.read_text().replace('"files/input.csv"]', '"files/input.csv",],').replace('"prompt"', '"prompts"')
    text = text.replace("{\n", "{ // the dataset\n", 1)
    dataset.write_bytes(BOM + text.replace("\n", "\r\n").encode())
    found = fix(["csv2json"], SETTINGS)
    assert {finding.rule.code for finding in found.fixed} == {"DS001", "DS205", "CF010", "TK004"}
    assert found.refused == ()
    wanted = BASES / "case" / "evals" / "evals.json"
    assert dataset.read_bytes() == wanted.read_bytes().replace(b"\n", b"\r\n")


def test_a_contract_block_is_renewed_and_the_checks_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(BASES / "skill", tmp_path / "csv2json")
    for language, name in (("python", "grader.py"), ("shell", "grader.sh")):
        for old in (tmp_path / "csv2json" / "evals").glob("grader.*"):
            old.unlink()
        arguments = ["init-custom-grader", "csv2json", "--language", language, "--metric", "rows_kept"]
        made = subprocess.run([sys.executable, "-m", "gradewright", *arguments], capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        grader = tmp_path / "csv2json" / "evals" / name
        whole = grader.read_text()
        grader.write_text(whole.replace("MAX_REASON", "MOST_REASON", 1).replace("set -u", "set -u # mine", 1))
        wanted = whole.replace("set -u", "set -u # mine", 1)
        assert fix(["csv2json"], SETTINGS, unsafe=False).changes == {}
        assert [one.rule.name for one in fix(["csv2json"], SETTINGS).fixed] == ["outdated-contract-block"]
        assert grader.read_text() == wanted
        block = contract_block(wanted, "")
        assert block and block.intact


def test_a_metric_that_another_script_names_is_not_renamed(skill: Path) -> None:
    tests = skill / "evals" / "harbor" / "case-001" / "tests"
    grader = 'import json\njson.dump({"overall": 0.5, "accuracy": 0.5}, open("/logs/verifier/reward.json", "w"))\n'
    (tests / "grader.py").write_text(grader)
    with (tests / "test.sh").open("a") as stream:
        stream.write("jq .accuracy /logs/verifier/reward.json\n")
    found = fix(["csv2json"], SETTINGS._replace(select=("GR111",)))
    assert [refusal.reason for refusal in found.refused] == ["`test.sh` names `accuracy` too"]
    assert (tests / "grader.py").read_text() == grader


def test_kinds_of_remedies_are_told_apart_although_they_hold_the_same(skill: Path) -> None:
    at = Location("a")
    assert DropMark(at) == DropCommas(at), "as tuples, which is why they are compared with their kind"
    dataset = skill / "evals" / "evals.json"
    dataset.write_bytes(BOM + dataset.read_bytes().replace(b"\n    }", b",\n    }"))
    assert len([one for one in fix(["csv2json"], SETTINGS).fixed if one.rule.code == "DS001"]) == 2
