"""The schemas do their work in the tools that editors use, wired as the how-to says."""

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from gradewright.read.data.schema import schema_names, schema_text

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "how-to" / "complete-files-in-your-editor.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "examples" / "csv-to-json" / "evals"
TAPLO = shutil.which("taplo", path=str(Path(sys.executable).parent))

needs_taplo = pytest.mark.skipif(TAPLO is None, reason="taplo is not installed")
needs_check_jsonschema = pytest.mark.skipif(
    not find_spec("check_jsonschema"), reason="check-jsonschema is not installed"
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The example in a repository with the schemas and taplo's settings of the how-to."""
    shutil.copytree(EXAMPLE.parent, tmp_path / "skills" / "csv-to-json")
    (tmp_path / ".schemas").mkdir()
    for name in schema_names():
        (tmp_path / ".schemas" / f"{name}.json").write_text(schema_text(name), encoding="utf-8")
    settings = re.search(r"^```toml\n(\[\[rule\]\].*?)^```", PAGE, re.M | re.S)
    assert settings
    (tmp_path / ".taplo.toml").write_text(settings[1], encoding="utf-8")
    for path in tmp_path.rglob("*.toml"):
        path.write_text(re.sub(r"\A#:schema .*\n", "", path.read_text()), encoding="utf-8")
    return tmp_path


def test_every_schema_that_is_named_exists() -> None:
    files = [PAGE, *(path.read_text(encoding="utf-8") for path in ROOT.glob("examples/**/*.*ml"))]
    named = re.findall(r"(?:\.schemas|/schemas)/([\w-]+)\.json|gradewright schema ([a-z][\w-]*)", "\n".join(files))
    names = {one or other for one, other in named}
    assert names >= {"dataset", "config", "task", "dataset-manifest"}
    assert names <= set(schema_names())


def test_the_settings_for_vs_code_are_json() -> None:
    blocks = re.findall(r"^```json\n(.*?)^```", PAGE, re.M | re.S)
    assert {key for block in blocks for key in json.loads(block)} == {"json.schemas", "yaml.schemas", "yaml"}


def lint(repository: Path) -> tuple[int, str]:
    assert TAPLO
    shown = subprocess.run([TAPLO, "lint"], cwd=repository, capture_output=True, text=True, timeout=60, check=False)
    return shown.returncode, shown.stderr


@pytest.mark.docs
@needs_taplo
def test_taplo_takes_the_example_and_shows_what_is_wrong(repository: Path) -> None:
    code, text = lint(repository)
    assert code == 0, text
    task = next(repository.rglob("task.toml"))
    task.write_text(task.read_text().replace('schema_version = "1.3"', "schema_version = 7"), encoding="utf-8")
    code, text = lint(repository)
    assert (code, '7 is not of type "string"' in text) == (1, True), text


@pytest.mark.docs
@needs_taplo
def test_taplo_follows_the_comment_in_the_first_line(repository: Path) -> None:
    (repository / ".taplo.toml").unlink()
    manifest = next(repository.rglob("dataset.toml"))
    manifest.write_text(f"#:schema file://{repository}/.schemas/dataset-manifest.json\ndataset = 7\n", encoding="utf-8")
    assert lint(repository)[0] == 1


@pytest.mark.docs
@needs_check_jsonschema
@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("dataset", "evals.json"),
        ("config", "config.yml"),
        ("task", "harbor/*/task.toml"),
        ("dataset-manifest", "harbor/dataset.toml"),
    ],
)
def test_check_jsonschema_takes_the_examples(tmp_path: Path, name: str, pattern: str) -> None:
    schema = tmp_path / "schema.json"
    schema.write_text(schema_text(name), encoding="utf-8")
    files = [str(path) for path in EXAMPLE.glob(pattern)]
    assert files
    command = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema), *files]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert shown.returncode == 0, shown.stdout
