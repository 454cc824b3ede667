"""`validate --with-harbor-lint`: Harbor's findings in our report, once, whatever happens in Harbor's process."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BASES = Path(__file__).parent / "bases"
FAULTS = Path(__file__).parent / "faults"

FAKE = {
    "harbor/__init__.py": "",
    "harbor/cli/__init__.py": "",
    "harbor/cli/lint.py": "class LintConfig:\n    pass\n\ndef _selected_rules(root, config):\n    return {'a', 'c'}\n",
    "harbor/lint/__init__.py": "from harbor.lint.models import finding\n\n\ndef lint_task(root, selected_rules):\n",
    "harbor/lint/models.py": (
        "COMPOSE_RULES = {'c'}\n\n\nclass finding:\n    def __init__(self, **values):\n"
        "        self.values = {'line': None, 'column': None} | values\n"
        "    def model_dump(self, mode):\n        return self.values\n"
    ),
}
"""As much of Harbor as is used; a test adds the body of `lint_task`."""


def validate(folder: Path, *options: str, path: Path | None = None, name: str = "task") -> tuple[int, str, str]:
    """Run the command in `folder`, with the packages at `path`: the exit code, the output and the error output."""
    environment = os.environ | ({"PYTHONPATH": str(path)} if path else {})
    command = [sys.executable, "-m", "gradewright", "validate", name, "--with-harbor-lint", *options]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


def remarks(folder: Path, *options: str, path: Path | None = None, name: str = "task") -> list[tuple[str, str, str]]:
    """Place, severity and message of what Harbor says."""
    _, output, error = validate(folder, "--format", "json", *options, path=path, name=name)
    assert not error
    found = [item for item in json.loads(output)["findings"] if item["code"] == "HL001"]
    return [
        (item["path"] + (f":{item['line']}" if item["line"] else ""), item["severity"], item["message"])
        for item in found
    ]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder that holds a sound task called `task`."""
    shutil.copytree(BASES / "task", tmp_path / "task")
    return tmp_path


def fake(home: Path, body: str) -> Path:
    """A folder with a package `harbor` whose `lint_task` has this body."""
    for name, text in FAKE.items():
        path = home / "packages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + (f"    {body}\n" if text.endswith("selected_rules):\n") else ""), encoding="utf-8")
    return home / "packages"


def test_without_harbor(home: Path) -> None:
    environment_has_it = subprocess.run([sys.executable, "-P", "-c", "import harbor"], capture_output=True, check=False)
    if environment_has_it.returncode == 0:
        pytest.skip("Harbor is installed")
    (home / "harbor").mkdir()
    (home / "harbor" / "__init__.py").write_text("raise SystemExit('code of the folder that is checked')\n")
    code, output, error = validate(home)
    assert (code, output) == (2, "")
    assert "there is no `harbor`" in error
    assert "pip install 'gradewright[harbor]'" in error


def test_a_harbor_without_a_linter(home: Path) -> None:
    packages = fake(home, "return []")
    shutil.rmtree(packages / "harbor" / "lint")
    code, _, error = validate(home, path=packages)
    assert code == 2
    assert "there is no `harbor.lint`" in error


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return []", []),
        (
            "print('noise')\n    return [finding(rule='root-agent', path=str(root / 'task.toml'), message='Odd; do.')]",
            [("task/task.toml", "note", "`root-agent`: odd")],
        ),
        (
            "return [finding(rule='a-new-one', path=str(root / 'tests/test.sh'), line=2, message='COPY/ADD it.')]",
            [("task/tests/test.sh:2", "warning", "`a-new-one`: COPY/ADD it")],
        ),
        (
            "return [finding(rule='a', path=str(root / 'task.toml'), message='task.name: Too short; rename it.')]",
            [("task/task.toml:2", "warning", "`a`: `task.name`: too short")],
        ),
        (
            "raise ValueError('a secret')",
            [("task/task.toml", "note", "Harbor's linter could not check this task: it stopped with `ValueError`")],
        ),
        (
            "import os; os._exit(9)",
            [("task/task.toml", "note", "Harbor's linter did not check this task in time, or crashed")],
        ),
        (
            "if 'c' in selected_rules:\n        raise type('ComposeLoadError', (RuntimeError,), {})\n    return []",
            [
                (
                    "task/task.toml",
                    "note",
                    "Harbor's linter did not check the compose file: it needs Docker Compose for that",
                )
            ],
        ),
    ],
)
def test_whatever_harbor_does(home: Path, body: str, wanted: list[tuple[str, str, str]]) -> None:
    (home / "task" / "task.toml").write_text('[task]\nname = "a/b"\n', encoding="utf-8")
    assert remarks(home, path=fake(home, body)) == wanted


def test_what_we_say_is_said_once(home: Path) -> None:
    (home / "task" / "instruction.md").write_text("", encoding="utf-8")
    body = (
        "at = dict(rule='invalid-task-files', path=str(root / 'instruction.md'));"
        " return [finding(message='Instruction is empty; describe it.', **at), finding(message='Other.', **at)]"
    )
    packages = fake(home, body)
    assert [message for _, _, message in remarks(home, path=packages)] == ["`invalid-task-files`: other"]
    assert remarks(home, "--ignore", "harbor-lint", path=packages) == []
    assert remarks(home, "--select", "TK", path=packages) == []
    assert remarks(home, "--target", "skillevaluator", path=packages) == []


def test_it_does_not_go_with_fixes(home: Path) -> None:
    code, _, error = validate(home, "--fix", path=fake(home, "return []"))
    assert code == 2
    assert "--fix" in error


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "junit"])
def test_every_format_shows_it(home: Path, form: str) -> None:
    packages = fake(home, "return [finding(rule='a', path=str(root / 'task.toml'), message='Odd one; do it.')]")
    code, output, error = validate(home, "--format", form, path=packages)
    assert (code, error) == (0, "")
    assert "odd one" in output


@pytest.mark.harbor
def test_a_sound_task(home: Path) -> None:
    assert [message.partition(":")[0] for _, _, message in remarks(home)] == ["`shared-verifier`"]


@pytest.mark.harbor
def test_harbors_own_settings_are_kept(home: Path) -> None:
    with (home / "task" / "task.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[metadata.harbor.lint]\nignore = ["shared-verifier"]\nextend-select = ["root-agent"]\n')
    assert [message.partition(":")[0] for _, _, message in remarks(home)] == ["`root-agent`"]


@pytest.mark.harbor
@pytest.mark.parametrize(
    ("fault", "ours"),
    [
        ("t04-unknown-key-typo", "TK004"),
        ("t05-missing-task-name", "TK005"),
        ("t08-bad-enum", "TK003"),
        ("t10-invalid-toml", "TK001"),
        ("t13-empty-instruction", "TK102"),
        ("t17-dockerfile-copies-tests", "TK204"),
        ("t19-missing-environment", "TK201"),
    ],
)
def test_no_fault_is_told_twice(fault: str, ours: str, tmp_path: Path) -> None:
    (folder,) = FAULTS.glob(f"{fault}*")
    shutil.copytree(folder, tmp_path / "fault")
    _, output, _ = validate(tmp_path, "--harbor-contract", "--format", "json", name="fault")
    found = json.loads(output)["findings"]
    assert ours in {item["code"] for item in found}
    told = {item["message"].partition(":")[0] for item in found if item["code"] == "HL001"}
    assert told <= {"`shared-verifier`"}, told
