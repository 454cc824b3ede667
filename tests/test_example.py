"""The shipped example: its graders tell good work from bad, its solutions earn the full score."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from rendered import PYTHON, Bench, grader_text
from test_templates import BLOCK

EXAMPLE = Path(__file__).parent.parent / "examples" / "csv-to-json"
EVALS = EXAMPLE / "evals"
CASES = {"inventory": "inventory.csv", "quoted-fields": "letters.csv"}
GRADERS = sorted(EXAMPLE.rglob("grader.py"))


@pytest.mark.parametrize("grader", GRADERS, ids=lambda path: path.relative_to(EXAMPLE).as_posix())
def test_graders_have_the_present_contract(grader: Path) -> None:
    """`UPDATE_FINDINGS=1` renews the block after the template has changed."""
    new = BLOCK.search(grader_text(PYTHON, ["a"]))
    text = grader.read_text(encoding="utf-8")
    old = BLOCK.search(text)
    assert new and old
    if os.environ.get("UPDATE_FINDINGS"):
        grader.write_text(text.replace(old[0], new[0]), encoding="utf-8")
    else:
        assert old[0] == new[0]


def bench(folder: Path, grader: Path, case: str) -> Bench:
    made = Bench(folder, PYTHON, grader.read_text(encoding="utf-8"))
    (made.workspace / "output").mkdir()
    (made.workspace / "input").mkdir()
    shutil.copy(EVALS / "files" / CASES[case], made.workspace / "input")
    entry = next(e for e in json.loads((EVALS / "evals.json").read_text())["evals"] if e["id"] == case)
    made.entry.write_text(json.dumps({**entry, "has_skill": True}))
    return made


@pytest.mark.parametrize("case", CASES)
def test_the_solution_is_right_and_nothing_less(tmp_path: Path, case: str) -> None:
    native = EVALS / "harbor" / case
    assert (native / "environment" / "input" / CASES[case]).read_bytes() == (EVALS / "files" / CASES[case]).read_bytes()
    for number, grader in enumerate((EVALS / "grader.py", native / "tests" / "grader.py")):
        place = bench(tmp_path / str(number), grader, case)
        assert place.run("--harbor").reward == {"overall": 0.0, "rows_right": 0.0, "keys_right": 0.0}
        script = (native / "solution" / "solve.sh").read_text().replace("/workspace", str(place.workspace))
        # the path has a blank, which the quoted parts of the script bear and its unquoted word does not
        script = script.replace(f"mkdir -p {place.workspace}/output", "")
        subprocess.run(["bash", "-c", script], check=True)
        assert place.run("--harbor").reward == {"overall": 1.0, "rows_right": 1.0, "keys_right": 1.0}
        result = place.workspace / "output" / "records.json"
        records = json.loads(result.read_text())
        for worse in ([], records[:-1], records + records, [*records[1:], records[0]], [list(records[0])], "x", {}):
            result.write_text(json.dumps(worse))
            outcome = place.run("--harbor")
            assert outcome.status == 0, outcome.stderr
            assert outcome.reward["overall"] < 1.0
