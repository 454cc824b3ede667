"""What the system refuses, in words, and the one file that a user names for output."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from writing import planted, refused

from gradewright.write import STAGING_PREFIX, Change, WriteError
from gradewright.write.transaction import publish, write_file


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return planted(tmp_path)


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
        pytest.xfail("mounting a small disk is not allowed here")
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


# --- one file that the user names ------------------------------------------------------------------------------------


def test_one_file_is_written_whatever_it_held(root: Path) -> None:
    (root / "link").symlink_to("SKILL.md")
    write_file(str(root / "new.json"), b"1")
    write_file(str(root / "new.json"), b"2")
    write_file(str(root / "link"), b"3")
    assert ((root / "new.json").read_bytes(), (root / "SKILL.md").read_bytes()) == (b"2", b"3")
    assert (root / "link").is_symlink()
    assert sorted(os.listdir(root)) == ["SKILL.md", "evals", "link", "new.json"]


def test_one_file_may_be_a_device_or_a_pipe(root: Path) -> None:
    write_file(os.devnull, b"x")
    script = "from gradewright.write.transaction import write_file; write_file('/dev/stdout', b'out')"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"out"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("evals", "is a folder"),
        ("no/file", "does not exist"),
        ("SKILL.md/x", "does not exist"),
        ("x" * 300, "too long"),
    ],
)
def test_one_file_that_cannot_be_written_is_said(root: Path, name: str, said: str) -> None:
    with pytest.raises(WriteError, match=said):
        write_file(str(root / name), b"x")
    assert sorted(os.listdir(root)) == ["SKILL.md", "evals"]
