"""SARIF 2.1.0: valid whatever a file holds, the same wherever the repository lies, and with all that a viewer shows."""

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema_rs
import pytest
from hostile import RULES, reports
from hypothesis import given

from gradewright.check import check_paths
from gradewright.finding import Location
from gradewright.model import Hidden, Report
from gradewright.render import PLAIN, Style
from gradewright.render.sarif import render
from gradewright.settings import Settings

HERE = Path(__file__).parent
EXAMPLE = HERE.parent / "examples" / "csv-to-json"
ERROR = RULES[0]


@cache
def validator() -> Any:
    schema = json.loads((HERE / "sarif" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    return jsonschema_rs.validator_for(schema, validate_formats=True)


def run_of(report: Report, style: Style = PLAIN) -> dict[str, Any]:
    """The only run of the report's SARIF, which is valid."""
    document = json.loads(render(report, style))
    assert [str(error) for error in validator().iter_errors(document)] == []
    return document["runs"][0]  # type: ignore[no-any-return]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "repo")
    return tmp_path / "repo"


def test_a_result_names_rule_level_place_and_what_to_do(repository: Path) -> None:
    (repository / "grader.py").write_text("one\n  two\n", encoding="utf-8")
    finding = ERROR.at(Location("grader.py", 2, 3), "metric `a` is reserved", hint="rename it", related=[Location("b")])
    run = run_of(Report((finding,)), Style(exit_code=1))
    (result,) = run["results"]
    (rule,) = run["tool"]["driver"]["rules"]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("GR111", 0, "error")
    assert result["message"]["text"] == "Metric `a` is reserved. Rename it."
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "grader.py", "uriBaseId": "SRCROOT"}
    assert place["region"] == {"startLine": 2, "startColumn": 3}
    assert "region" not in result["relatedLocations"][0]["physicalLocation"]
    assert result["suppressions"] == []
    assert (rule["id"], rule["name"]) == ("GR111", "reserved-metric-name")
    assert rule["shortDescription"]["text"].startswith("A grader writes a metric")
    assert rule["fullDescription"]["text"].startswith(rule["shortDescription"]["text"] + " Grading stops")
    assert "## How to fix it" in rule["help"]["markdown"]
    assert rule["helpUri"] == ERROR.url
    assert rule["defaultConfiguration"]["level"] == rule["properties"]["problem.severity"] == "error"
    assert rule["properties"]["tags"] == ["skillevaluator"]
    assert run["invocations"][0]["exitCode"] == 1
    assert run["columnKind"] == "unicodeCodePoints"
    assert "SRCROOT" in run["originalUriBaseIds"]


def test_a_whole_file_has_no_region_and_brings_its_own_fingerprint() -> None:
    (whole, placed) = run_of(Report((ERROR.at(Location("a"), "x"), ERROR.at(Location("a", 1), "x"))))["results"]
    assert "region" not in whole["locations"][0]["physicalLocation"]
    assert set(whole["partialFingerprints"]) == {"gradewright/v1", "primaryLocationLineHash"}
    assert set(placed["partialFingerprints"]) == {"gradewright/v1"}


@pytest.mark.parametrize("name", ["a b#c?d%.py", "ü/漢.py", "x:y", "\udcff.py"])
def test_paths_are_encoded_and_relative_to_the_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (repository / "sub").mkdir()
    monkeypatch.chdir(repository / "sub")
    for path, wanted in ((name, f"sub/{name}"), (f"../{name}", name), (str(repository / name), name)):
        (result,) = run_of(Report((ERROR.at(Location(path), "x"),)))["results"]
        address = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert unquote(address["uri"], errors="surrogateescape") == wanted
        assert address["uri"].isascii()
        assert address["uriBaseId"] == "SRCROOT"


def test_a_path_outside_of_the_repository_is_named_in_full(repository: Path) -> None:
    (result,) = run_of(Report((ERROR.at(Location("../else where/x"), "x"),)))["results"]
    address = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert address == {"uri": f"file://{repository.parent.as_posix()}/else%20where/x"}


@pytest.mark.parametrize(
    ("source", "kind"), [("settings", "external"), ("command line", "external"), ("a.py:3", "inSource")]
)
def test_what_is_hidden_is_suppressed_with_its_reason(source: str, kind: str) -> None:
    (result,) = run_of(Report((), (Hidden(ERROR.at(Location("a"), "x"), "on purpose", source),)))["results"]
    assert result["suppressions"] == [{"kind": kind, "status": "accepted", "justification": "on purpose"}]


def test_text_of_a_file_makes_no_link() -> None:
    (result,) = run_of(Report((ERROR.at(Location("a"), "is [x](https://example.org)"),)))["results"]
    assert result["message"]["text"] == "Is \\[x\\](https://example.org)."


def test_the_report_of_a_checked_skill_does_not_tell_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = []
    for place in ("one", "another place"):
        (tmp_path / place / ".git").mkdir(parents=True)
        shutil.copytree(EXAMPLE, tmp_path / place / "csv-to-json")
        (tmp_path / place / "csv-to-json" / "evals" / "grader.py").write_text('é = "😀" + oops\n', encoding="utf-8")
        monkeypatch.chdir(tmp_path / place)
        report = check_paths(["."], Settings(harbor_contract=True))
        texts.append(render(report))
    assert texts[0] == texts[1]
    results = run_of(report)["results"]
    region = next(one for one in results if one["ruleId"] == "GR012")["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": 11}


def test_a_fix_tells_what_to_replace_in_characters(repository: Path) -> None:
    skill = Path(shutil.copytree(EXAMPLE, repository / "csv-to-json"))
    path = skill / "evals" / "evals.json"
    text = path.read_text(encoding="utf-8").replace("prompt", "promt", 1).replace('"evals"', '"é😀": 1, "evals"', 1)
    path.write_text(text, encoding="utf-8")
    results = run_of(check_paths(["."], Settings()))["results"]
    (fix,) = (fix for one in results if one["ruleId"] == "DS205" for fix in one["fixes"])
    (change,) = fix["artifactChanges"]
    (replacement,) = change["replacements"]
    assert change["artifactLocation"]["uri"] == "csv-to-json/evals/evals.json"
    start = replacement["deletedRegion"]["charOffset"]
    end = start + replacement["deletedRegion"]["charLength"]
    mended = text[:start] + replacement["insertedContent"]["text"] + text[end:]
    assert mended == text.replace("promt", "prompt")
    assert fix["description"]["text"]


@given(reports())
def test_any_report_is_valid(report: Report) -> None:
    render(report).encode("ascii")
    assert len(run_of(report)["results"]) == len(report.findings) + len(report.hidden)
