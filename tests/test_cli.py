"""The command line as its users see it: exit codes, formats and messages."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from gradewright.read.data.schema import schema_names, schema_text

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "csv-to-json"


def run(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with no terminal and no settings of the person who runs the tests."""
    scrubbed = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "COVERAGE_PROCESS_START")}
    return subprocess.run(
        [sys.executable, "-m", "gradewright", *map(str, arguments)],
        cwd=cwd, env={**scrubbed, **environment}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """A copy of the example in a folder whose name needs quoting everywhere."""
    return Path(shutil.copytree(EXAMPLE, tmp_path / 'it\'s a "skïll"' / "csv-to-json"))


@pytest.fixture
def broken(skill: Path) -> Path:
    """The example with one error in its dataset and one warning."""
    path = skill / "evals" / "evals.json"
    document = json.loads(path.read_text())
    document["evals"][0]["files"] = ["files/nowhere.csv"]
    document["evals"][1]["expected_output"] = "TODO"
    path.write_text(json.dumps(document, indent=2))
    return skill


def test_the_example_is_clean_even_when_strict(skill: Path) -> None:
    shown = run("validate", skill, "--harbor-contract", "--strict")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.splitlines()[-1] == "no findings in 1 skill and 2 tasks; 2 hidden"


def test_findings_give_1_with_file_line_and_column(broken: Path) -> None:
    shown = run("validate", ".", cwd=broken)
    assert shown.returncode == 1
    assert "evals/evals.json:" in shown.stdout
    place = next(line for line in shown.stdout.splitlines() if "DS301" in line).split(" ")[0]
    line, column = (int(number) for number in place.rstrip(":").split(":")[-2:])
    text = (broken / "evals" / "evals.json").read_text().splitlines()[line - 1]
    assert text[column - 1 :].startswith('"files/nowhere.csv"')


def test_tier3_validate_is_the_same_command(broken: Path) -> None:
    one, other = run("validate", broken), run("tier3", "validate", broken)
    assert (one.returncode, one.stdout) == (other.returncode, other.stdout)


def test_json_fits_its_schema_and_counts_what_it_shows(broken: Path) -> None:
    shown = run("validate", broken, "--format", "json", "--ignore", "DS204")
    report = json.loads(shown.stdout)
    jsonschema.validate(report, json.loads(schema_text("report")))
    assert report["summary"]["errors"] == sum(one["severity"] == "error" for one in report["findings"]) == 1
    assert report["summary"]["hidden"] == len(report["hidden"]) == 2
    assert [one["code"] for one in report["hidden"] if one["source"] == "command line"] == ["DS204"]
    assert "--ignore on the command line" in {one["reason"] for one in report["hidden"]}


def test_what_the_command_line_hides_is_counted_and_not_listed(broken: Path) -> None:
    shown = run("validate", broken, "--ignore", "DS")
    assert "DS204" not in shown.stdout and "CF101" in shown.stdout
    assert shown.stdout.splitlines()[-1].endswith("; 3 hidden")


def test_select_ignore_and_exit_zero(broken: Path) -> None:
    assert run("validate", broken, "--select", "SK").returncode == 0
    assert run("validate", broken, "--select", "missing-fixture").returncode == 1
    assert run("validate", broken, "--select", "SK, missing-fixture").returncode == 1
    assert run("validate", broken, "--ignore", "DS301,placeholder-text", "--strict").returncode == 0
    assert run("validate", broken, "--ignore", "DS3").returncode == 0
    assert run("validate", broken, "--ignore", "DS3", "--strict").returncode == 1
    assert run("validate", broken, "--exit-zero").returncode == 0


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_an_unknown_rule_is_refused_with_the_nearest(broken: Path, option: str) -> None:
    shown = run("validate", broken, option, "mising-fixture")
    assert shown.returncode == 2
    assert "did you mean `missing-fixture`?" in shown.stderr


@pytest.mark.parametrize(
    "arguments",
    [["validate"], ["validate", "nowhere"], ["validate", "--format", "xml", "."], ["validate", "--nope"], ["nope"], []],
)
def test_usage_errors_give_2_and_no_traceback(tmp_path: Path, arguments: list[str]) -> None:
    shown = run(*arguments, cwd=tmp_path)
    assert shown.returncode == 2
    assert "Traceback" not in shown.stderr + shown.stdout


def test_a_folder_without_skills_or_tasks_is_an_unusable_root(tmp_path: Path) -> None:
    shown = run("validate", tmp_path)
    assert shown.returncode == 2
    assert "neither a skill" in shown.stderr


@pytest.mark.parametrize("name", ["nowhere", "evals/grader.pyy"])
def test_a_path_that_is_not_there_is_told(skill: Path, name: str) -> None:
    shown = run("validate", skill / name)
    assert (shown.returncode, "there is no such file or folder" in shown.stderr) == (2, True)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_device_that_is_full_is_named(skill: Path) -> None:
    shown = run("validate", skill, "--output", "/dev/full")
    assert (shown.returncode, "no space left on the disk for `/dev/full`" in shown.stderr) == (2, True)


def test_output_is_written_whole_or_not_at_all(broken: Path, tmp_path: Path) -> None:
    shown = run("validate", broken, "--format", "json", "--output", tmp_path / "report.json")
    assert (shown.returncode, shown.stdout) == (1, "")
    assert json.loads((tmp_path / "report.json").read_text())["version"] == 1
    refused = run("validate", broken, "--output", tmp_path / "missing" / "report.json")
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr


def test_quiet_says_nothing_but_findings(broken: Path, skill: Path) -> None:
    lines = run("validate", broken, "-q", "--select", "DS301").stdout.splitlines()
    assert len(lines) == 2
    assert run("validate", skill, "-q", "--select", "SK").stdout == ""


def test_no_colours_without_a_terminal(broken: Path) -> None:
    assert "\x1b" not in run("validate", broken, FORCE_COLOR="1").stdout


def test_control_characters_of_a_file_never_reach_the_terminal(broken: Path) -> None:
    path = broken / "evals" / "evals.json"
    path.write_text(path.read_text().replace("files/nowhere.csv", "files/\\u001b[31mred\\u202e\\n.csv"))
    shown = run("validate", broken).stdout
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\\x1b[31mred" in shown


def test_ignored_findings_are_counted_and_shown_with_their_reason(broken: Path) -> None:
    (broken / "gradewright.toml").write_text('[[ignore]]\nrule = "DS301"\nreason = "made at run time"\n')
    shown = run("validate", broken)
    assert shown.returncode == 0
    assert "made at run time" in shown.stdout
    assert "2 hidden" in shown.stdout


def test_a_broken_settings_file_gives_2(broken: Path) -> None:
    (broken / "gradewright.toml").write_text('[[ignore]]\nrule = "DS301"\n')
    shown = run("validate", broken)
    assert shown.returncode == 2
    assert "write a `reason`" in shown.stderr


def test_jobs_change_nothing_but_the_time(skill: Path) -> None:
    harbor = skill / "evals" / "harbor"
    for number in range(600):
        case = harbor / f"case-{number:03d}"
        (case / "tests").mkdir(parents=True)
        (case / "task.toml").write_text(f'[task]\nname = "acme/case-{number:03d}"\n')
        (case / "tests" / "test.sh").write_text("#!/bin/bash\necho 1 > /logs/verifier/reward.jsn\n")
    one, many = (run("validate", skill, "--harbor-contract", "--jobs", jobs) for jobs in ("1", "2"))
    assert (one.returncode, one.stderr) == (1, "")
    assert one.stdout == many.stdout
    assert one.stdout.count("test.sh") >= 600


def test_every_schema_is_printed_and_valid() -> None:
    assert run("schema").stdout.split() == list(schema_names())
    for name in schema_names():
        document = json.loads(run("schema", name).stdout)
        jsonschema.Draft202012Validator.check_schema(document)
    assert run("schema", "nope").returncode == 2


def test_a_rule_is_explained_by_name_and_by_code() -> None:
    by_name, by_code = run("rule", "reserved-metric-name"), run("rule", "gr111")
    assert by_name.stdout == by_code.stdout
    assert "## How to fix it" in by_name.stdout
    assert run("rule", "reserved-metric").returncode == 2
    assert "GR111  error    reserved-metric-name\n" in run("rule").stdout


def test_an_interrupt_gives_130(skill: Path, tmp_path: Path) -> None:
    """The report goes into a pipe that nobody reads, so that the command is still there when the signal comes."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "gradewright", "validate", str(skill), "--output", str(pipe)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        assert (process.communicate(timeout=30)[1], process.returncode) == (b"interrupted\n", 130)


def test_our_own_bug_gives_3_with_a_report_to_paste(skill: Path) -> None:
    script = (
        "import sys, gradewright.check as check\n"
        "def broken(*_): raise KeyError('oops')\n"
        "check.check_paths = broken\n"
        f"sys.argv = ['gradewright', 'validate', {str(skill)!r}]\n"
        "from gradewright.__main__ import main\nsys.exit(main())\n"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert shown.returncode == 3
    assert "Please report it" in shown.stderr
    assert "KeyError" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_closed_pipe_is_no_bug(broken: Path) -> None:
    command = f'"{sys.executable}" -m gradewright validate . | true'
    shown = subprocess.run(command, shell=True, cwd=broken, capture_output=True, text=True, timeout=60, check=False)
    assert shown.stderr == ""


def test_version() -> None:
    from gradewright import __version__

    assert run("--version").stdout == f"gradewright {__version__}\n"


def shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """`command`, in which GW stands for gradewright and HOOK for the pre-commit entry, in bash."""
    names = f"GW() {{ '{sys.executable}' -m gradewright \"$@\"; }}; HOOK() {{ '{sys.executable}' -c "
    names += "'import sys; from gradewright.hook import run; sys.exit(run())' \"$@\"; }; "
    return subprocess.run(
        ["bash", "-c", names + command], cwd=cwd, capture_output=True, text=True, timeout=120, check=False
    )  # fmt: skip


EVERY = ("validate .", "rule", "rule GR111", "schema", "schema task", "--help", "validate --help", "--version")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", [f"GW {command}" for command in EVERY] + ["HOOK evals/grader.py"])
def test_closed_streams_change_no_exit_code(skill: Path, command: str, closed: str) -> None:
    shown = shell(f"{command} {closed}", skill)
    assert (shown.returncode, shown.stderr) == (0, "")


def test_with_the_output_closed_what_is_written_is_whole(skill: Path) -> None:
    assert shell("GW init-custom-grader . --force --metric rows <&- >&- 2>&-", skill).returncode == 0
    assert (skill / "evals" / "grader.py").read_text().startswith("#!")
    assert not list(skill.glob(".gradewright*"))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("command", [f"GW {command}" for command in EVERY] + ["HOOK --help"])
def test_an_output_that_is_full_is_told_and_is_no_bug(skill: Path, command: str) -> None:
    shown = shell(f"{command} >/dev/full", skill)
    assert shown.returncode == 2
    assert shown.stderr.startswith("error: the output cannot be written: no space left on device\n")
    assert shell(f"{command} >/dev/full 2>/dev/full", skill).returncode == 2


def test_a_reader_that_has_gone_does_not_change_the_exit_code(broken: Path) -> None:
    for command, code in (("validate .", 1), ("rule", 0), ("schema task", 0), ("--version", 0)):
        assert shell(f"GW {command} | true; exit ${{PIPESTATUS[0]}}", broken).returncode == code
    assert shell("HOOK evals/evals.json | true; exit ${PIPESTATUS[0]}", broken).returncode == 1


@pytest.mark.parametrize("command", ["GW validate .", "GW init-harbor-task .", "HOOK evals/grader.py"])
def test_a_working_folder_that_is_gone_is_told(tmp_path: Path, command: str) -> None:
    shown = shell(f"mkdir gone && cd gone && rmdir ../gone && {command}", tmp_path)
    assert shown.returncode == 2
    assert "the folder you are in is no longer there" in shown.stderr


@pytest.mark.parametrize("word", ["--\u202ewrong", "--target=\x1b[31m", "--format=\u2066x", "--jobs=\x9b1"])
def test_usage_errors_show_no_control_characters(tmp_path: Path, word: str) -> None:
    shown = run("validate", ".", word, cwd=tmp_path)
    assert shown.returncode == 2
    assert "Error: " in shown.stderr
    assert not set(shown.stderr) & set("\x1b\x9b\u202e\u2066")


@pytest.mark.parametrize("word", ["-\x1b[31m", "--target=\x1b[31m"])
def test_the_hook_shows_no_control_characters(tmp_path: Path, word: str) -> None:
    (tmp_path / "gradewright.toml").write_text('"\\u001b[31m" = 1\n')
    for words in ([word], ["x.py"]):
        code = "import sys; from gradewright.hook import run; sys.exit(run())"
        shown = subprocess.run(
            [sys.executable, "-c", code, *words], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )  # fmt: skip
        assert (shown.returncode, "\x1b" in shown.stderr) == (2, False)
