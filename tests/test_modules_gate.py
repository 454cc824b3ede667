"""Which modules a command loads: exact, where a measurement of milliseconds would be noise."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from specification import Case, build

FORBIDDEN = {"copier", "jinja2", "rich", "pydantic", "jsonschema", "typer", "click"}
ENGINES = {"yaml", "_yaml", "jsonschema_rs"}
GRAMMARS = {"tree_sitter", *(f"tree_sitter_{name}" for name in ("bash", "json", "toml", "yaml"))}


PROLOGUE = """
import atexit, json, sys
bare = set(sys.modules)
target, *sys.argv[1:] = sys.argv[1:]
atexit.register(lambda: open(target, "w").write(json.dumps(sorted(set(sys.modules) - bare))))
"""


def loaded(code: str, folder: Path, *arguments: str) -> set[str]:
    """The modules that are loaded once `code` has run with `arguments`, without those of a bare start."""
    target = folder / "modules.json"
    command = [sys.executable, "-I", "-c", PROLOGUE + code, str(target), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return set(json.loads(target.read_text(encoding="utf-8")))


def tops(modules: set[str]) -> set[str]:
    return {name.split(".")[0] for name in modules}


@pytest.fixture(params=["skill", "case", "task"])
def sound(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder that holds a sound skill or task called csv2json."""
    build(Case("", "", request.param, "both", (), ()), tmp_path / "csv2json")
    return tmp_path


MAIN = "from gradewright.__main__ import main\nsys.exit(main())"
HOOK = "from gradewright.hook import run\nsys.exit(run())"


def test_checking_loads_no_more_than_the_parsers(sound: Path) -> None:
    code = (
        "from gradewright.check import check_paths\nfrom gradewright.settings import Settings\n"
        "assert not check_paths(['csv2json'], Settings(harbor_contract=True)).findings"
    )
    foreign = {name for name in tops(loaded(code, sound)) - sys.stdlib_module_names if "cython" not in name}
    assert foreign <= {"gradewright", *ENGINES, *GRAMMARS}


def test_validate_loads_typer_and_nothing_heavier(sound: Path) -> None:
    modules = loaded(MAIN, sound, "validate", "csv2json", "--harbor-contract")
    assert tops(modules) & FORBIDDEN <= {"typer", "click"}
    assert "gradewright.scaffold" not in modules


def test_a_format_and_the_baseline_are_loaded_when_asked_for(sound: Path) -> None:
    rare = {f"gradewright.render.{form}" for form in ("json", "sarif", "github", "junit", "statistics")}
    rare.add("gradewright.baseline")
    assert not loaded(MAIN, sound, "validate", "csv2json") & rare
    assert "gradewright.render.sarif" in loaded(MAIN, sound, "validate", "csv2json", "--format", "sarif")


def test_other_commands_load_nothing_that_checks(tmp_path: Path) -> None:
    modules = loaded(MAIN, tmp_path, "schema")
    assert not {name for name in modules if name.startswith(("gradewright.check", "gradewright.read.task"))}


def test_the_hook_loads_no_command_line_library(sound: Path) -> None:
    modules = loaded(HOOK, sound, *map(str, sorted(sound.glob("csv2json/*"))))
    assert not tops(modules) & FORBIDDEN
    assert "gradewright.cli" not in modules


def test_version_loads_next_to_nothing(tmp_path: Path) -> None:
    modules = loaded(MAIN, tmp_path, "--version")
    assert not tops(modules) & (FORBIDDEN | ENGINES | GRAMMARS | {"importlib.metadata", "asyncio", "subprocess"})
    ours = {name for name in modules if name.startswith("gradewright")}
    assert ours == {"gradewright", "gradewright.__main__", "gradewright.failure"}
