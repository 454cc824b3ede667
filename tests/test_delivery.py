"""What happens to a report: counted, timed, written, and never over a file that is being checked."""

import json
import re
import shutil
from pathlib import Path

import jsonschema
import pytest
from test_cli import EXAMPLE, run

from gradewright.check import check_paths
from gradewright.read.data.schema import schema_text
from gradewright.settings import Settings


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A skill with an error and two warnings."""
    skill = Path(shutil.copytree(EXAMPLE, tmp_path / "csv-to-json"))
    path = skill / "evals" / "evals.json"
    document = json.loads(path.read_text())
    document["evals"][0] |= {"files": ["files/nowhere.csv"], "expected_output": "TODO"}
    document["evals"][1]["expected_output"] = "TODO"
    path.write_text(json.dumps(document, indent=2))
    return skill


def test_statistics_count_each_rule_in_place_of_findings(broken: Path) -> None:
    shown = run("validate", broken, "--statistics", "--select", "DS,CF", "--ignore", "CF")
    assert shown.returncode == 1
    assert shown.stdout.splitlines() == [
        "      2  DS204 warning  placeholder-text",
        "      1  DS301 error    missing-fixture",
        "      0  CF101 note     grader-never-runs (1 hidden)",
        "1 error, 2 warnings in 1 skill and 2 tasks; 1 hidden",
    ]
    report = json.loads(run("validate", broken, "--statistics", "--select", "DS", "--format", "json").stdout)
    jsonschema.validate(report, json.loads(schema_text("report")))
    assert report["statistics"][0] == {
        "code": "DS204", "name": "placeholder-text", "severity": "warning", "count": 2, "hidden": 0
    }  # fmt: skip
    assert len(report["findings"]) == 3
    assert "statistics" not in json.loads(run("validate", broken, "--format", "json").stdout)


def test_the_time_of_each_rule_goes_to_the_error_output(broken: Path) -> None:
    plain, timed = run("validate", broken), run("validate", broken, "--profile-rules")
    assert (timed.stdout, timed.returncode) == (plain.stdout, plain.returncode)
    head, *rows = timed.stderr.splitlines()
    assert re.fullmatch(r" +[\d.]+ s in one process; [\d.]+ s of them in rules, of which", head)
    assert any(row.endswith("  placeholder-text") for row in rows)
    shares = [float(row.split()[2].rstrip("%")) for row in rows]
    assert sum(shares) == pytest.approx(100, abs=len(rows) * 0.05)
    assert shares == sorted(shares, reverse=True)
    assert plain.stderr == ""


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "junit"])
def test_every_format_goes_into_a_file(broken: Path, tmp_path: Path, form: str) -> None:
    to_file = run("validate", broken, "--format", form, "--output", tmp_path / "report", cwd=tmp_path)
    printed = run("validate", broken, "--format", form, cwd=tmp_path)
    assert (to_file.returncode, to_file.stdout, to_file.stderr) == (1, "", "")
    assert (tmp_path / "report").read_text() == printed.stdout != ""


@pytest.mark.parametrize("name", ["SKILL.md", "evals/evals.json", "evals/harbor/quoted-fields/task.toml"])
def test_a_report_replaces_nothing_that_is_checked(broken: Path, tmp_path: Path, name: str) -> None:
    before = (broken / name).read_bytes()
    (tmp_path / "link").symlink_to(broken / name)
    for output in (broken / name, tmp_path / "link"):
        shown = run("validate", broken, "--output", output)
        assert (shown.returncode, "is left alone" in shown.stderr) == (2, True)
    assert (broken / name).read_bytes() == before


def test_a_report_replaces_neither_the_baseline_nor_a_grading_file(broken: Path, tmp_path: Path) -> None:
    assert run("validate", broken, "--write-baseline", "known.json", cwd=tmp_path).returncode == 0
    (tmp_path / "grading.json").write_text("{}")
    for name in ("known.json", "grading.json"):
        before = (tmp_path / name).read_bytes()
        shown = run("validate", broken, "--baseline", "known.json", "--output", name, cwd=tmp_path)
        assert (shown.returncode, "is left alone" in shown.stderr) == (2, True)
        assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize("options", [["--diff"], ["--fix"], ["--fix", "--unsafe-fixes"]])
def test_fixes_are_neither_shown_nor_made_if_the_output_would_replace_an_input(
    broken: Path, tmp_path: Path, options: list[str]
) -> None:
    config = broken / "evals" / "config.yml"
    config.write_text(config.read_text().replace("mode:", "mod:"))
    (tmp_path / "link").symlink_to(config)
    before = config.read_bytes()
    for output in (config, tmp_path / "link"):
        shown = run("validate", broken, *options, "--output", output)
        assert (shown.returncode, "is left alone" in shown.stderr) == (2, True)
    assert config.read_bytes() == before
    assert run("validate", broken, "--diff", "--output", tmp_path / "diff").returncode == 1
    assert "+  mode:" in (tmp_path / "diff").read_text()


def test_a_baseline_replaces_nothing_but_a_baseline_of_what_is_checked(broken: Path) -> None:
    for name in ("SKILL.md", "evals/evals.json", "evals/harbor/quoted-fields/task.toml"):
        before = (broken / name).read_bytes()
        shown = run("validate", broken, "--write-baseline", broken / name, "--force")
        assert (shown.returncode, "is left alone" in shown.stderr) == (2, True)
        assert (broken / name).read_bytes() == before
    for _ in range(2):
        assert run("validate", broken, "--write-baseline", broken / "evals" / "known.json", "--force").returncode == 0


@pytest.mark.parametrize(
    "options",
    [
        ["--write-baseline", "known", "--format", "json"],
        ["--write-baseline", "known", "--output", "report"],
        ["--write-baseline", "known", "--statistics"],
        ["--diff", "--write-baseline", "known"],
        ["--diff", "--format", "json"],
        ["--diff", "--statistics"],
        ["--output", ""],
        ["--baseline", ""],
        ["--write-baseline", ""],
    ],
)
def test_an_option_without_effect_is_a_misuse(broken: Path, tmp_path: Path, options: list[str]) -> None:
    shown = run("validate", broken, *options, cwd=tmp_path)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr.startswith("error: --")
    assert [path.name for path in tmp_path.iterdir()] == [broken.name]


def test_a_report_beside_a_skill_is_replaced_by_the_next(broken: Path) -> None:
    for _ in range(2):
        assert run("validate", ".", "--output", "report.txt", cwd=broken).returncode == 1


def test_many_tasks_and_skills_are_the_same_with_any_number_of_processes(broken: Path, tmp_path: Path) -> None:
    for number in range(60):
        shutil.copytree(broken, tmp_path / "many" / f"skill-{number:02d}")
    for number in range(300):
        task = tmp_path / "many" / f"task-{number:03d}"
        (task / "tests").mkdir(parents=True)
        (task / "task.toml").write_text(f'[task]\nname = "acme/task-{number:03d}"\n')
        (task / "tests" / "test.sh").write_text("#!/bin/bash\nif true\n")
    one, many = (check_paths([str(tmp_path / "many")], Settings(jobs=jobs)) for jobs in (1, 2))
    assert one == many
    assert (one.skills, one.tasks) == (60, 60 * 2 + 300)
    assert sum(finding.rule.name == "shell-syntax-error" for finding in one.findings) == 300
