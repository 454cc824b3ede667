"""After a kill, and among other writers: recovery and the lock."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from writing import planted

from gradewright.write import STAGING_PREFIX, WriteError
from gradewright.write.lock import lock
from gradewright.write.seal import _key, is_sealed, seal
from gradewright.write.transaction import recover


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return planted(tmp_path)


# --- recovery --------------------------------------------------------------------------------------------------------


def half_done(root: Path) -> Path:
    """A staging folder as a killed `publish` leaves it: `new` has appeared, SKILL.md is replaced, no commit."""
    script = (
        "import os, sys\n"
        "from gradewright.write import Change, transaction\n"
        "transaction._flush = lambda folders: os._exit(0) if sys.argv[1] in folders else None\n"
        "transaction.publish(sys.argv[1], [Change('new/a', b'1'), Change('SKILL.md', b'2', 0o644, b'old\\n')])\n"
    )
    subprocess.run([sys.executable, "-c", script, root], check=True)
    return next(root.glob(f"{STAGING_PREFIX}*"))


def test_a_killed_publication_is_undone(root: Path) -> None:
    half_done(root)
    assert (root / "SKILL.md").read_bytes() == b"2"
    recover(str(root))
    assert sorted(os.listdir(root)) == ["SKILL.md", "evals"]
    assert (root / "SKILL.md").read_bytes() == b"old\n"
    recover(str(root))


def test_a_killed_publication_above_the_root_is_undone(root: Path) -> None:
    half_done(root)
    recover(str(root / "evals"))
    assert sorted(os.listdir(root)) == ["SKILL.md", "evals"]


def test_recovery_never_loses_an_edit(root: Path) -> None:
    for edited in ("SKILL.md", "new/b", "new/a"):
        staging = half_done(root)
        (root / edited).write_bytes(b"edited since")
        with pytest.raises(WriteError, match="edited since") as caught:
            recover(str(root))
        assert staging.name in caught.value.hint
        assert (root / edited).read_bytes() == b"edited since"
        assert (root / "new/a").exists()
        if edited == "new/b":
            (root / edited).unlink()
        else:
            (root / edited).write_bytes(b"1" if edited == "new/a" else b"2")
        recover(str(root))
        assert (root / "SKILL.md").read_bytes() == b"old\n"


def test_what_was_deleted_since_needs_no_undoing(root: Path) -> None:
    half_done(root)
    (root / "new/a").unlink()
    (root / "new").rmdir()
    recover(str(root))
    assert sorted(os.listdir(root)) == ["SKILL.md", "evals"]


def journal_of(staging: Path) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = json.loads((staging / "journal.json").read_text().partition("\n")[2])
    return entries


def put_journal(staging: Path, text: str) -> None:
    """A journal that says `text` under our own seal."""
    (staging / "journal.json").write_text(f"{seal('journal', staging.name, text)}\n{text}")


def test_a_folder_deleted_since_comes_back_with_what_it_held(root: Path) -> None:
    staging = half_done(root)
    entries = journal_of(staging)
    entries[1]["path"] = "evals/moved.md"
    put_journal(staging, json.dumps(entries))
    (root / "evals").rmdir()
    recover(str(root))
    assert (root / "evals/moved.md").read_bytes() == b"old\n"


def test_a_living_publication_is_left_alone(root: Path) -> None:
    staging = half_done(root)
    with lock(str(staging)):
        recover(str(root))
        assert staging.exists()


def test_the_journal_is_sealed_json(root: Path) -> None:
    entries = journal_of(half_done(root))
    assert [(entry["kind"], entry["path"]) for entry in entries] == [("add", "new"), ("replace", "SKILL.md")]


@pytest.mark.parametrize(
    "journal",
    [
        "",
        "[" * 100_000,
        "{}",
        "[1]",
        '[{"kind": "add", "path": "../x", "new": {}}]',
        '[{"kind": "add", "path": "link/x", "new": {}}]',
        '[{"kind": "replace", "path": ".git/hooks/pre-commit", "new": {}}]',
        '[{"kind": "replace", "path": "evals/.GIT/config", "new": {}}]',
        '[{"kind": "replace", "path": ".github/workflows/x.yml", "new": {}}]',
        '[{"kind": "odd", "path": "x", "new": {}}]',
        '[{"kind": "add", "path": 1, "new": {}}]',
    ],
)
@pytest.mark.parametrize("sealed", [True, False])
def test_a_damaged_journal_is_refused(root: Path, tmp_path: Path, journal: str, sealed: bool) -> None:
    (root / "link").symlink_to(tmp_path)
    staging = half_done(root)
    if sealed:
        put_journal(staging, journal)
    else:
        (staging / "journal.json").write_text(journal)
    with pytest.raises(WriteError, match="not a staging folder"):
        recover(str(root))
    assert staging.exists()


def test_a_staging_folder_that_came_with_a_checkout_is_left_alone(root: Path) -> None:
    """It would have put an executable hook into place, and taken a file away."""
    (root / ".git" / "hooks").mkdir(parents=True)
    (root / "victim.txt").write_text("mine")
    digest = hashlib.sha256(b"mine").hexdigest()
    entries = [
        {"kind": "replace", "path": ".git/hooks/pre-commit", "new": {}},
        {"kind": "add", "path": "victim.txt", "new": {"": digest}},
    ]
    own = half_done(root)
    for name in (f"{STAGING_PREFIX}0000", own.name[:-4] + "0000"):
        staging = root / name
        staging.mkdir()
        (staging / "old.0").write_text("#!/bin/sh\nexit 1\n")
        put_journal(staging, json.dumps(entries))
    notes = recover(str(root))
    assert {note.split("`")[1] for note in notes} == set(map(str, root.glob(f"{STAGING_PREFIX}*")))
    assert len(notes) == 2
    assert recover(str(root / "evals")) == notes
    assert not own.exists()
    assert os.listdir(root / ".git" / "hooks") == []
    assert (root / "victim.txt").read_text() == "mine"


def test_a_staging_folder_that_others_can_look_into_is_left_alone(root: Path) -> None:
    staging = half_done(root)
    staging.chmod(0o755)
    assert len(recover(str(root))) == 1
    assert (root / "SKILL.md").read_bytes() == b"2"


def test_a_staging_folder_of_another_place_is_left_alone(root: Path, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere"
    half_done(root)
    shutil.copytree(root, copy)
    recover(str(copy))
    assert (copy / "SKILL.md").read_bytes() == b"2"


def test_the_key_is_the_users_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    _key.cache_clear()
    try:
        first = seal("a", "b")
        path = tmp_path / "gradewright" / "key"
        assert path.stat().st_mode & 0o777 == 0o600
        _key.cache_clear()
        assert is_sealed(first, "a", "b")
        path.chmod(0o644)
        _key.cache_clear()
        assert not is_sealed(first, "a", "b")
        monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
        _key.cache_clear()
        assert not is_sealed(first, "a", "b")
        assert is_sealed(seal("a"), "a")
    finally:
        _key.cache_clear()


def test_a_link_with_the_name_of_a_staging_folder_is_left_alone(root: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (root / f"{STAGING_PREFIX}0123").symlink_to(precious)
    recover(str(root))
    assert precious.exists()


# --- lock ------------------------------------------------------------------------------------------------------------


ADD_CASE = """
import sys
from pathlib import Path
from gradewright.write import Change
from gradewright.write.lock import lock
from gradewright.write.splice import append_toml_table
from gradewright.write.transaction import publish, recover
root, case = sys.argv[1:]
with lock(root):
    recover(root)
    old = Path(root, "dataset.toml").read_bytes()
    new = append_toml_table(old.decode(), "tasks", {"name": f"org/{case}"}).encode()
    files = [Change(f"{case}/{name}", case.encode()) for name in ("task.toml", "tests/test.sh")]
    publish(root, [Change("dataset.toml", new, 0o644, old), *files])
"""


def test_twenty_writers_at_once_leave_twenty_whole_cases(root: Path) -> None:
    (root / "dataset.toml").write_text('# ours\n[dataset]\nname = "org/all"\n')
    cases = [f"case-{number:03}" for number in range(20)]
    writers = [subprocess.Popen([sys.executable, "-c", ADD_CASE, root, case]) for case in cases]
    assert [writer.wait(120) for writer in writers] == [0] * 20
    listed = tomllib.loads((root / "dataset.toml").read_text())["tasks"]
    assert sorted(task["name"] for task in listed) == [f"org/{case}" for case in cases]
    assert all((root / case / name).read_text() == case for case in cases for name in ("task.toml", "tests/test.sh"))
    assert sorted(os.listdir(root)) == sorted(["SKILL.md", "dataset.toml", "evals", *cases])


def test_a_lock_that_is_not_released_is_said(root: Path) -> None:
    with lock(str(root)), pytest.raises(WriteError, match="another process"), lock(str(root), seconds=0.05):
        pass
    with lock(str(root), seconds=0):
        assert sorted(os.listdir(root)) == ["SKILL.md", "evals"]


def test_a_missing_root_is_locked_at_the_folder_above(tmp_path: Path) -> None:
    above = lock(str(tmp_path), seconds=0)
    with lock(str(tmp_path / "a/b")), pytest.raises(WriteError, match="another process"), above:
        pass
