"""Open files without trust: nothing but regular UTF-8 text of a bounded size is taken in."""

import os
import stat
from typing import NamedTuple

from gradewright.contract import MAX_TEXT
from gradewright.finding import Location
from gradewright.model import (
    IRREGULAR,
    LINK_DANGLES,
    LINK_ESCAPES,
    LINK_LOOP,
    NOT_UTF8,
    OVERSIZED,
    UNREADABLE,
    Problem,
)


class Text(NamedTuple):
    """A file's text as it stands on disk (a BOM and line endings included), its bytes and its link status."""

    path: str
    text: str
    data: bytes
    link: bool = False


def read_bytes(path: str, role: str, *, limit: int = MAX_TEXT) -> bytes | Problem | None:
    """The content of the regular file `path`, at most `limit` bytes; None if there is no such file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        return _cannot_open(path, role, error)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return Problem(IRREGULAR, role, Location(path), f"is {_type_of(status.st_mode)}, not a regular file")
        if status.st_size > limit:
            return Problem(OVERSIZED, role, Location(path), f"is {status.st_size:,} bytes, more than {limit:,}")
        with os.fdopen(os.dup(descriptor), "rb", buffering=0) as stream:
            data = stream.read(limit + 1) or b""
    except OSError as error:
        return Problem(UNREADABLE, role, Location(path), error.strerror or str(error))
    finally:
        os.close(descriptor)
    if len(data) > limit:
        return Problem(OVERSIZED, role, Location(path), f"is more than {limit:,} bytes")
    return data


def read_text(path: str, role: str, *, limit: int = MAX_TEXT) -> Text | Problem | None:
    """The text of `path`; None if there is no such file."""
    data = read_bytes(path, role, limit=limit)
    if not isinstance(data, bytes):
        return data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Problem(NOT_UTF8, role, Location(path, line), f"byte 0x{data[error.start]:02x} is not valid UTF-8")
    return Text(path, text, data)


def link_problem(path: str, root: str, role: str) -> Problem | None:
    """What is wrong with `path` if it is a symbolic link: it loops, dangles or leaves `root`."""
    if not os.path.islink(path):
        return None
    try:
        target = os.path.realpath(path, strict=True)
    except OSError as error:
        kind = LINK_LOOP if error.errno == 40 else LINK_DANGLES
        return Problem(kind, role, Location(path), f"points at `{os.readlink(path)}`")
    home = os.path.realpath(root)
    if target != home and not target.startswith(home.rstrip(os.sep) + os.sep):
        return Problem(LINK_ESCAPES, role, Location(path), f"points at `{os.readlink(path)}`")
    return None


def _cannot_open(path: str, role: str, error: OSError) -> Problem | None:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return Problem(LINK_DANGLES, role, Location(path), "points at nothing") if os.path.islink(path) else None
    if error.errno == 40:
        return Problem(LINK_LOOP, role, Location(path), "points back at itself")
    if error.errno == 6:
        return Problem(IRREGULAR, role, Location(path), "is a named pipe or a device, not a regular file")
    return Problem(UNREADABLE, role, Location(path), error.strerror or str(error))


def _type_of(mode: int) -> str:
    kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")
