"""Which skills and tasks a path stands for."""

import os
from pathlib import Path

import pytest

from gradewright.model import Problem
from gradewright.read.discover import SKILL, TASK, Root, discover, merged


def make(root: Path, *files: str) -> None:
    for name in files:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def roots(path: Path) -> list[Root]:
    return [item for item in discover(str(path)) if isinstance(item, Root)]


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    make(
        tmp_path / "skill",
        "SKILL.md",
        "evals/evals.json",
        "evals/grader.py",
        "evals/files/a.csv",
        "evals/harbor/dataset.toml",
        "evals/harbor/one/task.toml",
        "evals/harbor/one/tests/test.sh",
        "evals/harbor/two/task.toml",
    )
    return tmp_path / "skill"


def test_a_skill_stands_for_itself(skill: Path) -> None:
    assert roots(skill) == [Root(SKILL, str(skill))]


@pytest.mark.parametrize(
    ("below", "only"),
    [
        ("evals", None),
        ("evals/evals.json", None),
        ("evals/harbor", None),
        ("evals/harbor/dataset.toml", None),
        ("evals/grader.py", frozenset()),
        ("evals/files/a.csv", frozenset()),
        ("SKILL.md", frozenset()),
        ("evals/harbor/one", frozenset({"one"})),
        ("evals/harbor/one/task.toml", frozenset({"one"})),
        ("evals/harbor/one/tests", frozenset({"one"})),
        ("evals/harbor/one/tests/test.sh", frozenset({"one"})),
    ],
)
def test_a_part_of_a_skill_stands_for_what_it_can_break(skill: Path, below: str, only: frozenset[str] | None) -> None:
    assert roots(skill / below) == [Root(SKILL, str(skill), only)]


def test_a_bare_task_and_its_files(tmp_path: Path) -> None:
    make(tmp_path / "task", "task.toml", "instruction.md", "tests/test.sh")
    expected = [Root(TASK, str(tmp_path / "task"))]
    assert roots(tmp_path / "task") == expected
    assert roots(tmp_path / "task/tests/test.sh") == expected


def test_a_task_without_task_toml_is_recognised(tmp_path: Path) -> None:
    make(tmp_path / "tasks/broken", "instruction.md", "tests/test.sh")
    assert roots(tmp_path) == [Root(TASK, str(tmp_path / "tasks/broken"))]


def test_a_repository_is_searched_but_not_inside_evals(tmp_path: Path, skill: Path) -> None:
    make(tmp_path, "tasks/a/task.toml", "tasks/b/task.toml", "node_modules/x/task.toml", ".git/x/task.toml")
    make(skill, "evals/results/run/task/task.toml", "evals/files/project/task.toml")
    make(tmp_path / "plain", "SKILL.md")
    assert roots(tmp_path) == [
        Root(SKILL, str(tmp_path / "plain"), named=False),
        Root(SKILL, str(skill)),
        Root(TASK, str(tmp_path / "tasks/a")),
        Root(TASK, str(tmp_path / "tasks/b")),
    ]


def test_a_skill_without_evals_is_told_apart_from_one_that_was_named(tmp_path: Path) -> None:
    make(tmp_path / "plain", "SKILL.md")
    assert roots(tmp_path / "plain") == [Root(SKILL, str(tmp_path / "plain"))]
    assert roots(tmp_path) == [Root(SKILL, str(tmp_path / "plain"), named=False)]
    assert roots(tmp_path / "plain/SKILL.md") == []


def test_links_are_not_followed(tmp_path: Path) -> None:
    make(tmp_path / "tasks/a", "task.toml")
    os.symlink(tmp_path / "tasks", tmp_path / "tasks" / "loop")
    assert roots(tmp_path) == [Root(TASK, str(tmp_path / "tasks/a"))]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_locked_folder_is_a_problem_and_the_rest_goes_on(tmp_path: Path) -> None:
    make(tmp_path, "a/task.toml", "locked/x")
    (tmp_path / "locked").chmod(0)
    found = list(discover(str(tmp_path)))
    (tmp_path / "locked").chmod(0o755)
    assert [type(item) for item in found] == [Root, Problem]


def test_merging_names_each_root_once(skill: Path) -> None:
    one, two = skill / "evals/harbor/one/task.toml", skill / "evals/harbor/two/task.toml"
    assert merged(item for path in (one, two, one) for item in discover(str(path))) == [
        Root(SKILL, str(skill), frozenset({"one", "two"}))
    ]
    assert merged(item for path in (one, skill) for item in discover(str(path))) == [Root(SKILL, str(skill))]


def test_relative_paths_stay_relative(skill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(skill)
    assert roots(Path("evals/harbor/one")) == [Root(SKILL, ".", frozenset({"one"}))]
    assert roots(Path(".")) == [Root(SKILL, ".")]
    monkeypatch.chdir(skill / "evals" / "harbor" / "one")
    assert roots(Path(".")) == [Root(SKILL, os.path.join("..", "..", ".."), frozenset({"one"}))]
