"""Open files without trust: nothing but regular UTF-8 text of a bounded size is taken in."""

import errno
import os
import re
import stat
from collections.abc import Mapping
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
    quoted,
)

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_IS_LINK = {errno.ELOOP, getattr(errno, "EMLINK", errno.ELOOP)}
"""What `O_NOFOLLOW` answers for a symbolic link: ELOOP on Linux and macOS, EMLINK on FreeBSD."""

_IN_OUR_WORDS = {
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENAMETOOLONG: "its name is too long",
    errno.EIO: "the system reports an input or output error",
}
_TYPES = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}
_CODING = re.compile(rb"[ \t\f]*+#.*?coding[:=][ \t]*+([-\w.]++)")
"""PEP 263."""

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


_instead: Mapping[str, bytes] = {}


class Text(NamedTuple):
    """A file's text as it stands on disk (a BOM and line endings included), its bytes and its link status."""

    path: str
    text: str
    data: bytes
    link: bool = False


def read_bytes(path: str, role: str, *, limit: int = MAX_TEXT) -> bytes | Problem | None:
    """The content of the regular file `path`, at most `limit` bytes; None if there is no such file."""
    loaded = _load(path, role, limit)
    return loaded if loaded is None or isinstance(loaded, Problem) else loaded[0]


def read_text(path: str, role: str, *, limit: int = MAX_TEXT) -> Text | Problem | None:
    """The text of `path`; None if there is no such file. Text that holds a NUL byte is none."""
    loaded = _load(path, role, limit)
    if loaded is None or isinstance(loaded, Problem):
        return loaded
    data, link = loaded
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if data.startswith(_UTF16):
            return Problem(NOT_UTF8, role, Location(path), "is UTF-16, not UTF-8")
        coding = _declared_coding(data) if path.endswith(".py") else ""
        if coding:
            return Problem(NOT_UTF8, role, Location(path), f"is written in {quoted(coding)}, as it says itself", coding)
        at = _place(path, data, error.start)
        return Problem(NOT_UTF8, role, at, f"holds the byte 0x{data[error.start]:02x}, which is not UTF-8")
    if b"\0" in data:
        return Problem(NOT_UTF8, role, _place(path, data, data.index(b"\0")), "holds a NUL byte, so it is not text")
    return Text(path, text, data, link)


def read_instead(contents: Mapping[str, bytes]) -> None:
    """From now on read these contents in place of what the regular files at these paths hold, to see what would be."""
    global _instead
    _instead = contents


def link_problem(path: str, root: str, role: str) -> Problem | None:
    """What is wrong with `path` if it is a symbolic link: it loops, dangles or leaves `root`."""
    try:
        aim = os.readlink(path)
    except (OSError, ValueError):
        return None
    try:
        target = os.path.realpath(path, strict=True)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return _link_loop(path, role)
        return Problem(LINK_DANGLES, role, Location(path), f"is a link to {quoted(aim)}, which is not there")
    home = os.path.realpath(root)
    if target != home and not target.startswith(home.rstrip(os.sep) + os.sep):
        outside = quoted(os.path.basename(home))
        return Problem(LINK_ESCAPES, role, Location(path), f"is a link to {quoted(aim)}, outside {outside}")
    return None


def leads_to_folder(entry: os.DirEntry[str]) -> bool:
    """Whether a listed entry is a folder or a link to one; not where that cannot be told, as of a link to itself."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def line_column(text: str, offset: int) -> tuple[int, int]:
    """The 1-based line and column (in characters) of `text[offset]`; a BOM takes no column."""
    start = text.rfind("\n", 0, offset) + 1
    bom = start == 0 and offset > 0 and text.startswith("\ufeff")
    return text.count("\n", 0, offset) + 1, offset - start + 1 - bom


def _load(path: str, role: str, limit: int) -> tuple[bytes, bool] | Problem | None:
    if path in _instead:
        return _instead[path], False
    try:
        descriptor, link = _open(path)
    except OSError as error:
        return _cannot_open(path, role, error)
    except ValueError:
        return Problem(UNREADABLE, role, Location(path), "no file can have this name")
    try:
        data = _read(descriptor, path, role, limit)
    except OSError as error:
        return Problem(UNREADABLE, role, Location(path), _reason(error))
    finally:
        os.close(descriptor)
    return data if isinstance(data, Problem) else (data, link)


def _open(path: str) -> tuple[int, bool]:
    try:
        return os.open(path, _FLAGS | _NO_FOLLOW), False
    except OSError as error:
        if not _NO_FOLLOW or error.errno not in _IS_LINK:
            raise
    return os.open(path, _FLAGS), True


def _read(descriptor: int, path: str, role: str, limit: int) -> bytes | Problem:
    """All bytes of an open regular file. The size is believed only as a hint: files grow, and `/proc` says 0."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        return _irregular(path, role, _TYPES.get(stat.S_IFMT(status.st_mode), "a device"))
    if status.st_size > limit:
        return Problem(OVERSIZED, role, Location(path), f"is {status.st_size:,} bytes long, more than {limit:,}")
    data = os.read(descriptor, status.st_size + 1)
    while len(data) != status.st_size and len(data) <= limit:
        more = os.read(descriptor, limit + 1 - len(data))
        if not more:
            break
        data += more
    if len(data) > limit:
        return Problem(OVERSIZED, role, Location(path), f"is more than {limit:,} bytes long")
    return data


def _cannot_open(path: str, role: str, error: OSError) -> Problem | None:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return link_problem(path, os.path.dirname(path) or ".", role)
    if error.errno == errno.ELOOP:
        return _link_loop(path, role)
    if error.errno in (errno.ENXIO, errno.EOPNOTSUPP):
        return _irregular(path, role, "a socket, a pipe or a device")
    if os.path.isdir(path):
        return _irregular(path, role, "a folder")
    return Problem(UNREADABLE, role, Location(path), _reason(error))


def _irregular(path: str, role: str, what: str) -> Problem:
    return Problem(IRREGULAR, role, Location(path), f"is {what}, not a regular file")


def _link_loop(path: str, role: str) -> Problem:
    return Problem(LINK_LOOP, role, Location(path), "is a link that leads back to itself")


def _reason(error: OSError) -> str:
    return _IN_OUR_WORDS.get(error.errno or 0) or (error.strerror or str(error)).lower()


def _declared_coding(data: bytes) -> str:
    """The encoding that Python source names in a comment of its first two lines, if the text really is in it."""
    lines = data.split(b"\n", 2)[:2]
    found = next((match for line in lines if (match := _CODING.match(line))), None)
    if found is None or (found.string is not lines[0] and lines[0].split(b"#", 1)[0].strip()):
        return ""
    name = found[1].decode("ascii")
    try:
        data.decode(name)
    except (LookupError, ValueError):
        return ""
    return name


def _place(path: str, data: bytes, offset: int) -> Location:
    """Where a byte of undecodable data stands: its line, and its column in bytes."""
    start = data.rfind(b"\n", 0, offset) + 1
    return Location(path, data.count(b"\n", 0, offset) + 1, offset - start + 1)


def staged_path(path: str) -> str:
    """Where the script lies when it runs: the folders `tests/` and `solution/` are put at the root."""
    parts = path.replace(os.sep, "/").split("/")
    for index in range(len(parts) - 2, -1, -1):
        if parts[index] in ("tests", "solution"):
            return "/" + "/".join(parts[index:])
    return f"/tests/{parts[-1]}"
