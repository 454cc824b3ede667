"""Which files of a task a `.harborignore` keeps back: as Harbor decides it."""

import random
from pathlib import Path

import pytest

from gradewright.read.task.harborignore import withheld

FILES = (
    "tests/test.sh", "tests/grader.py", "tests/data/a.csv", "tests/data/deep/b.csv", "tests/data/test.sh",
    "tests/.hidden", "tests/a b.txt", "solution/solve.sh", "environment/test.sh", "steps/one/tests/test.sh",
    "steps/one/instruction.md", "instruction.md",
)  # fmt: skip
PATTERNS = (
    "*", "*.sh", "test.sh", "/test.sh", "data", "data/", "data/*", "data/**", "**/b.csv", "**/deep/",
    "/data/deep/b.csv", "deep/b.csv", "!test.sh", "!data/", "!*.csv", "# test.sh", "", "  ", "test.?h", "[tg]*",
    "[!t]*", "**", "a b.txt", "/", "tests/test.sh", "a b.txt  ", "data/*/b.csv", "**/data/**/b.csv", "/*", "!/data",
)  # fmt: skip
HOMES = ("tests", "tests", "tests/data", "solution", "steps/one/tests", "environment", ".")


def build(folder: Path, rules: dict[str, list[str]]) -> frozenset[str]:
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x\n", encoding="utf-8")
    for home, lines in rules.items():
        (folder / home / ".harborignore").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return frozenset(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def hidden(folder: Path, present: frozenset[str]) -> set[str]:
    return {item.path for item in withheld(str(folder), present)}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["test.sh"], {"tests/test.sh", "tests/data/test.sh"}),
        (["/test.sh"], {"tests/test.sh"}),
        (["data/"], {"tests/data/a.csv", "tests/data/deep/b.csv", "tests/data/test.sh"}),
        (["data/**/b.csv"], {"tests/data/deep/b.csv"}),
        (["data/*", "!data/a.csv"], {"tests/data/deep/b.csv", "tests/data/test.sh"}),
        (["*.csv", "!*.csv"], set()),
        (["data\\/"], set()),
    ],
)
def test_patterns(tmp_path: Path, lines: list[str], expected: set[str]) -> None:
    assert hidden(tmp_path, build(tmp_path, {"tests": lines})) == expected


def test_the_pattern_that_hides_is_named(tmp_path: Path) -> None:
    present = build(tmp_path, {"tests": ["# no", "*.py", "", "grader.*"]})
    assert [(item.path, item.at.line) for item in withheld(str(tmp_path), present)] == [("tests/grader.py", 4)]


@pytest.mark.harbor
@pytest.mark.parametrize("seed", range(60))
def test_harbor_decides_the_same(tmp_path: Path, seed: int) -> None:
    filters = pytest.importorskip("harbor.models.task.file_filter", reason="needs the extra `harbor`")
    chance = random.Random(seed)
    rules = {home: chance.choices(PATTERNS, k=chance.randint(1, 4)) for home in chance.sample(HOMES, 3)}
    present = build(tmp_path, rules)
    ours = hidden(tmp_path, present)
    decide = filters.TaskFileFilter(tmp_path)
    theirs = {name for name in present if (tmp_path / name).is_file() and decide.is_excluded(tmp_path / name)}
    assert ours == {name for name in theirs if not name.endswith(".harborignore")}, rules
