"""Reading a native Harbor task: what the nodes say of its image, its steps, its files."""

import os
from pathlib import Path

import pytest

from gradewright.model import LINK_ESCAPES, LINK_LOOP, Problem, Task
from gradewright.read.task.native import read_brief, read_task
from gradewright.read.task.plan import read_plan


def write(folder: Path, **files: str) -> Path:
    """A folder with these files."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def read(folder: Path, *, in_skill: bool = False) -> tuple[Task, list[Problem]]:
    problems: list[Problem] = []
    return read_task(str(folder), problems, in_skill=in_skill), problems


@pytest.mark.parametrize(
    ("dockerfile", "python"),
    [
        ("FROM python:3.10-slim", "3.10"),
        ("FROM python:3.9", "3.9"),
        ("from python:3.13-rc-bookworm", "3.13"),
        ("FROM docker.io/library/python:3.11.4@sha256:00", "3.11"),
        ("FROM registry.example.org:5000/mirror/python:3.8-alpine", "3.8"),
        ("ARG V=3.12\nFROM python:${V}-slim", "3.12"),
        ("ARG V\nFROM python:${V:-3.11}-slim", "3.11"),
        ("FROM --platform=linux/amd64 python:3.10 AS base\nRUN true\nFROM base\nRUN true", "3.10"),
        ("FROM python:3.8 AS build\nRUN make\nFROM python:3.12-slim\nCOPY --from=build /x /x", "3.12"),
        ("FROM ghcr.io/astral-sh/uv:python3.12-bookworm-slim", "3.12"),
        ("FROM nikolaik/python-nodejs:python3.10-nodejs20", "3.10"),
        ("FROM python:3.10\nRUN <<EOF\necho FROM python:3.9\nEOF", "3.10"),
        ("FROM python", None),
        ("FROM python:3-slim", None),
        ("FROM python:latest", None),
        ("FROM ubuntu:22.04\nRUN apt-get install -y python3", None),
        ("FROM pypy:3.10", None),
        ("FROM python:$UNKNOWN", None),
        ("FROM python:3.10\nENV PATH=/opt/venv/bin:$PATH", None),
        ("FROM python:3.10\nRUN uv venv --python 3.13 /x", None),
        ("FROM python:3.10\nRUN <<EOF\npyenv install 3.13\nEOF", None),
        ("FROM continuumio/miniconda3", None),
        ("", None),
    ],
)
def test_python_of_an_image(dockerfile: str, python: str | None) -> None:
    assert read_plan(dockerfile).python == python


@pytest.mark.parametrize(
    ("dockerfile", "paths"),
    [
        ("FROM a\nCOPY a b /x", ["a", "b"]),
        ("FROM a\ncopy --chown=1:1 --link a /x", ["a"]),
        ('FROM a\nCOPY ["a b", "c", "/x/"]', ["a b", "c"]),
        ("FROM a\nCOPY [not json] /x", ["not"]),
        ("FROM a\nCOPY a \\\n# comment\n\n  b \\\n /x", ["a", "b"]),
        ("FROM a\r\nCOPY a \\\r\n b /x\r\n", ["a", "b"]),
        ("FROM a\nCOPY onlyone", []),
        ("FROM a\nCOPY", []),
        ("FROM a\nRUN <<EOF\nCOPY a /x\nEOF\nCOPY b /x", ["b"]),
        ("FROM a\nRUN <<EOF\nnever ends\nCOPY b /x", ["b"]),
        (
            "FROM a AS one\nCOPY a /x\nFROM b AS two\nCOPY b /x\nFROM c\nRUN --mount=type=bind,from=two,src=/x cat",
            ["b"],
        ),
        ("FROM a\nCOPY a /x\nFROM b\nCOPY b /x\nFROM c\nCOPY --from=0 /x /x", ["a"]),
        ("COPY a /x", []),
    ],
)
def test_local_paths_that_a_dockerfile_copies(dockerfile: str, paths: list[str]) -> None:
    wanted = [] if paths == ["not"] else paths
    assert [path for path, _, _ in read_plan(dockerfile).paths] == wanted


def test_a_whole_task(tmp_path: Path) -> None:
    files = {
        "task.toml": '[metadata]\nentry_id = "other"\n',
        "instruction.md": "Do it.\n",
        "environment/Dockerfile": "FROM python:3.11-slim\n",
        "tests/test.sh": "#!/bin/bash\npython3 /tests/grader.py\n",
        "tests/grader.py": "print(1)\n",
        "tests/lib/help.py": "x = 1\n",
        "tests/data.json": "{}\n",
        "solution/solve.sh": "#!/bin/bash\necho\n",
    }
    task, problems = read(write(tmp_path / "case-001", **files), in_skill=True)
    assert problems == []
    assert (task.entry_id, task.entry_id_at.keys) == ("other", ("metadata", "entry_id"))
    assert (task.instruction, task.solution, task.missing) == ("Do it.\n", "#!/bin/bash\necho\n", ())
    assert task.test_script and task.test_script.role == "test"
    assert task.grader and (task.grader.role, task.grader.python) == ("grader", "3.11")
    assert [os.path.basename(helper.at.path) for helper in task.helpers] == ["help.py"]
    assert set(files) <= task.present


def test_the_entry_id_falls_back_to_the_folder(tmp_path: Path) -> None:
    for number, text in enumerate(["", "metadata = 5", '[metadata]\nentry_id = ""', "[broken"]):
        folder = write(tmp_path / f"case-{number}", **{"task.toml": text})
        assert read(folder)[0].entry_id == f"case-{number}"
        assert read_brief(str(folder)).entry_id == f"case-{number}"


def test_a_brief_agrees_with_the_task(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "case",
        **{
            "task.toml": '[task]\nname = "a/b"\n[metadata]\nentry_id = 3\n',
            "tests/grader.sh": "x\n",
            "tests/test.sh": "",
        },
    )
    brief = read_brief(str(folder))
    assert (brief.entry_id, brief.name, brief.scripts) == (3, "a/b", ("grader.sh", "test.sh"))


def test_steps_have_scripts_and_instructions_of_their_own(tmp_path: Path) -> None:
    files = {
        "task.toml": '[[steps]]\nname = "one"\n\n[[steps]]\nname = "two"\n\n[[steps]]\nname = "../x"\n',
        "steps/one/instruction.md": "First.\n",
        "steps/one/tests/test.sh": "echo 1 > /logs/verifier/reward.txt\n",
        "steps/one/tests/help.py": "x = 1\n",
        "steps/two/instruction.md": "Second.\n",
        "tests/test.sh": "echo 1 > /logs/verifier/reward.txt\n",
    }
    task, _ = read(write(tmp_path / "task", **files))
    assert [(step.name, step.instruction) for step in task.steps] == [("one", "First.\n"), ("two", "Second.\n")]
    assert [script.role for script in task.steps[0].scripts] == ["test", "helper"]
    assert task.missing == ()
    assert [path.rpartition("task/")[2] for path, _ in task.instructions] == [
        "steps/one/instruction.md",
        "steps/two/instruction.md",
    ]


def test_the_verifiers_image_decides_about_its_python(tmp_path: Path) -> None:
    files = {
        "task.toml": '[verifier]\nenvironment_mode = "separate"\n',
        "environment/Dockerfile": "FROM python:3.9\n",
        "tests/Dockerfile": "FROM python:3.13\n",
        "tests/test_it.py": "x = 1\n",
    }
    task, _ = read(write(tmp_path / "task", **files))
    assert task.image.python == "3.9"
    assert [helper.python for helper in task.helpers] == ["3.13"]


def test_links_are_followed_within_the_task_only(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "task", **{"task.toml": "", "shared/test.sh": "echo\n", "environment/Dockerfile": "FROM a\n"}
    )
    write(tmp_path / "elsewhere", **{"secret.py": "x\n"})
    (folder / "tests").symlink_to("shared")
    (folder / "environment" / "loop").symlink_to("../environment")
    (folder / "environment" / "self").symlink_to("self")
    (folder / "solution").symlink_to("../elsewhere")
    task, problems = read(folder)
    assert "tests/test.sh" in task.present
    assert not any(name.endswith("secret.py") for name in task.present)
    assert {problem.kind for problem in problems if problem.role in ("task", "input")} == {LINK_ESCAPES, LINK_LOOP}
    assert task.links == ("environment/loop", "solution", "tests")


@pytest.mark.parametrize(("crowded", "missing"), [("environment", ("instruction.md",)), ("steps", ())])
def test_nothing_is_missing_from_a_folder_that_was_not_listed_to_its_end(
    tmp_path: Path, crowded: str, missing: tuple[str, ...]
) -> None:
    folder = write(tmp_path / "task", **{"task.toml": "", "tests/test.sh": ""})
    for part in ("a", "b"):
        (folder / crowded / part).mkdir(parents=True)
        for number in range(2600):
            (folder / crowded / part / str(number)).touch()
    (folder / crowded / "c").mkdir()
    assert read(folder)[0].missing == missing


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    task, problems = read(tmp_path / "gone")
    assert (task.config, task.present, problems) == (None, frozenset(), [])
