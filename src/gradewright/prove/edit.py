"""Look at and replace single files of a stage, which may hold links to anywhere and files that nobody may touch."""

import contextlib
import os
import stat
from collections.abc import Callable, Mapping

from gradewright.prove.stage import Stage, remove

MAX_CONTENT = 4 << 20
"""Bytes of a file that is looked into; a larger one is only deleted, cut or replaced."""


def content(stage: Stage, place: str, limit: int = MAX_CONTENT) -> bytes | None:
    """The bytes of the regular file at `place`; None if it is something else, beyond a link, or larger than `limit`."""
    path = stage.path(place)
    if os.path.realpath(os.path.dirname(path)) != os.path.realpath(stage.root) + os.path.dirname(place):
        return None
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with open(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        return stream.read() if stat.S_ISREG(status.st_mode) and status.st_size <= limit else None


def clear(stage: Stage, place: str) -> str:
    """Make room at `place`: nothing is there any more, and all above it are plain folders; returns the full path."""
    *folders, name = place.strip("/").split("/")
    path = stage.root
    for folder in folders:
        path = os.path.join(path, folder)
        _make_folder(path)
    path = os.path.join(path, name)
    if os.path.isdir(path) and not os.path.islink(path):
        remove(path)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    return path


def put(stage: Stage, place: str, data: bytes | str, mode: int = 0o644) -> None:
    """Write a file with `mode`; a program that is replaced stays one."""
    with contextlib.suppress(OSError):
        status = os.lstat(stage.path(place))
        mode |= stat.S_IMODE(status.st_mode) & 0o111 if stat.S_ISREG(status.st_mode) else 0
    path = clear(stage, place)
    with open(path, "xb") as stream:
        stream.write(data if isinstance(data, bytes) else data.encode("utf-8", "replace"))
    os.chmod(path, mode)


def putting(files: Mapping[str, bytes | str]) -> Callable[[Stage], None]:
    """A change to a stage that writes `files`, by their places."""

    def apply(stage: Stage) -> None:
        for place, data in files.items():
            put(stage, place, data)

    return apply


def _make_folder(path: str) -> None:
    """Make `path` a folder that can be written to, in place of whatever else it is."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        os.mkdir(path)
        return
    if not stat.S_ISDIR(mode):
        os.unlink(path)
        os.mkdir(path)
    elif mode & stat.S_IRWXU != stat.S_IRWXU:
        os.chmod(path, stat.S_IMODE(mode) | stat.S_IRWXU)
