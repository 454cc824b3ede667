"""A baseline hides what was known, when lines have moved as well, and shows what is new."""

import json
import os
import shutil
from pathlib import Path

import pytest
from hostile import RULES, reports
from hypothesis import given
from test_cli import run

from gradewright.baseline import Entry, compare, dump, fingerprints, load
from gradewright.check import check_paths
from gradewright.finding import Location
from gradewright.model import Report
from gradewright.settings import Settings, SettingsError

ERROR, WARNING, _ = RULES


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two skills, each with three findings in its dataset."""
    for name in ("one", "two"):
        evals = tmp_path / "skills" / name / "evals"
        evals.mkdir(parents=True)
        (evals.parent / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Does {name}.\n---\nDo it.\n")
        write(evals, ["TODO", "TODO", "fine", "FIXME"])
    return tmp_path


def write(evals: Path, outputs: list[str], indent: int | None = 1) -> None:
    cases = [
        {"id": f"case-{number}", "prompt": "Convert the table.", "expected_output": text}
        for number, text in enumerate(outputs)
    ]
    (evals / "evals.json").write_text(json.dumps({"skill_name": evals.parent.name, "evals": cases}, indent=indent))


def check(repository: Path, *words: str, cwd: str = ".") -> tuple[int, str]:
    shown = run("validate", *words, "--strict", cwd=repository / cwd)
    assert "Traceback" not in shown.stderr
    return shown.returncode, (shown.stdout + shown.stderr).strip()


def test_what_is_known_is_hidden_and_what_is_new_is_shown(repository: Path) -> None:
    assert check(repository, ".")[0] == 1
    assert check(repository, ".", "--write-baseline", "known.json") == (0, "known.json: 6 findings recorded")
    assert check(repository, ".", "--baseline", "known.json") == (0, "no findings in 2 skills; 6 hidden")
    evals = repository / "skills" / "one" / "evals"
    write(evals, ["fine", "fine", "TODO", "TODO", "fine", "FIXME", "TBD"])
    code, text = check(repository, ".", "--baseline", "known.json")
    assert (code, text.splitlines()[-1]) == (1, "1 warning in 2 skills; 6 hidden")
    assert "`TBD`" in text


def test_fixed_findings_leave_stale_entries_in_what_was_checked(repository: Path) -> None:
    check(repository, ".", "--write-baseline", "known.json")
    write(repository / "skills" / "one" / "evals", ["fine", "TODO"])
    assert check(repository, ".", "--baseline", "known.json")[1].endswith("; 4 hidden; 2 stale in the baseline")
    assert check(repository, "skills/two", "--baseline", "known.json")[1].endswith("; 3 hidden")
    assert check(repository, "skills/one", "--baseline", "known.json")[1].endswith(
        "; 1 hidden; 2 stale in the baseline"
    )
    assert "stale" not in check(repository, ".", "--baseline", "known.json", "--select", "SK")[1]
    assert "stale" not in check(repository, "skills/one/evals/evals.json", "--baseline", "known.json")[1]
    report = json.loads(check(repository, ".", "--baseline", "known.json", "--format", "json")[1])
    assert (report["summary"]["stale"], report["summary"]["hidden"]) == (2, 4)
    assert {hidden["source"] for hidden in report["hidden"]} == {"baseline"}
    shutil.rmtree(repository / "skills" / "one")
    assert check(repository, ".", "--baseline", "known.json")[1].endswith("; 3 hidden; 3 stale in the baseline")


@pytest.mark.parametrize("contract", [False, True])
@pytest.mark.parametrize("target", ["both", "harbor", "skillevaluator"])
def test_what_a_check_does_not_look_for_is_not_stale(tmp_path: Path, target: str, contract: bool) -> None:
    faults = str(Path(__file__).parent / "faults")
    known = tmp_path / "known.json"
    known.write_text(dump(check_paths([faults], Settings(harbor_contract=True)), str(known)))
    settings = Settings(target=target, harbor_contract=contract)
    report = compare(check_paths([faults], settings), str(known), [faults], settings)
    assert (report.findings, report.stale) == ((), 0)


def test_paths_are_relative_to_the_baseline_wherever_one_stands(repository: Path) -> None:
    (repository / "ci").mkdir()
    check(repository, ".", "--write-baseline", "ci/known.json")
    entries = load(str(repository / "ci" / "known.json"))
    assert {entry.path for entry in entries} == {f"../skills/{name}/evals/evals.json" for name in ("one", "two")}
    for words, cwd in (
        (["../one", "--baseline", "../../ci/known.json"], "skills/two"),
        ([str(repository), "--baseline", "known.json"], "ci"),
    ):
        assert check(repository, *words, cwd=cwd)[0] == 0
    os.symlink(repository, repository.parent / f"{repository.name}-link")
    link = f"{repository}-link"
    assert check(repository, f"{link}/skills/one", "--baseline", f"{link}/ci/known.json")[0] == 0
    moved = shutil.move(repository, repository.with_name("moved"))
    assert check(Path(moved), ".", "--baseline", "ci/known.json")[0] == 0


def test_the_file_is_stable_and_sorted(repository: Path) -> None:
    check(repository, ".", "--write-baseline", "one.json")
    check(repository, "skills/two", "skills/one", "--write-baseline", "other.json", "--jobs", "1")
    text = (repository / "one.json").read_text()
    assert text == (repository / "other.json").read_text()
    entries = load(str(repository / "one.json"))
    assert entries == sorted(entries)
    assert len(set(entries)) == 6


def test_it_is_not_overwritten_without_force(repository: Path) -> None:
    (repository / "known.json").write_text("mine")
    code, text = check(repository, ".", "--write-baseline", "known.json")
    assert (code, "add --force" in text, (repository / "known.json").read_text()) == (2, True, "mine")
    assert check(repository, ".", "--write-baseline", "known.json", "--force")[0] == 0
    assert len(load(str(repository / "known.json"))) == 6
    assert check(repository, ".", "--write-baseline", "no/such/folder.json")[0] == 2


def test_settings_name_it_for_everybody_and_the_hook(repository: Path) -> None:
    (repository / "gradewright.toml").write_text('baseline = "known.json"\n')
    check(repository, ".", "--write-baseline", "known.json")
    assert check(repository, "evals", cwd="skills/one")[0] == 0
    from gradewright.hook import main

    assert main(["--strict", str(repository / "skills" / "one" / "evals" / "evals.json")]) == 0
    (repository / "gradewright.toml").write_text("baseline = 7\n")
    assert "`baseline` must be the name of a file" in check(repository, ".")[1]
    (repository / "gradewright.toml").write_text('baseline = "known.json"\n')
    (repository / "known.json").write_text("{}")
    assert main([str(repository / "skills" / "one" / "evals" / "evals.json")]) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no such baseline"),
        (b"", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"version": ' + b"9" * 5000 + b"}", "is not JSON"),
        (b"\xff\xfe", "cannot be read"),
        (b"[]", "not a baseline"),
        (b'{"runs": []}', "not a baseline"),
        (b'{"version": 2, "tool": "gradewright", "findings": []}', "version 1 only"),
        (b'{"version": true, "tool": "gradewright", "findings": []}', "version 1 only"),
        (b'{"version": 1, "tool": "gradewright", "findings": {}}', "must be a list"),
        (b'{"version": 1, "tool": "gradewright", "findings": [7]}', "finding 1 must be"),
        (b'{"version": 1, "tool": "gradewright", "findings": [{"path": "a"}]}', "finding 1 must be"),
    ],
)
def test_what_is_no_baseline_is_refused(repository: Path, content: bytes | None, message: str) -> None:
    if content is not None:
        (repository / "odd.json").write_bytes(content)
    code, text = check(repository, ".", "--baseline", "odd.json")
    assert (code, message in text) == (2, True), text


def test_folders_pipes_and_huge_files_are_refused(repository: Path) -> None:
    os.mkfifo(repository / "pipe")
    with open(repository / "huge", "wb") as stream:
        stream.truncate(1 << 40)
    for name in ("skills", "pipe", "huge"):
        assert check(repository, ".", "--baseline", name)[0] == 2


@pytest.mark.parametrize(
    "words", [["--baseline", "a", "--write-baseline", "b"], ["--force"], ["--statistics", "--format", "sarif"]]
)
def test_options_that_exclude_each_other(repository: Path, words: list[str]) -> None:
    assert check(repository, ".", *words)[0] == 2


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(repository: Path) -> None:
    check(repository, ".", "--write-baseline", "known.json")
    data = (repository / "known.json").read_bytes()
    (repository / "known.json").write_bytes(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    assert check(repository, ".", "--baseline", "known.json")[0] == 0


def test_a_line_too_long_is_known_by_what_follows_the_place(repository: Path) -> None:
    evals = repository / "skills" / "one" / "evals"
    write(evals, ["TODO", *["fine"] * 9], indent=None)
    check(repository, "skills/one", "--write-baseline", "known.json")
    write(evals, ["TODO", *["fine"] * 8, "FIXME"], indent=None)
    code, text = check(repository, "skills/one", "--baseline", "known.json")
    assert (code, text.splitlines()[-1]) == (1, "1 warning in 1 skill; 1 hidden")


def test_fingerprints_tell_equal_lines_apart_by_their_number(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n    x  =  1\ny = 2\n")
    path = str(tmp_path / "a.py")
    found = [ERROR.at(Location(path, line), "m") for line in (1, 2, 3)]
    prints = fingerprints(Report(tuple(found)), str(tmp_path))
    assert len(set(prints.values())) == 3
    fewer = fingerprints(Report(tuple(found[1:])), str(tmp_path))
    assert set(fewer.values()) < set(prints.values())
    other = fingerprints(Report((WARNING.at(Location(path, 1), "m"),)), str(tmp_path))
    assert not set(other.values()) & set(prints.values())


def test_a_whole_file_is_known_by_the_names_in_the_message(tmp_path: Path) -> None:
    def one(message: str) -> str:
        return next(iter(fingerprints(Report((ERROR.at(Location("a"), message),)), str(tmp_path)).values()))

    assert one("there is no `x/y/b.csv`") == one("the file `b.csv` is missing")
    assert one("`b`") != one("`c`")


@given(reports())
def test_any_report_is_known_to_its_own_baseline(tmp_path_factory: pytest.TempPathFactory, report: Report) -> None:
    file = tmp_path_factory.getbasetemp() / "any.json"
    file.write_bytes(dump(report, str(file)).encode("ascii"))
    again = compare(report, str(file), ["."], Settings())
    assert (again.findings, again.stale) == ((), 0)
    assert len(again.hidden) == len(report.hidden) + len(report.findings)


def test_errors_of_a_baseline_are_errors_of_settings() -> None:
    with pytest.raises(SettingsError, match="no such baseline"):
        load("nowhere")
    assert Entry._fields == ("path", "rule", "name", "fingerprint")
