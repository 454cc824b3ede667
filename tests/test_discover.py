"""Which skills and tasks a path stands for."""

import os
from pathlib import Path

import pytest

from gradewright.model import Problem
from gradewright.read.discover import SKILL, TASK, WORKSPACE, Root, discover, merged
from gradewright.read.skill.workspace import gradings_below, gradings_of_skill


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


def test_what_two_links_lead_to_is_one_root(skill: Path, tmp_path: Path) -> None:
    os.symlink(skill, tmp_path / "link")
    make(tmp_path / "tasks/a", "task.toml")
    os.symlink(tmp_path / "tasks", tmp_path / "other")
    paths = [tmp_path / "link", skill, skill / "evals", tmp_path / "tasks", tmp_path / "other"]
    found = merged(item for path in paths for item in discover(str(path)))
    assert [item.path for item in found if isinstance(item, Root)] == [
        str(tmp_path / "link"),
        str(tmp_path / "tasks/a"),
    ]


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


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    make(
        tmp_path / "csv-workspace",
        "iteration-1/benchmark.json",
        "iteration-1/eval-0/eval_metadata.json",
        "iteration-1/eval-0/with_skill/run-1/grading.json",
        "iteration-1/eval-0/with_skill/run-1/outputs/a.csv",
        "iteration-1/eval-0/without_skill/run-1/outputs/grading.json",
        "iteration-1/adds-up/with_skill/grading.json",
        "notes/grading.json",
    )
    return tmp_path / "csv-workspace"


@pytest.mark.parametrize(
    "below",
    [
        ".",
        "iteration-1",
        "iteration-1/eval-0",
        "iteration-1/adds-up",
        "iteration-1/eval-0/with_skill",
        "iteration-1/eval-0/with_skill/run-1",
        "iteration-1/eval-0/with_skill/run-1/grading.json",
    ],
)
def test_every_level_of_a_workspace_stands_for_itself(workspace: Path, below: str) -> None:
    path = os.path.normpath(workspace / below)
    assert roots(Path(path)) == [Root(WORKSPACE, path)]
    assert gradings_below(path)


def test_a_workspace_is_come_across_beside_its_skill(workspace: Path, skill: Path) -> None:
    assert roots(workspace.parent) == [Root(WORKSPACE, str(workspace)), Root(SKILL, str(skill))]
    places = [Path(place.path).relative_to(workspace).as_posix() for place in gradings_below(str(workspace))]
    assert sorted(places) == [
        "iteration-1/adds-up/with_skill/grading.json",
        "iteration-1/eval-0/with_skill/run-1/grading.json",
        "iteration-1/eval-0/without_skill/run-1/outputs/grading.json",
    ]


def test_evaluations_with_names_of_their_own_are_come_across(tmp_path: Path) -> None:
    make(tmp_path, "bench/adds-up/with_skill/run-1/grading.json", "bench/notes/grading.json", "with_skill/notes.md")
    assert roots(tmp_path) == [Root(WORKSPACE, str(tmp_path / "bench" / "adds-up"))]


def test_a_workspace_in_a_skill_is_read_with_it(skill: Path) -> None:
    make(skill, "iteration-1/eval-0/with_skill/grading.json", "evals/iteration-2/sum/with_skill/run-1/grading.json")
    assert roots(skill) == [Root(SKILL, str(skill))] == roots(skill.parent)
    assert len(gradings_of_skill(str(skill))) == 2
    inside = skill / "iteration-1" / "eval-0" / "with_skill" / "grading.json"
    both = [item for path in (skill, inside) for item in discover(str(path))]
    assert merged(iter(both)) == [Root(SKILL, str(skill))]


def test_a_file_in_a_workspace_that_is_named_too_is_read_once(workspace: Path) -> None:
    grading = workspace / "iteration-1" / "eval-0" / "with_skill" / "run-1" / "grading.json"
    both = [item for path in (grading, workspace) for item in discover(str(path))]
    assert merged(iter(both)) == [Root(WORKSPACE, str(workspace))]


@pytest.mark.parametrize("below", ["evals/harbor/one/tests/grading.json", "evals/files/grading.json"])
def test_a_file_of_that_name_that_belongs_to_a_skill_stands_for_the_skill(skill: Path, below: str) -> None:
    make(skill, below)
    assert [root.kind for root in roots(skill / below)] == [SKILL]


def test_tasks_with_names_of_evaluations_are_no_workspace(tmp_path: Path) -> None:
    make(tmp_path, "eval-1/task.toml", "eval-1/tests/grading.json", "eval-2/task.toml", "eval-2/grading.json")
    assert [root.kind for root in roots(tmp_path)] == [TASK, TASK]
