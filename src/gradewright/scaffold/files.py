"""Look at and open a skill's files without trust, refusing what could not be edited safely."""

import os
import stat
from typing import Any, NamedTuple

from gradewright.contract import GRADER_FILES, MAX_TEXT
from gradewright.model import DUPLICATE_KEY, UNREADABLE, Problem
from gradewright.read.files import Text, read_text
from gradewright.scaffold import RefusedError

MAX_REPLACED = 32 << 20
"""Bytes: what a file that goes may hold, for it is kept in memory until the new one is in its place."""

MEND = "mend it first: `gradewright validate` shows what is wrong"


class File(NamedTuple):
    """A file of the skill: its path below the skill's root, its bytes, and the value that it holds."""

    path: str
    data: bytes
    value: Any


def kind_of(root: str, path: str) -> str:
    """What is at `path` below `root`: `missing`, `file`, `a folder`, `a symbolic link` or `not a regular file`."""
    try:
        mode = os.lstat(os.path.join(root, path)).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "missing"
    except OSError as error:
        raise RefusedError(f"`{path}` cannot be looked at: {error.strerror}", "make it readable") from error
    kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "a folder", stat.S_IFLNK: "a symbolic link"}
    return kinds.get(stat.S_IFMT(mode), "not a regular file")


def open_text(root: str, path: str, role: str, *, limit: int = MAX_TEXT) -> Text | None:
    """The text of the file `path` below `root`, None if there is none; anything but a regular file is refused."""
    kind = kind_of(root, path)
    if kind == "missing":
        return None
    if kind != "file":
        raise RefusedError(f"`{path}` is {kind}", "replace it by a regular file")
    text = read_text(os.path.join(root, path), role, limit=limit)
    if isinstance(text, Problem):
        if text.kind == UNREADABLE:
            raise RefusedError(f"`{path}` cannot be read: {_detail(text)}", "make it readable")
        raise RefusedError(f"`{path}` {_detail(text)}", "mend it first")
    return text


def open_data(root: str, path: str, syntax: str, role: str, *, limit: int = MAX_TEXT) -> File | None:
    """The parsed data file `path` below `root`, None if there is none; one that is malformed is refused."""
    from gradewright.read.data.document import parse

    text = open_text(root, path, role, limit=limit)
    if text is None:
        return None
    value, problems = parse(text, syntax, role)
    for problem in problems:
        if problem.kind != DUPLICATE_KEY:
            line = f", line {problem.at.line}" if problem.at.line else ""
            raise RefusedError(f"`{path}`{line} is malformed: {_detail(problem)}", MEND)
    return File(path, text.data, value)


def _detail(problem: Problem) -> str:
    return problem.detail or problem.kind.replace("-", " ")


def mode_of(name: str) -> int:
    """The permissions of a scaffolded file: graders and scripts can be run."""
    return 0o755 if name.endswith(".sh") or os.path.basename(name) in GRADER_FILES else 0o644


def existing(root: str, path: str) -> bytes | None:
    """What the file `path` below `root` holds, None if there is none; anything but a regular file is refused."""
    kind = kind_of(root, path)
    if kind == "missing":
        return None
    if kind != "file":
        raise RefusedError(f"`{path}` is {kind}", "move it away")
    try:
        with open(os.path.join(root, path), "rb") as stream:
            content = stream.read(MAX_REPLACED + 1)
    except OSError as error:
        raise RefusedError(f"`{path}` cannot be read: {error.strerror}", "make it readable") from error
    if len(content) > MAX_REPLACED:
        raise RefusedError(f"`{path}` is larger than {MAX_REPLACED >> 20} MiB", "move it away")
    return content
