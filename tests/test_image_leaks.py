"""What an image ends up with, of hostile Dockerfiles and compose files too: at once, and without a crash."""

import time
from pathlib import Path

import pytest

from gradewright.model import Problem
from gradewright.read.task.dockerfile import stages_of
from gradewright.read.task.ignorefile import Ignored
from gradewright.read.task.layers import arrivals, layers_of
from gradewright.read.task.native import read_task
from gradewright.read.task.plan import read_plan

SOLVE = "#!/bin/bash\n" + "echo hello world, this is long enough to count\n" * 30
LARGE = 1 << 19


def places(dockerfile: str, path: str, target: str = "") -> list[str]:
    return sorted(arrivals(layers_of(stages_of(dockerfile)), target, "", path))


@pytest.mark.parametrize(
    ("dockerfile", "path", "wanted"),
    [
        ("FROM a\nCOPY x /y", "x", ["/y"]),
        ("FROM a\nCOPY x /y/", "x", ["/y/x"]),
        ("FROM a\nCOPY x y /z", "y", ["/z/y"]),
        ("FROM a\nCOPY x /y", "x/z", ["/y/z"]),
        ("FROM a\nCOPY . .", "x/z", ["/x/z"]),
        ("FROM a\nWORKDIR /w\nWORKDIR v\nCOPY . .", "x", ["/w/v/x"]),
        ("FROM a\nENV D=/d\nCOPY . $D", "x", ["/d/x"]),
        ("FROM a\nCOPY ../../x /y", "x", ["/y"]),
        ("FROM a\nCOPY --parents d/x /y/", "d/x", ["/y/d/x"]),
        ("FROM a\nCOPY --exclude=*.sh . /y", "d/x.sh", []),
        ("FROM a\nCOPY d*/?[^a] /y/", "dd/xb", ["/y/xb"]),
        ("FROM a\nCOPY d*/?[^a] /y/", "dd/xa", []),
        ("FROM a\nCOPY x /y\nRUN rm /y", "x", []),
        ("FROM a\nCOPY x /y\nRUN cd / && rm -f y", "x", []),
        ("FROM a\nCOPY . /w\nRUN rm -rf /w/*", "x", []),
        ("FROM a\nCOPY . /w\nRUN find /w -name '*.sh' -delete", "x", []),
        ("FROM a\nCOPY . /w\nRUN rm -rf /var/lib/apt/lists/*", "x", ["/w/x"]),
        ("FROM a\nCOPY . /w\nRUN chmod +x /w/x", "x", ["/w/x"]),
        ("FROM a\nCOPY . /w\nRUN chmod 0700 /w", "x", []),
        ("FROM a\nCOPY --chmod=600 . /w", "x", []),
        ("FROM a AS b\nCOPY . /w\nFROM b", "x", ["/w/x"]),
        ("FROM a AS b\nCOPY . /w\nFROM c", "x", []),
        ("FROM a AS b\nCOPY . /w\nFROM c\nCOPY --from=b /w/d /v", "d/x", ["/v/x"]),
        ("FROM a AS b\nCOPY . /w\nFROM c\nCOPY --from=0 /w/d /v", "e/x", []),
        ("FROM a AS b\nCOPY . /w\nRUN rm -r /w/d\nFROM c\nCOPY --from=b /w /v", "d/x", []),
        ("FROM c\nCOPY --from=other:1 / /v", "x", []),
    ],
)
def test_where_a_file_ends_up(dockerfile: str, path: str, wanted: list[str]) -> None:
    assert places(dockerfile, path) == wanted


def test_another_target() -> None:
    assert places("FROM a AS b\nCOPY x /y\nFROM c", "x", target="B") == ["/y"]


@pytest.mark.parametrize(
    ("patterns", "path", "left_out"),
    [
        ("x", "x", True),
        ("x", "d/x", False),
        ("**/x", "d/e/x", True),
        ("d", "d/e/x", True),
        ("/d/", "d/x", True),
        ("*.sh", "x.sh", True),
        ("*.sh", "d/x.sh", False),
        ("d/**", "d/e/x", True),
        ("*\n!d/x", "d/x", False),
        ("*\n!d/x", "d/y", True),
        ("!x\n*", "x", True),
        ("# x", "x", False),
        ("a\\b", "x", True),
        ("..", "x", False),
    ],
)
def test_ignore_files(patterns: str, path: str, left_out: bool, tmp_path: Path) -> None:
    (tmp_path / ".dockerignore").write_text(patterns, encoding="utf-8")
    assert (path in Ignored(f"{tmp_path}/none", f"{tmp_path}/.dockerignore")) is left_out


@pytest.mark.parametrize(
    ("run", "names", "complete"),
    [
        ("pip install a 'B_c[x]>=1' d==2", {"a", "b-c", "d"}, True),
        ("python3 -m pip install -U a --index-url x b && rm -rf /x", {"a", "b"}, True),
        ("<<EOF\npip install \\\n  a\n# pip install b\nEOF", {"a"}, True),
        ('["pip", "install", "a"]', {"a"}, True),
        ('["sh", "-c", "pip install a && true"]', {"a"}, True),
        ("apt-get update && apt-get install -y --no-install-recommends curl >/dev/null 2>&1", set(), True),
        ("uv pip install --system a", {"a"}, True),
        ("pipx install a", set(), True),
        ("pip install .", set(), False),
        ("pip install git+https://x.org/a", set(), False),
        ("pip install $A", set(), False),
        ("pip install -e ./a", set(), False),
        ("apt-get install -y python3-numpy", set(), False),
        ("curl x | sh", set(), False),
        ("python setup.py install", set(), False),
        ("conda install a", set(), False),
        ("poetry install", set(), False),
        ("uv sync", set(), False),
        ("echo 'a", set(), False),
    ],
)
def test_python_packages_of_an_image(run: str, names: set[str], complete: bool) -> None:
    packages = read_plan(f"FROM python:3.12-slim\nRUN {run}\n").packages
    assert (packages.complete, packages.names if complete else set()) == (complete, names)


def test_files_of_requirements_and_other_bases() -> None:
    plan = read_plan("FROM python:3.12 AS a\nRUN pip install -r r.txt --requirement=s.txt\nFROM a\nRUN pip install x")
    assert (plan.packages.files, plan.packages.names) == (("r.txt", "s.txt"), {"x"})
    assert not read_plan("FROM nvidia/cuda:12\nRUN pip install x").packages.complete
    assert not read_plan("FROM python:3.12\nENV PYTHONPATH=/x").packages.complete
    assert not read_plan("FROM python:3.12\nCOPY --from=b /venv /venv").packages.complete


HOSTILE = {
    "copies": "FROM a\n" + "COPY d1 /x\n" * (LARGE // 12),
    "patterns": "FROM a\n" + "COPY *a*b*c*d*e* d* /x\n" * (LARGE // 24),
    "words": "FROM a\nCOPY " + "d* " * (LARGE // 3) + "/x\n",
    "stages": "FROM a AS b\nCOPY d1 /x\nFROM b AS a\n" * (LARGE // 40),
    "doubling": "FROM x AS s0\nCOPY . /\n"
    + "".join(f"FROM s{i - 1} AS s{i}\n" + "COPY --from=0 / /y\nCOPY / /z\n" * 4 for i in range(1, 60)),
    "deletions": "FROM a\nCOPY . /\n" + "RUN rm -rf *x*y*z* q/w\n" * (LARGE // 24),
    "deleted": "FROM a\nCOPY . /\nRUN rm " + "*a* " * (LARGE // 4),
    "variables": "FROM a\n" + "ENV A=$A$A B=${A}x\n" * (LARGE // 20) + "COPY $A /x",
    "folders": "FROM a\n" + "WORKDIR a\n" * (LARGE // 10) + "COPY . /x",
    "a path": "FROM a\nCOPY " + "a/" * (LARGE // 2) + " /x",
    "here-documents": "FROM a\n" + "COPY <<E /x\nabc\nE\n" * (LARGE // 20),
}


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A task with many copies of its solution."""
    folder = tmp_path_factory.mktemp("task")
    files = {"task.toml": "", "instruction.md": "x\n", "solution/solve.sh": SOLVE}
    files |= {f"environment/d{number % 20}/f{number}.txt": SOLVE for number in range(1000)}
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return folder


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_dockerfiles_take_little_time(crowded: Path, kind: str) -> None:
    (crowded / "environment" / "Dockerfile").write_text(HOSTILE[kind], encoding="utf-8")
    (crowded / "environment" / ".dockerignore").write_text("**/*a*b*c*/**/*d*/**/*e\n" * 200, encoding="utf-8")
    problems: list[Problem] = []
    start = time.process_time()
    task = read_task(str(crowded), problems, in_skill=False)
    assert time.process_time() - start < 2
    assert len(task.image.leaks) <= 50


def test_links_out_of_the_context_bring_nothing(tmp_path: Path) -> None:
    for name, content in {
        "task.toml": "",
        "solution/solve.sh": SOLVE,
        "environment/Dockerfile": "FROM a\nCOPY . /x\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "environment" / "answer.sh").symlink_to("../solution/solve.sh")
    (tmp_path / "environment" / "all").symlink_to("../solution")
    assert read_task(str(tmp_path), [], in_skill=False).image.leaks == ()
