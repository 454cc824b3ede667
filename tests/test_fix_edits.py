"""Fixes as edits for other programs, and remedies that are refused."""

from pathlib import Path
from typing import Any

import pytest

from gradewright.check import check_paths
from gradewright.finding import DropCommas, DropComments, Finding, Fix, Location, RenameKey, Rule, Severity
from gradewright.fix import edits
from gradewright.fix.remedies import RefusedError, applied, applied_all
from gradewright.read.files import Text, read_instead, read_text
from gradewright.settings import Settings

SETTINGS = Settings(harbor_contract=True)
TASK = """\
[environment] # \u00e9
cpus = 1
[verifer]
timeout_sec = 1.0
"""


def test_edits_are_the_same_change(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "task.toml").write_text(TASK, encoding="utf-8")
    (tmp_path / "tests" / "test.sh").write_bytes(b"#!/bin/bash\r\necho 1 > /logs/verifier/reward.txt\r\n")
    count = 0
    for finding in check_paths([str(tmp_path)], SETTINGS).findings:
        if finding.fix:
            [edit] = edits(finding)
            data = Path(edit.path).read_bytes()
            wanted = applied(finding.fix.remedy, data.decode()).encode()
            count += 1
            assert data[: edit.start] + edit.text.encode() + data[edit.end :] == wanted
    assert count == 2


def test_edits_are_small(tmp_path: Path) -> None:
    path = tmp_path / "evals.json"
    path.write_bytes('{"é": [1,], "b": 2}'.encode())
    remedy = DropCommas(Location(str(path)))
    finding = finding_with(remedy)
    assert [edit[1:] for edit in edits(finding)] == [(9, 10, "")]
    path.write_text("{")
    assert edits(finding) == ()
    path.unlink()
    assert edits(finding) == ()


def finding_with(remedy: Any) -> Finding:
    return Finding(Rule("XX001", "x", Severity.ERROR, object), remedy.at, "m", fix=Fix("t", True, remedy))


def test_reading_instead_ends() -> None:
    read_instead({"/nowhere": b"x"})
    assert read_text("/nowhere", "config") == Text("/nowhere", "x", b"x")
    read_instead({})
    assert read_text("/nowhere", "config") is None


@pytest.mark.parametrize(
    ("remedy", "text"),
    [
        (RenameKey(Location("a.yml", keys=("a",)), "b"), "b: 1\na: 2\n"),
        (RenameKey(Location("a.yml", keys=("a",)), "b"), "c: 1\n"),
        (RenameKey(Location("a.yml", keys=("a", "b")), "c"), "a: &x {b: 1}\nd: *x\n"),
        (RenameKey(Location("a.json", keys=("a",)), "b"), '{"\\u0061": 1}'),
        (RenameKey(Location("a.toml", keys=("a",)), "b"), "a = 1\n["),
        (DropComments(Location("a.json")), "{'a': 1} // x"),
    ],
)
def test_what_is_refused(remedy: Any, text: str) -> None:
    with pytest.raises(RefusedError):
        applied(remedy, text)


def test_thousands_of_keys_of_one_file_are_renamed_in_one_pass(tmp_path: Path) -> None:
    rows = [f'{{"id": "c{number}", "prompt": "Convert.", "expectd_output": "x"}}' for number in range(2000)]
    rows[7] = '{"id": "c7", "prompt": "Convert.", "promp": 1, "expectd_output": "x", "expected_output": "y"}'
    text = f'{{"skill_name": "a", "evals": [{", ".join(rows)}]}}'
    path = tmp_path / "evals.json"
    path.write_text(text)
    keys = [
        RenameKey(Location(str(path), keys=("evals", row, "expectd_output")), "expected_output") for row in range(2000)
    ]
    with pytest.raises(RefusedError, match="beside it already"):
        applied_all(keys, text)
    result = applied_all([*keys[:7], *keys[8:]], text)
    assert result == text.replace("expectd", "expected").replace('"promp": 1, "expected', '"promp": 1, "expectd')
