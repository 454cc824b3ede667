"""What a transaction publishes and what it refuses; kills and full disks are in test_write_faults.py."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from writing import mode, planted, refused

from gradewright.write import STAGING_PREFIX, Change, WriteError
from gradewright.write.transaction import publish


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return planted(tmp_path)


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


def test_a_replaced_file_keeps_its_owner(root: Path) -> None:
    if os.getuid() != 0:
        pytest.xfail("only root may give files away")
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


@pytest.mark.parametrize("path", [".git/hooks/pre-commit", "evals/.Git/config", ".hidden/x", "a/.hg"])
def test_folders_that_other_programs_obey_are_refused(root: Path, path: str) -> None:
    assert "hidden folder" in refused(root, Change(path, b""))


def test_hidden_files_can_be_written(root: Path) -> None:
    publish(str(root), [Change("evals/x/.dockerignore", b"*"), Change(".env.example", b"")])
    assert (root / "evals/x/.dockerignore").read_bytes() == b"*"


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
