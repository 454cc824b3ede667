"""Every combination of a template's answers is rendered, checked by its language's own tools, and run."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rendered import FILES, LANGUAGES, PYTHON, SHELL, Bench, grader_text

from gradewright.contract import CONTRACT_STAMPS, NOT_WRITTEN, RESERVED_METRICS, SCAFFOLD_TEXTS
from gradewright.read.shipped import current_contract
from gradewright.scaffold import Source
from gradewright.scaffold.template import HARBOR_TASK, render, templates_dir

METRICS = (["task_completed"], ["rows_kept", "types_kept", "a"], ["m" + "x" * 63], [f"metric_{n}" for n in range(40)])
COMBINATIONS = [(language, metrics) for language in LANGUAGES for metrics in METRICS]
BLOCK = re.compile(
    r"# --- gradewright contract (\d+) \(sha256:([0-9a-f]{16})\) ---\n(.*)\n# --- end of gradewright", re.S
)


def pythons() -> Iterator[str]:
    """Every Python from 3.8 to 3.14 on this machine, one of each minor version."""
    for minor in range(8, 15):
        installed = sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"))
        found = str(installed[-1]) if installed else shutil.which(f"python3.{minor}")
        if found and subprocess.run([found, "-c", ""], capture_output=True).returncode == 0:
            yield found


PYTHONS = list(pythons()) or [sys.executable]


def ruff(path: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "ruff", *arguments, "--isolated", "--no-cache", "--line-length", "120", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_stamp_matches_the_block(language: str) -> None:
    """`UPDATE_FINDINGS=1` writes the stamps anew after the block was changed."""
    path = templates_dir() / "grader" / "template" / language / f"{FILES[language]}.jinja"
    text = path.read_text(encoding="utf-8")
    block = BLOCK.search(text)
    assert block
    stamp = hashlib.sha256(block[3].encode()).hexdigest()[:16]
    if os.environ.get("UPDATE_FINDINGS"):
        path.write_text(text[: block.start(2)] + stamp + text[block.end(2) :], encoding="utf-8")
    else:
        assert block[2] == stamp
        assert CONTRACT_STAMPS[language] == (block[1], stamp)
        assert current_contract(language) in grader_text(language, ["a"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_block_is_the_same_in_every_grader(language: str) -> None:
    blocks = {BLOCK.findall(grader_text(language, metrics))[0] for metrics in METRICS}
    assert len(blocks) == 1


@pytest.mark.parametrize(("language", "metrics"), COMBINATIONS)
def test_graders_are_clean(tmp_path: Path, language: str, metrics: list[str]) -> None:
    text = grader_text(language, metrics)
    path = tmp_path / FILES[language]
    path.write_text(text, encoding="utf-8")
    assert text.count(NOT_WRITTEN) == len(metrics)
    assert text.startswith("#!/usr/bin/env ") and text.endswith(" ---\n") and "\n\n\n\n" not in text
    assert not re.search(r"[ \t]$|^.{121}", text, re.M)
    if language == SHELL:
        assert subprocess.run(["bash", "-n", path], capture_output=True).stderr == b""
        return
    path.chmod(0o755)
    for selected in ((), ("--select", "F,E,W,B,I,UP,C90")):
        ruff(path, "check", "--target-version", "py38", *selected)
    ruff(path, "format", "--check")


def test_the_python_grader_is_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    path = tmp_path / "grader.py"
    path.write_text(grader_text(PYTHON, METRICS[1]), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "grader.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_reserved_names_are_those_of_the_contract(language: str) -> None:
    text = grader_text(language, ["a"])
    start = text.index("RESERVED")
    quoted = re.findall(r'"([^"]*)"', text[start : text.index("\n\n", start)].replace('" "', ""))
    assert set(" ".join(quoted).split()) >= RESERVED_METRICS


@pytest.mark.parametrize("python", PYTHONS)
def test_the_python_grader_compiles_and_fails_closed(tmp_path: Path, python: str) -> None:
    bench = Bench(tmp_path, PYTHON, grader_text(PYTHON, METRICS[1]), python=python)
    subprocess.run([python, "-W", "error", "-m", "py_compile", bench.grader], check=True)
    outcome = bench.run(PYTHONWARNINGS="error")
    assert (outcome.status, outcome.stderr, outcome.text) == (0, "", "0.0\n")
    assert outcome.reward["overall"] == 0.0
    assert outcome.reward["custom_metrics"] == dict.fromkeys(METRICS[1], 0.0)
    assert all("not written" in outcome.reward["details"][name]["reason"] for name in METRICS[1])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("org", "case_id"), [("acme", "case-001"), ("A.b_c-9", "7"), ("x" * 60, "a" * 128)])
def test_harbor_tasks_are_clean(tmp_path: Path, language: str, org: str, case_id: str) -> None:
    import tomllib

    answers = {"language": language, "case_id": case_id, "org": org}
    files = render(HARBOR_TASK, Source(), answers)
    assert set(files) == {
        "task.toml", "instruction.md", "environment/Dockerfile", "tests/test.sh", "solution/solve.sh",
    }  # fmt: skip
    task = tomllib.loads(files["task.toml"].decode())
    assert task["task"]["name"] == f"{org}/{case_id}"
    assert task["metadata"]["entry_id"] == case_id
    assert files["instruction.md"].decode().startswith(SCAFFOLD_TEXTS)
    for name in ("tests/test.sh", "solution/solve.sh"):
        (tmp_path / "script.sh").write_bytes(files[name])
        assert files[name].startswith(b"#!/bin/bash\n")
        assert subprocess.run(["bash", "-n", tmp_path / "script.sh"], capture_output=True).stderr == b""
    assert subprocess.run(["bash", tmp_path / "script.sh"], capture_output=True).returncode == 1
    assert FILES[language] in files["tests/test.sh"].decode()


@pytest.mark.parametrize(
    ("template", "answers"),
    [
        ("grader", {"metrics": ["a b"]}),
        ("grader", {"metrics": ["x(run): import os #"]}),
        ("grader", {"metrics": []}),
        ("grader", {"metrics": "abc"}),
        ("harbor-task", {"case_id": 'a"\n[environment]'}),
        ("harbor-task", {"org": '"""'}),
    ],
)
def test_hostile_answers_are_refused_by_the_template_itself(template: str, answers: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="Validation error"):
        render(template, Source(), answers)
