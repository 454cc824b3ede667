"""Planned changes as a diff, for `--dry-run`: what a person reads before anything is written."""

import os
import stat
from collections.abc import Sequence

from gradewright.visible import visible
from gradewright.write import Change


def unified(root: str, changes: Sequence[Change]) -> str:
    """The `changes` below `root` in the form of `git diff`, empty when nothing would change.

    Characters that a terminal would obey are shown as escapes; for files without them `git apply` takes the text.
    """
    return "".join(_one(root, change) for change in changes)


def _one(root: str, change: Change) -> str:
    old, new = change.expect, change.content
    name = _shown(change.path)
    lines = [f"diff --git a/{name} b/{name}\n"]
    if old is None:
        lines.append(f"new file mode {_git_mode(change.mode)}\n")
    elif new is None:
        lines.append(f"deleted file mode {_git_mode(_mode(root, change.path))}\n")
    else:
        mode = _mode(root, change.path)
        if change.mode & 0o111 and not mode & 0o111:
            lines.append(f"old mode {_git_mode(mode)}\nnew mode {_git_mode(change.mode)}\n")
        elif old == new:
            return ""
    return "".join(lines) + _body(name, old, new)


def _body(name: str, old: bytes | None, new: bytes | None) -> str:
    before, after = old or b"", new or b""
    if before == after:
        return ""
    source = "/dev/null" if old is None else f"a/{name}"
    target = "/dev/null" if new is None else f"b/{name}"
    try:
        a, b = _lines(before.decode()), _lines(after.decode())
    except UnicodeDecodeError:
        return f"Binary files {source} and {target} differ\n"
    from difflib import unified_diff

    return "".join(unified_diff(a, b, source, target))


def _lines(text: str) -> list[str]:
    lines = [_shown(line) + "\n" for line in text.split("\n")]
    last = lines.pop()
    if last != "\n":
        lines.append(f"{last}\\ No newline at end of file\n")
    return lines


def _shown(text: str) -> str:
    """`text` with escapes for what a terminal would obey; tabs and the carriage return of CRLF are left."""
    body, ending = (text[:-1], "\r") if text.endswith("\r") else (text, "")
    return "\t".join(visible(part) for part in body.split("\t")) + ending


def _mode(root: str, path: str) -> int:
    try:
        return stat.S_IMODE(os.lstat(os.path.join(root, path)).st_mode)
    except OSError:
        return 0o644


def _git_mode(mode: int) -> str:
    return "100755" if mode & 0o111 else "100644"
