"""The folder that the tests of `write/` change, and what they ask of it."""

import stat
from pathlib import Path

import pytest

from gradewright.write import Change, WriteError
from gradewright.write.transaction import publish


def planted(home: Path) -> Path:
    """A small folder with an awkward name, below `home`."""
    folder = home / "a skill's \u00e9"
    (folder / "evals").mkdir(parents=True)
    (folder / "SKILL.md").write_bytes(b"old\n")
    return folder


def refused(root: Path, *changes: Change) -> str:
    """The message with which `publish` refuses; nothing in the tree may differ afterwards."""
    before = sorted((path, path.lstat().st_mtime_ns) for path in root.rglob("*"))
    with pytest.raises(WriteError) as caught:
        publish(str(root), changes)
    assert sorted((path, path.lstat().st_mtime_ns) for path in root.rglob("*")) == before
    assert caught.value.hint
    return caught.value.message


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
