"""Whatever is done to a healthy skill, checking it ends in a report: every file is mutated in turn, at random."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradewright.check import check_paths
from gradewright.render.json import render as render_json
from gradewright.render.text import render as render_text
from gradewright.settings import Settings

EXAMPLE = Path(__file__).parent.parent / "examples" / "csv-to-json"
FILES = sorted(
    str(path.relative_to(EXAMPLE)) for path in EXAMPLE.rglob("*") if path.is_file() and path.suffix != ".csv"
)
FRAGMENTS = [
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"\t",
    b"{",
    b"[",
    b"]]",
    b'"',
    b"'''",
    b"${",
    b"$(",
    b"<<E",
]
FRAGMENTS += [
    b"&a",
    b"*a",
    b": ",
    b"- ",
    b"#",
    b"\\",
    b"\\ud800",
    b"NaN",
    b"1e999",
    b"null",
    b"yes",
    b"`",
    b"\xe2\x80\xae",
]

places = st.floats(0, 1, exclude_max=True)
edits = st.lists(
    st.tuples(st.sampled_from(["insert", "delete", "repeat", "cut"]), places, st.sampled_from(FRAGMENTS)),
    min_size=1,
    max_size=6,
)


def mutated(data: bytes, changes: list[tuple[str, float, bytes]]) -> bytes:
    """`data` after some small accidents."""
    for kind, place, fragment in changes:
        at = int(place * len(data))
        if kind == "insert":
            data = data[:at] + fragment + data[at:]
        elif kind == "delete":
            data = data[:at] + data[at + len(fragment) * 3 :]
        elif kind == "repeat":
            data = data[:at] + data[at : at + 40] * 50 + data[at:]
        else:
            data = data[:at]
    return data


@pytest.fixture(scope="module")
def skill(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("mutated") / "csv-to-json"))


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=edits)
def test_a_mutated_file_gives_a_report(skill: Path, name: str, changes: list[tuple[str, float, bytes]]) -> None:
    path = skill / name
    original = path.read_bytes()
    try:
        path.write_bytes(mutated(original, changes))
        report = check_paths([str(skill)], Settings(harbor_contract=True, jobs=1))
        render_text(report).encode("utf-8", "strict")
        render_json(report).encode("ascii", "strict")
    finally:
        path.write_bytes(original)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_gives_a_report(skill: Path, name: str) -> None:
    path = skill / name
    moved = path.rename(path.with_name("moved-away"))
    try:
        check_paths([str(skill)], Settings(harbor_contract=True, jobs=1))
    finally:
        moved.rename(path)
