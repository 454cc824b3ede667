"""The offered hook, run by pre-commit itself from a scratch copy of this repository on a scratch repository."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from specification import Case, build

REPOSITORY = Path(__file__).parent.parent
UNWANTED = shutil.ignore_patterns(".git", ".nox", ".venv", ".*_cache", ".hypothesis", "__pycache__", "dist", "build")

pytestmark = [
    pytest.mark.precommit,
    pytest.mark.skipif(
        not shutil.which("pre-commit") or not shutil.which("git"), reason="pre-commit or git is not here"
    ),
]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables that keep pre-commit and git away from the user's own settings."""
    identity = {
        f"GIT_{who}_{what}": "tests@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
    cache = str(tmp_path_factory.mktemp("cache"))
    return kept | identity | {"PRE_COMMIT_HOME": cache, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Path:
    folder = tmp_path_factory.mktemp("scratch") / "gradewright"
    shutil.copytree(REPOSITORY, folder, ignore=UNWANTED)
    commit(folder, environment)
    return folder


def commit(folder: Path, environment: dict[str, str]) -> None:
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
        subprocess.run(["git", *words], cwd=folder, env=environment, check=True)


def try_repo(project: Path, folder: Path, environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = ["pre-commit", "try-repo", str(project), "gradewright-validate", "--color=never", "--verbose", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_hook(project: Path, environment: dict[str, str], tmp_path: Path) -> None:
    for base in ("skill", "case", "task"):
        (tmp_path / base).mkdir()
        build(Case("", "", base, "both", (), ()), tmp_path / base / "csv2json")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_of_another_kind.py").write_text("assert (\n", encoding="utf-8")
    commit(tmp_path, environment)

    sound = try_repo(project, tmp_path, environment, "--all-files")
    assert sound.returncode == 0, sound.stdout + sound.stderr
    assert "Passed" in sound.stdout

    (tmp_path / "skill" / "csv2json" / "evals" / "evals.json").write_text("[,]\n", encoding="utf-8")
    grader = tmp_path / "case" / "csv2json" / "evals" / "harbor" / "case-001" / "tests" / "grader.py"
    grader.write_text("def main(:\n", encoding="utf-8")
    broken = try_repo(project, tmp_path, environment, "--all-files")
    assert broken.returncode == 1, broken.stdout + broken.stderr
    assert "skill/csv2json/evals/evals.json:1:" in broken.stdout
    assert "case/csv2json/evals/harbor/case-001/tests/grader.py:1:" in broken.stdout

    untouched = try_repo(project, tmp_path, environment, "--files", "task/csv2json/task.toml")
    assert untouched.returncode == 0, untouched.stdout + untouched.stderr
