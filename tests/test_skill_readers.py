"""The readers of a skill's own files: shapes, fallbacks, and what they make of broken input."""

import os
import shutil
from pathlib import Path

import pytest

from gradewright.check import check_paths
from gradewright.model import (
    BOM,
    LINK_LOOP,
    MISSING_KEY,
    NOT_CLOSED,
    NOT_UTF8,
    OVERSIZED,
    SYNTAX,
    WRONG_TYPE,
    Dataset,
    Problem,
)
from gradewright.read.discover import SKILL, Root
from gradewright.read.skill.dataset import MAX_ENTRIES, read_dataset
from gradewright.read.skill.folder import layout, list_fixtures, read_front_matter
from gradewright.read.skill.manifest import read_manifest
from gradewright.read.skill.policy import read_policy
from gradewright.read.task.tree import list_task
from gradewright.read.walk import case_folders
from gradewright.settings import Settings

ENTRY = '{"id": "a", "prompt": "Convert.", "expected_output": "A list.", "files": []}'
LEGACY = '{"id": "a", "question": "Convert.", "ground_truth": "A list.", "expected_behavior": ["Reads it"]}'


def dataset(folder: Path, name: str, content: str) -> tuple[Dataset | None, list[Problem]]:
    (folder / name).write_text(content, encoding="utf-8")
    problems: list[Problem] = []
    return read_dataset(str(folder), problems), problems


@pytest.mark.parametrize(
    ("name", "content", "shape", "keys"),
    [
        ("evals.json", f'{{"skill_name": "s", "evals": [{ENTRY}]}}', "agentskills", ("evals", 0)),
        ("evals.json", f"[{LEGACY}]", "legacy", (0,)),
        ("evals.json", f'{{"skill": "s", "cases": [{LEGACY}]}}', "cases", ("cases", 0)),
        ("evals.json", ENTRY, "single", ()),
        ("evals.jsonl", f"{LEGACY}\n\n", "lines", (0,)),
        ("evals.yaml", f"skill_name: s\nevals:\n  - {ENTRY}\n", "agentskills", ("evals", 0)),
        ("evals.yml", "- {id: a, question: Convert., ground_truth: A list.}\n", "legacy", (0,)),
    ],
)  # fmt: skip
def test_every_shape_gives_the_same_case(
    tmp_path: Path, name: str, content: str, shape: str, keys: tuple[str | int, ...]
) -> None:
    found, problems = dataset(tmp_path, name, content)
    assert found is not None and not problems
    assert (found.shape, found.skill_name) == (shape, "s" if '"s"' in content or ": s\n" in content else None)
    (case,) = found.cases
    assert (case.id, case.prompt, case.expected_output, case.at.keys) == ("a", "Convert.", "A list.", keys)


def test_values_stay_as_they_are_written(tmp_path: Path) -> None:
    found, _ = dataset(
        tmp_path, "evals.yaml", "evals:\n  - {id: 012, prompt: yes, expected_output: 75.25, assertions: x}\n"
    )
    assert found is not None
    (case,) = found.cases
    assert (case.id, case.prompt, case.expected_output, case.assertions) == (10, True, 75.25, "x")


def test_places_follow_the_key_that_is_there(tmp_path: Path) -> None:
    found, _ = dataset(tmp_path, "evals.json", f"[{LEGACY}, {ENTRY}, {{}}]")
    assert found is not None
    assert [case.prompt_at.keys[-1] for case in found.cases] == ["question", "prompt", "prompt"]
    assert found.cases[0].assertions_at.keys == (0, "expected_behavior")
    assert [case.fixtures for case in found.cases] == [None, (), None]


def test_the_first_dataset_wins(tmp_path: Path) -> None:
    (tmp_path / "evals.yml").write_text("evals: [")
    (tmp_path / "evals.jsonl").write_text(LEGACY)
    found, problems = dataset(tmp_path, "evals.json", f"[{LEGACY}]")
    assert found is not None and not problems
    assert [os.path.basename(at.path) for at in found.ignored] == ["evals.jsonl", "evals.yml"]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("{", SYNTAX),
        ("3", WRONG_TYPE),
        ('{"evals": 3}', WRONG_TYPE),
        ('{"evals": ["a", 1]}', WRONG_TYPE),
        ("\0", NOT_UTF8),
    ],
)
def test_nothing_is_concluded_from_a_dataset_that_cannot_be_read(tmp_path: Path, content: str, kind: str) -> None:
    found, problems = dataset(tmp_path, "evals.json", content)
    assert found is not None
    assert (found.shape, found.cases) == ("unreadable", ())
    assert {problem.kind for problem in problems} == {kind}


def test_no_dataset_is_none(tmp_path: Path) -> None:
    assert read_dataset(str(tmp_path), []) is None
    assert read_dataset(str(tmp_path / "evals"), []) is None


def test_a_folder_in_place_of_the_dataset_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "evals.json").mkdir()
    problems: list[Problem] = []
    found = read_dataset(str(tmp_path), problems)
    assert found is not None and found.shape == "unreadable" and problems


def test_too_many_entries_are_a_problem(tmp_path: Path) -> None:
    found, problems = dataset(tmp_path, "evals.json", "[" + ",".join(["{}"] * (MAX_ENTRIES + 1)) + "]")
    assert found is not None and found.shape == "unreadable"
    assert [problem.kind for problem in problems] == [OVERSIZED]


@pytest.mark.parametrize(
    ("path", "state", "elsewhere"),
    [
        ("files/a.csv", "found", ""),
        ("./files//a.csv", "found", ""),
        ("evals/files/a.csv", "found", ""),
        ("files", "found", ""),
        ("a.csv", "missing", "files/a.csv"),
        ("files/b.csv", "missing", "files/deep/B.csv"),
        ("data/c.csv", "missing", "../data/c.csv"),
        ("files/none.csv", "missing", ""),
        ("files/a.csv/b", "missing", ""),
        ("files/" + "x" * 300, "missing", ""),
        ("x/" * 5000, "missing", ""),
        ("files/\ud800", "missing", ""),
        ("files/\0", "missing", ""),
        ("/etc/passwd", "absolute", ""),
        ("C:/a.csv", "absolute", ""),
        ("../SKILL.md", "escapes", ""),
        ("files/../../a", "escapes", ""),
        ("files\\a.csv", "backslash", ""),
        ("https://example.org/a", "uri", ""),
        ("file:a", "uri", ""),
        ("files/link.csv", "link", ""),
        ("files/linked/a.csv", "link", ""),
        ("evals.json", "evaluator", ""),
        ("evals/grader.sh", "evaluator", ""),
        ("harbor/x/task.toml", "evaluator", ""),
        ("evals", "evaluator", ""),
        (".", "evaluator", ""),
        ("SKILL.md", "evaluator", ""),
        ("files/config.yml", "found", ""),
        (" ", "blank", ""),
    ],
)  # fmt: skip
def test_fixtures_resolve_as_staging_does(tmp_path: Path, path: str, state: str, elsewhere: str) -> None:
    import json

    evals = tmp_path / "evals"
    (evals / "files" / "deep").mkdir(parents=True)
    (tmp_path / "data").mkdir()
    for name in ("evals/files/a.csv", "evals/files/deep/B.csv", "data/c.csv", "evals/files/config.yml"):
        (tmp_path / name).write_text("a")
    (evals / "files" / "link.csv").symlink_to("a.csv")
    (evals / "files" / "linked").symlink_to("../../data")
    found, _ = dataset(evals, "evals.json", json.dumps({"evals": [{"id": "a", "files": path}]}))
    assert found is not None and found.cases[0].fixtures
    (fixture,) = found.cases[0].fixtures
    assert (fixture.state, fixture.elsewhere) == (state, elsewhere)


def test_fixtures_are_listed_with_their_problems(tmp_path: Path) -> None:
    pool = tmp_path / "evals" / "files"
    (pool / "b").mkdir(parents=True)
    (pool / "b" / "x.csv").write_text("")
    (pool / "a.csv").write_text("")
    os.mkfifo(pool / "pipe")
    (pool / "gone").symlink_to("nowhere")
    problems: list[Problem] = []
    names = list_fixtures(str(tmp_path / "evals"), problems)
    assert names == ("files/a.csv", "files/b/x.csv", "files/gone", "files/pipe")
    assert sorted(problem.kind for problem in problems) == ["irregular", "link-dangles"]
    assert list_fixtures(str(tmp_path), []) == ()


def test_policy_has_the_defaults_of_the_platform(tmp_path: Path) -> None:
    policy = read_policy(str(tmp_path), [])
    assert (policy.mode, policy.task_source, policy.pass_threshold, policy.exists) == ("default", "auto", 0.5, False)
    (tmp_path / "config.yaml").write_text("schema_version: 1\nharbor: {task_source: native_harbor}\n")
    problems: list[Problem] = []
    policy = read_policy(str(tmp_path), problems)
    assert (policy.mode, policy.task_source, policy.exists, problems) == ("default", "native_harbor", True, [])
    assert policy.written == {"schema_version", "harbor", "harbor.task_source"}
    (tmp_path / "config.yml").write_text("schema_version: 1\ngrading:\n  mode: custom_only\n")
    policy = read_policy(str(tmp_path), problems)
    assert policy.mode == "custom_only"
    assert [os.path.basename(at.path) for at in policy.ignored] == ["config.yaml"]


@pytest.mark.parametrize(
    "content", ["grading: [", "- a\n", "grading: custom_only\nharbor: native\n", "grading:\n", "3"]
)
def test_nothing_is_concluded_from_a_policy_that_cannot_be_read(tmp_path: Path, content: str) -> None:
    (tmp_path / "config.yml").write_text(content)
    problems: list[Problem] = []
    policy = read_policy(str(tmp_path), problems)
    assert policy.mode is None and policy.exists
    assert problems


def test_manifest(tmp_path: Path) -> None:
    path = tmp_path / "dataset.toml"
    assert read_manifest(str(path), []) is None
    path.write_text('[dataset]\nname = "o/d"\n\n[[tasks]]\nname = "o/a"\n\n[[tasks]]\ndigest = 3\n')
    problems: list[Problem] = []
    manifest = read_manifest(str(path), problems)
    assert manifest is not None and manifest.readable and not problems
    assert (manifest.name, [(task.name, task.digest) for task in manifest.tasks]) == ("o/d", [("o/a", None), (None, 3)])
    for content, readable in (("[dataset", False), ("dataset = 3", False), ("tasks = [1]", False), ("", True)):
        path.write_text(content)
        problems = []
        manifest = read_manifest(str(path), problems)
        assert manifest is not None and manifest.readable is readable
        assert bool(problems) is not readable


def head(path: Path, content: bytes) -> tuple[object, list[str]]:
    path.write_bytes(content)
    problems: list[Problem] = []
    found = read_front_matter(str(path), problems)
    return (found.name, found.description) if found else None, [problem.kind for problem in problems]


def test_front_matter(tmp_path: Path) -> None:
    path = tmp_path / "SKILL.md"
    assert head(path, b"---\nname: a\ndescription: b\n---\n# a\n---\n") == (("a", "b"), [])
    assert head(path, b"---\r\nname: a\r\ndescription: >\r\n  b\r\n  c\r\n---\r\n") == (("a", "b c\n"), [])
    assert head(path, "\ufeff---\nname: ü\n---".encode()) == (("ü", None), [BOM])
    assert head(path, b"---\n---\n") == ((None, None), [])
    assert head(path, b"") == (None, [MISSING_KEY])
    assert head(path, b"# a\n---\nname: a\n---\n") == (None, [MISSING_KEY])
    assert head(path, b"---\nname: a\n----\n") == (None, [NOT_CLOSED])
    assert head(path, b"---\nname: a: b\n---\n") == (None, [SYNTAX])
    assert head(path, b"---\n- a\n---\n") == (None, [WRONG_TYPE])
    assert head(path, b"---\nname: \xff\n---\n") == (None, ["not-utf8"])


def test_lines_of_the_front_matter_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "SKILL.md"
    path.write_text("---\nlicense: MIT\ndescription: b\nname: a\n---\n")
    found = read_front_matter(str(path), [])
    assert found is not None
    assert (found.name_at.line, found.description_at.line) == (4, 3)
    path.write_text("---\nlicense: MIT\ndescription: b: c\n---\n")
    problems: list[Problem] = []
    read_front_matter(str(path), problems)
    assert [problem.at.line for problem in problems] == [3]


def test_layout(tmp_path: Path) -> None:
    for name in ("SKILL.md", "evals/evals.json", "evals/harbor/dataset.toml", "evals/harbor/results/task.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert layout(str(tmp_path)) == {
        "SKILL.md", "evals", "evals/evals.json", "evals/harbor", "evals/harbor/dataset.toml",
        "evals/harbor/results/task.toml",
    }  # fmt: skip
    assert layout(str(tmp_path / "none")) == frozenset()


def test_a_link_that_leads_back_to_itself_hides_nothing_beside_it(tmp_path: Path) -> None:
    for folder in ("evals/harbor/case-001", "evals/harbor/results", "scripts"):
        (tmp_path / folder).mkdir(parents=True)
    for folder in ("", "evals", "evals/harbor", "evals/harbor/case-001"):
        for name in ("aa", "loop", "zz"):
            (tmp_path / folder / name).symlink_to(name)
    (tmp_path / "evals" / "evals.json").write_text("[]")
    assert {"scripts", "evals", "evals/evals.json", "evals/harbor", "evals/harbor/loop"} <= layout(str(tmp_path))
    folders, problems = case_folders(Root(SKILL, str(tmp_path)))
    harbor = str(tmp_path / "evals" / "harbor")
    assert folders == [f"{harbor}/case-001"]
    assert [(problem.kind, problem.at.path) for problem in problems] == [
        (LINK_LOOP, f"{harbor}/{name}") for name in ("aa", "loop", "zz")
    ]
    assert case_folders(Root(SKILL, str(tmp_path), frozenset({"case-001"}))) == (folders, [])
    found: list[Problem] = []
    tree = list_task(f"{harbor}/case-001", found)
    assert (tree.present, [problem.kind for problem in found]) == (frozenset(), [LINK_LOOP] * 3)


def test_a_looping_link_brings_no_finding_but_its_own(tmp_path: Path) -> None:
    skill = Path(shutil.copytree(Path(__file__).parent / "bases" / "case", tmp_path / "csv2json"))
    before = check_paths([str(skill)], Settings(harbor_contract=True))
    for folder in ("", "evals", "evals/harbor"):
        (skill / folder / "loop").symlink_to("loop")
    after = check_paths([str(skill)], Settings(harbor_contract=True))
    assert after.tasks == before.tasks == 1
    assert [finding.rule.code for finding in after.findings] == ["RD005"] * 3
