"""Turn wanted changes into the fewest renames that bring them about, refusing what would be unsafe."""

import os
import stat
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gradewright.write import STAGING_PREFIX, Change, WriteError

ADD = "add"
REPLACE = "replace"
REMOVE = "remove"

_HISTORY = frozenset({".git", ".hg", ".svn", ".jj", ".bzr"})
"""Folders of version control: a file in one, such as a hook, is run by the next command of theirs."""


class File(NamedTuple):
    """A file of an operation: `name` is its path below the operation's, empty for the operation's path itself."""

    name: str
    content: bytes
    mode: int = 0


class Operation(NamedTuple):
    """One rename: a file or a whole new folder appears, a file is replaced, a file or a whole folder goes."""

    kind: str
    path: str
    new: tuple[File, ...] = ()
    old: tuple[File, ...] = ()


def existing_folder(root: str) -> str:
    """`root`, or the nearest folder above it that exists; raises WriteError if that is no folder."""
    folder = os.path.abspath(root)
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder):
        raise WriteError(f"`{folder}` is not a folder", "name a folder")
    return folder


def plan(root: str, changes: Sequence[Change]) -> tuple[str, list[Operation]]:
    """The folder to work in, and the operations in the order that leaves a sound tree in between.

    What is new comes first (nothing refers to it yet), then what is replaced, then what goes.
    """
    base = existing_folder(root)
    prefix = os.path.relpath(os.path.abspath(root), base).replace(os.sep, "/")
    changes = [
        change if prefix == "." else change._replace(path=f"{prefix}/{change.path}")
        for change in changes
        if is_safe(change.path)
    ]
    _refuse_overlaps([change.path for change in changes])
    operations = _additions(base, changes) + _replacements(base, changes) + _removals(base, changes)
    return base, operations


def _additions(base: str, changes: Iterable[Change]) -> list[Operation]:
    """One operation for each new file, or for the highest new folder that holds it."""
    added: dict[str, list[File]] = {}
    for change in changes:
        if change.expect is None:
            if change.content is None:
                raise WriteError(f"`{change.path}` is to be deleted unseen", "say what it holds")
            top = topmost_missing(base, change.path)
            if top is None:
                raise WriteError(f"`{change.path}` exists already", "move it away, or name another")
            added.setdefault(top, []).append(File(change.path[len(top) + 1 :], change.content, change.mode))
    return [Operation(ADD, top, tuple(files)) for top, files in added.items()]


def _replacements(base: str, changes: Iterable[Change]) -> list[Operation]:
    operations = []
    for change in changes:
        if change.expect is not None and change.content is not None:
            mode = _unchanged(base, change.path, change.expect)
            wanted = mode | (mode & 0o444) >> 2 if change.mode & 0o111 else mode
            if wanted != mode or change.content != change.expect:
                new, old = File("", change.content, wanted), File("", change.expect, mode)
                operations.append(Operation(REPLACE, change.path, (new,), (old,)))
    return operations


def _removals(base: str, changes: Iterable[Change]) -> list[Operation]:
    """One operation for each file to delete, or for the highest folder that would be left without a file."""
    removed = {change.path: change.expect for change in changes if change.content is None and change.expect is not None}
    for path, expect in removed.items():
        _unchanged(base, path, expect)
    gone = set(removed)
    kept = {parent for change in changes if change.content is not None for parent in _parents(change.path)}
    folders = {parent for path in removed for parent in _parents(path)} - kept
    for folder in sorted(folders, key=lambda path: -path.count("/")):
        if all(f"{folder}/{name}" in gone for name in os.listdir(os.path.join(base, folder))):
            gone.add(folder)
    operations = []
    for top in sorted(path for path in gone if not gone.intersection(_parents(path))):
        files = (File(path[len(top) + 1 :], old) for path, old in removed.items() if f"{path}/".startswith(f"{top}/"))
        operations.append(Operation(REMOVE, top, (), tuple(files)))
    return operations


def is_safe(path: str) -> bool:
    """True; raises WriteError unless `path` names a place strictly below the root."""
    parts = path.split("/")
    if not path or "\0" in path or os.path.isabs(path) or any(part in ("", ".", "..") for part in parts):
        raise WriteError(f"`{path!a}` does not name a file below the root", "use a relative path without `..`")
    if any(part.startswith(STAGING_PREFIX) for part in parts):
        raise WriteError(f"`{path}` has the name of our own staging folder", "name another file")
    if _HISTORY.intersection(part.lower() for part in parts) or (len(parts) > 1 and parts[0].startswith(".")):
        raise WriteError(f"`{path}` is in a hidden folder that other programs obey", "name another file")
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        raise WriteError(f"`{path!a}` cannot be a file name", "use characters that UTF-8 can hold") from error
    return True


def _refuse_overlaps(paths: Sequence[str]) -> None:
    known = set(paths)
    if len(known) != len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise WriteError(f"`{twice}` is changed twice at once", "change it once")
    for path in paths:
        for parent in _parents(path):
            if parent in known:
                raise WriteError(f"`{parent}` would be a file and a folder at once", "rename one of them")


def _parents(path: str) -> list[str]:
    """The folders above `path` and below the root, the nearest first."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1)]


def topmost_missing(base: str, path: str) -> str | None:
    """The highest folder of `path` that is not there, or `path` itself; None if all of it exists."""
    for parent in reversed(_parents(path)):
        status = _status(base, parent)
        if status is None:
            return parent
        if stat.S_ISLNK(status.st_mode):
            raise WriteError(f"`{parent}` is a symbolic link", "replace the link by the folder it points at")
        if not stat.S_ISDIR(status.st_mode):
            raise WriteError(f"`{parent}` is not a folder", "move it away")
    return path if _status(base, path) is None else None


def _status(base: str, path: str) -> os.stat_result | None:
    try:
        return os.lstat(os.path.join(base, path))
    except FileNotFoundError:
        return None


def _unchanged(base: str, path: str, expect: bytes) -> int:
    """The permissions of the regular file `path`; raises WriteError unless it still holds `expect`."""
    missing = topmost_missing(base, path)
    status = None if missing else _status(base, path)
    if status is None:
        raise WriteError(f"`{path}` has gone while we were working", "run the command again")
    if stat.S_ISLNK(status.st_mode):
        raise WriteError(f"`{path}` is a symbolic link", "replace the link by the file it points at")
    if not stat.S_ISREG(status.st_mode):
        raise WriteError(f"`{path}` is not a regular file", "move it away")
    if not holds(os.path.join(base, path), expect):
        raise WriteError(f"`{path}` has changed while we were working", "run the command again")
    return stat.S_IMODE(status.st_mode)


def holds(path: str, content: bytes) -> bool:
    """Whether the file `path` holds exactly `content`."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read(len(content) + 1) == content
