"""The built wheel works in an empty environment, from any folder, with the repository out of reach."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent
GUARD = """
import sys

def refuse(event, arguments):
    if event in ("open", "os.listdir", "os.scandir") and str(arguments[0]).startswith({repository!r}):
        raise RuntimeError("the repository was read: " + str(arguments[0]))

sys.addaudithook(refuse)
"""

pytestmark = [pytest.mark.wheel, pytest.mark.skipif(not find_spec("build"), reason="the package `build` is not here")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution as a release would be."""
    target = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", target, REPOSITORY], check=True, stdout=subprocess.DEVNULL
    )
    return next(target.glob("*.whl"))


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The installed `gradewright`; its Python refuses to read anything from the repository."""
    folder = tmp_path_factory.mktemp("empty") / "environment"
    venv.create(folder, with_pip=True)
    programs = folder / "bin"
    subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", wheel], check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "guard_repository.py").write_text(GUARD.format(repository=str(REPOSITORY)), encoding="utf-8")
    (packages / "guard_repository.pth").write_text("import guard_repository\n", encoding="utf-8")
    yield programs / "gradewright"


def run(command: Path, folder: Path, *arguments: str, status: int = 0) -> str:
    environment = {"PATH": f"{command.parent}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [command, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_all_data_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for folder in ("templates", "skills"):
        shipped = {
            path.relative_to(REPOSITORY).as_posix() for path in (REPOSITORY / folder).rglob("*") if path.is_file()
        }
        packed = {
            name.removeprefix("gradewright/_data/") for name in names if name.startswith(f"gradewright/_data/{folder}/")
        }
        assert shipped == packed
    assert any(name.startswith("gradewright/schemas/") for name in names)
    assert {name.split("/")[0] for name in names} == {"gradewright", wheel.name.rsplit("-", 3)[0] + ".dist-info"}


def test_version(command: Path, tmp_path: Path) -> None:
    import gradewright

    assert run(command, tmp_path, "--version").split()[-1] == gradewright.__version__


def test_validate_the_example(command: Path, tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "examples" / "csv-to-json", tmp_path / "csv-to-json")
    run(command, tmp_path, "validate", "csv-to-json", "--harbor-contract")
    run(command, tmp_path, "schema", "config")
    (tmp_path / "csv-to-json" / "evals" / "evals.json").write_text("[,]", encoding="utf-8")
    assert "evals.json:1" in run(command, tmp_path, "validate", "csv-to-json", status=1)


@pytest.mark.parametrize("language", ["python", "shell"])
@pytest.mark.parametrize("scaffold", ["init-custom-grader", "init-harbor-task"])
def test_scaffold(command: Path, tmp_path: Path, scaffold: str, language: str) -> None:
    skill = tmp_path / "word-count"
    skill.mkdir()
    front = "---\nname: word-count\ndescription: Counts the words of a text.\n---\n\n# Count words\n"
    (skill / "SKILL.md").write_text(front, encoding="utf-8")
    run(command, tmp_path, scaffold, "word-count", "--language", language)
    assert "placeholder" in run(command, tmp_path, "validate", "word-count", "--harbor-contract", "--strict", status=1)
