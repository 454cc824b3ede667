"""What we hold for sound, Harbor itself takes in."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TASKS = sorted(path.parent for folder in ("tests/bases", "examples") for path in (ROOT / folder).rglob("task.toml"))

pytestmark = pytest.mark.harbor


@pytest.mark.parametrize("folder", TASKS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_our_tasks_load_in_harbor(folder: Path) -> None:
    task = pytest.importorskip("harbor.models.task.task").Task(folder)
    assert task.name.count("/") == 1
    assert task.instruction.strip()
