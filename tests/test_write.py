"""Transactions, lock and diff on real folders; kills and full disks are in test_write_faults.py."""

import errno
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from gradewright.write import STAGING_PREFIX, Change, WriteError
from gradewright.write.diff import unified
from gradewright.write.lock import lock
from gradewright.write.transaction import publish, recover


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "a skill's \u00e9"
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


# --- what is published -----------------------------------------------------------------------------------------------


def test_creates_replaces_and_deletes_in_one_go(root: Path) -> None:
    (root / "gone.txt").write_bytes(b"x")
    publish(
        str(root),
        [
            Change("gone.txt", None, expect=b"x"),
            Change("SKILL.md", b"new\n", expect=b"old\n"),
            Change("evals/harbor/case-001/tests/test.sh", b"#!/bin/bash\n", 0o755),
            Change("evals/harbor/case-001/task.toml", b"\r\n\0\xff"),
        ],
    )
    files = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    assert files == ["SKILL.md", "evals/harbor/case-001/task.toml", "evals/harbor/case-001/tests/test.sh"]
    assert (root / "SKILL.md").read_bytes() == b"new\n"
    assert (root / "evals/harbor/case-001/task.toml").read_bytes() == b"\r\n\0\xff"
    assert mode(root / "evals/harbor/case-001/tests/test.sh") == 0o755


def test_a_root_that_is_missing_appears_with_all_its_files(tmp_path: Path) -> None:
    new = tmp_path / "a" / "b"
    publish(str(new), [Change("x/one", b"1"), Change("two", b"2")])
    assert (new / "x/one").read_bytes() == b"1"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "b", "one", "two", "x"]


def test_new_files_obey_the_umask(root: Path) -> None:
    before = os.umask(0o077)
    try:
        publish(str(root), [Change("a.sh", b"", 0o755), Change("new/b", b"")])
    finally:
        os.umask(before)
    assert (mode(root / "a.sh"), mode(root / "new"), mode(root / "new/b")) == (0o700, 0o700, 0o600)


@pytest.mark.parametrize(
    ("had", "wanted", "has"),
    [
        (0o600, 0o644, 0o600),
        (0o664, 0o755, 0o775),
        (0o640, 0o755, 0o750),
        (0o755, 0o644, 0o755),
        (0o444, 0o644, 0o444),
    ],
)
def test_a_replaced_file_keeps_its_permissions(root: Path, had: int, wanted: int, has: int) -> None:
    (root / "SKILL.md").chmod(had)
    publish(str(root), [Change("SKILL.md", b"new", wanted, b"old\n")])
    assert mode(root / "SKILL.md") == has


def test_execute_bits_alone_are_a_change(root: Path) -> None:
    publish(str(root), [Change("SKILL.md", b"old\n", 0o755, b"old\n")])
    assert mode(root / "SKILL.md") == 0o755


def test_nothing_is_touched_when_nothing_changes(root: Path) -> None:
    before = (root / "SKILL.md").stat()
    publish(str(root), [Change("SKILL.md", b"old\n", 0o644, b"old\n")])
    assert (root / "SKILL.md").stat() == before


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs root")
def test_a_replaced_file_keeps_its_owner(root: Path) -> None:
    os.chown(root / "SKILL.md", 1234, 1235)
    publish(str(root), [Change("SKILL.md", b"new", 0o644, b"old\n")])
    assert ((root / "SKILL.md").stat().st_uid, (root / "SKILL.md").stat().st_gid) == (1234, 1235)


def test_works_where_there_are_no_hard_links(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_link(*_: object) -> None:
        raise OSError(errno.EPERM, "no hard links here")

    monkeypatch.setattr(os, "link", no_link)
    publish(str(root), [Change("SKILL.md", b"new", 0o644, b"old\n")])
    assert (root / "SKILL.md").read_bytes() == b"new"


def test_a_folder_left_without_files_goes_and_another_stays(root: Path) -> None:
    for name in ("gone/a/b", "gone/c", "kept/a", "kept/.hidden"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"x")
    publish(str(root), [Change(name, None, expect=b"x") for name in ("gone/a/b", "gone/c", "kept/a")])
    assert not (root / "gone").exists()
    assert [path.name for path in (root / "kept").iterdir()] == [".hidden"]


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../../x", "a//b", "", ".", "a/.", "a/", "a\0b", "\ud800"])
def test_a_path_that_is_not_below_the_root_is_refused(root: Path, path: str) -> None:
    refused(root, Change(path, b""))


def test_our_own_staging_folder_is_refused(root: Path) -> None:
    assert "staging folder" in refused(root, Change(f"{STAGING_PREFIX}x/y", b""))


def test_symbolic_links_are_refused(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_bytes(b"old\n")
    (root / "folder").symlink_to(outside)
    (root / "file").symlink_to(outside / "file")
    (root / "dangling").symlink_to("nowhere")
    link = "is a symbolic link"
    assert refused(root, Change("folder/new", b"")) == f"`folder` {link}"
    assert refused(root, Change("folder/file", b"", 0o644, b"old\n")) == f"`folder` {link}"
    assert refused(root, Change("file", b"", 0o644, b"old\n")) == f"`file` {link}"
    assert refused(root, Change("file", None, expect=b"old\n")) == f"`file` {link}"
    assert refused(root, Change("dangling", b"")) == "`dangling` exists already"


def test_what_is_no_regular_file_or_folder_is_refused(root: Path) -> None:
    os.mkfifo(root / "pipe")
    assert refused(root, Change("pipe", b"", 0o644, b"")) == "`pipe` is not a regular file"
    assert refused(root, Change("evals", b"", 0o644, b"")) == "`evals` is not a regular file"
    assert refused(root, Change("SKILL.md/x", b"")) == "`SKILL.md` is not a folder"


def test_contradicting_changes_are_refused(root: Path) -> None:
    assert "twice" in refused(root, Change("a", b""), Change("a", b""))
    assert "a file and a folder" in refused(root, Change("a", b""), Change("a/b", b""))
    assert "unseen" in refused(root, Change("SKILL.md", None))


def test_a_file_that_is_not_as_expected_is_left_alone(root: Path) -> None:
    changed = "`SKILL.md` has changed while we were working"
    assert refused(root, Change("new", b""), Change("SKILL.md", b"mine", 0o644, b"older\n")) == changed
    assert refused(root, Change("SKILL.md", None, expect=b"ol")) == changed
    assert refused(root, Change("SKILL.md", b"")) == "`SKILL.md` exists already"
    assert refused(root, Change("no/file", b"", 0o644, b"x")) == "`no/file` has gone while we were working"


def meddle(monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[], object]) -> None:
    """Let another writer `act` right before the next call of `os.<name>`."""
    original = getattr(os, name)

    def meddled(*args: object) -> object:
        monkeypatch.setattr(os, name, original)
        act()
        return original(*args)

    monkeypatch.setattr(os, name, meddled)


def test_a_change_between_look_and_publication_is_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skill = root / "SKILL.md"
    wanted = [Change("a/b", b"1"), Change("SKILL.md", b"mine", 0o644, b"old\n")]
    for name in ("link", "replace"):
        skill.write_bytes(b"old\n")
        with monkeypatch.context() as patch, pytest.raises(WriteError, match="has changed while"):
            meddle(patch, name, lambda: skill.write_bytes(b"theirs"))
            publish(str(root), wanted)
        assert skill.read_bytes() == b"theirs"
        assert sorted(os.listdir(root)) == ["SKILL.md", "evals"]


def test_a_file_that_appears_before_publication_is_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meddle(monkeypatch, "urandom", lambda: (root / "new").write_bytes(b"theirs"))
    with pytest.raises(WriteError, match="has appeared"):
        publish(str(root), [Change("new", b"mine")])
    assert (root / "new").read_bytes() == b"theirs"


def test_a_file_that_appears_in_a_folder_to_delete_is_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "gone").mkdir()
    (root / "gone/a").write_bytes(b"x")
    meddle(monkeypatch, "urandom", lambda: (root / "gone/b").write_bytes(b"theirs"))
    with pytest.raises(WriteError, match="has changed"):
        publish(str(root), [Change("gone/a", None, expect=b"x")])
    assert sorted(os.listdir(root / "gone")) == ["a", "b"]


# --- what the system refuses -----------------------------------------------------------------------------------------


def test_a_name_that_is_too_long_is_said(root: Path) -> None:
    assert "is too long" in refused(root, Change("x" * 300, b""))
    assert "is too long" in refused(root, Change("new/" + "x" * 300, b""))


def test_a_root_that_is_a_file_is_said(root: Path) -> None:
    with pytest.raises(WriteError, match="is not a folder"):
        publish(str(root / "SKILL.md"), [Change("x", b"")])


@pytest.mark.parametrize(
    ("number", "said"), [(errno.ENOSPC, "no space left"), (errno.EROFS, "read-only"), (errno.EIO, "cannot write")]
)
def test_what_stops_a_write_is_said(root: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str) -> None:
    def fail(_: int) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch, pytest.raises(WriteError, match=said) as caught:
        patch.setattr(os, "fsync", fail)
        publish(str(root), [Change("evals/new", b"x")])
    assert STAGING_PREFIX not in caught.value.message
    assert "evals" in caught.value.message
    assert os.listdir(root / "evals") == []


UNPRIVILEGED = """
import fcntl, hashlib, os, shutil, signal, sys
from gradewright.write import Change, WriteError
from gradewright.write.transaction import publish
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    publish(sys.argv[1], [Change("a", b"1"), Change("evals/b", b"2")])
except WriteError as error:
    print(error.message)
"""


def test_a_read_only_folder_is_said() -> None:
    root = Path(tempfile.mkdtemp(prefix="gradewright-test-"))
    closed = root / "evals"
    try:
        root.chmod(0o777)
        closed.mkdir(mode=0o555)
        run = subprocess.run([sys.executable, "-c", UNPRIVILEGED, root], capture_output=True, text=True, check=False)
        assert run.stdout == f"you may not write to `{closed / 'b'}`\n", run.stderr
        assert os.listdir(root) == ["evals"]
        assert os.listdir(closed) == []
    finally:
        closed.chmod(0o755)
        shutil.rmtree(root)


def test_a_full_disk_is_said(root: Path) -> None:
    disk = root / "evals"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("mounting a small disk is not allowed here")
    try:
        (disk / "old").write_bytes(b"old")
        with pytest.raises(WriteError, match="no space left on the disk"):
            publish(str(disk), [Change("old", b"x" * 20_000, 0o644, b"old"), Change("new/big", b"x" * 100_000)])
        assert os.listdir(disk) == ["old"]
        assert (disk / "old").read_bytes() == b"old"
        with pytest.raises(WriteError, match="another file system"):
            publish(str(root), [Change("evals/x", b"")])
        assert sorted(os.listdir(root)) == ["SKILL.md", "evals"]
    finally:
        subprocess.run(["umount", disk], check=True)


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


def test_a_folder_deleted_since_comes_back_with_what_it_held(root: Path) -> None:
    staging = half_done(root)
    journal = json.loads((staging / "journal.json").read_text())
    journal[1]["path"] = "evals/moved.md"
    (staging / "journal.json").write_text(json.dumps(journal))
    (root / "evals").rmdir()
    recover(str(root))
    assert (root / "evals/moved.md").read_bytes() == b"old\n"


def test_a_living_publication_is_left_alone(root: Path) -> None:
    staging = half_done(root)
    with lock(str(staging)):
        recover(str(root))
        assert staging.exists()


@pytest.mark.parametrize(
    "journal",
    [
        "",
        "[" * 100_000,
        "{}",
        "[1]",
        '[{"kind": "add", "path": "../x", "new": {}}]',
        '[{"kind": "add", "path": "link/x", "new": {}}]',
        '[{"kind": "odd", "path": "x", "new": {}}]',
        '[{"kind": "add", "path": 1, "new": {}}]',
    ],
)
def test_a_journal_that_is_not_ours_is_refused(root: Path, tmp_path: Path, journal: str) -> None:
    (root / "link").symlink_to(tmp_path)
    staging = root / f"{STAGING_PREFIX}0123"
    staging.mkdir()
    (staging / "journal.json").write_text(journal)
    with pytest.raises(WriteError, match="not a staging folder"):
        recover(str(root))
    assert staging.exists()


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


# --- diff ------------------------------------------------------------------------------------------------------------


def test_the_diff_is_one_that_git_applies(root: Path, tmp_path: Path) -> None:
    lines = b"".join(b"line %d\r\n" % number for number in range(50))
    (root / "long.txt").write_bytes(lines)
    (root / "gone.txt").write_bytes(b"gone")
    changes = [
        Change("SKILL.md", b"old\nmore", 0o755, b"old\n"),
        Change("long.txt", lines.replace(b"line 7\r", b"line seven\r"), 0o644, lines),
        Change("gone.txt", None, expect=b"gone"),
        Change("evals/a b/\u00e9.sh", "tab\there \u00e9\n".encode(), 0o755),
    ]
    patch = tmp_path / "patch"
    patch.write_bytes(unified(str(root), changes).encode())
    subprocess.run(["git", "apply", "--unsafe-paths", patch], cwd=root, check=True)
    applied = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert applied[root / "evals/a b/\u00e9.sh"] == "tab\there \u00e9\n".encode()
    assert applied == {root / c.path: c.content for c in changes if c.content is not None}
    assert mode(root / "SKILL.md") & 0o100


def test_the_diff_shows_what_a_terminal_would_obey(root: Path) -> None:
    text = unified(str(root), [Change("a\x1b[2Jb", "x\x1b]0;title\x07\u202e\r!\u2028\n".encode())])
    assert "\x1b" not in text and "\u202e" not in text and "\x07" not in text
    assert "+x\\x1b]0;title\\x07\\u202e\\r!\\u2028\n" in text


def test_the_diff_of_binary_or_unchanged_files(root: Path) -> None:
    assert unified(str(root), [Change("SKILL.md", b"old\n", 0o644, b"old\n")]) == ""
    assert "Binary files /dev/null and b/x differ" in unified(str(root), [Change("x", b"\xff\0")])
    assert unified(str(root), [Change("empty", b"", 0o755)]) == ("diff --git a/empty b/empty\nnew file mode 100755\n")


def test_the_journal_is_plain_json(root: Path) -> None:
    staging = half_done(root)
    entries = json.loads((staging / "journal.json").read_text())
    assert [(entry["kind"], entry["path"]) for entry in entries] == [("add", "new"), ("replace", "SKILL.md")]
