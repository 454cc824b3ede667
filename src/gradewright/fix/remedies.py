"""What each remedy does to the text of its file."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from gradewright import finding as f
from gradewright.contract import MAX_DATASET
from gradewright.finding import Edit, Remedy
from gradewright.fix.scripts import end_lines, first_line, redirect_reward, rename_metric, renew_contract
from gradewright.read.data.locate import syntax_of
from gradewright.read.files import Text, read_text
from gradewright.write import splice
from gradewright.write.splice import SpliceError

_BOM = "\ufeff"


class RefusedError(Exception):
    """The remedy cannot be applied without doubt; the message says why."""


def applied_all(remedies: Sequence[Remedy], text: str) -> str:
    """`text` after all these changes of one kind to its file. Raises RefusedError, and has then made none of them."""
    if len(remedies) == 1 or not isinstance(remedies[0], f.RenameKey):
        for remedy in remedies:
            text = applied(remedy, text)
        return text
    renames = [(one.at.keys, one.to) for one in remedies if isinstance(one, f.RenameKey)]
    try:
        return splice.rename_keys(text, syntax_of(remedies[0].at.path), renames)
    except SpliceError as error:
        raise RefusedError(error.message) from error


def applied(remedy: Remedy, text: str) -> str:
    """`text`, what the remedy's file holds, after the change; the text itself where nothing is left to do.

    Raises RefusedError. A `RenameFile` changes no text.
    """
    try:
        return _APPLY[type(remedy)](remedy, text)
    except SpliceError as error:
        raise RefusedError(error.message) from error


def opened(path: str) -> Text:
    """The text of `path`, which must be a plain file of its own; raises RefusedError."""
    text = read_text(path, "fix", limit=MAX_DATASET)
    if text is None:
        raise RefusedError("the file is gone")
    if not isinstance(text, Text):
        raise RefusedError(f"the file {text.detail}" if text.detail else "the file cannot be read")
    if text.link:
        raise RefusedError("the file is a symbolic link")
    return text


def changed(remedy: Remedy) -> tuple[Edit, ...]:
    """The replacements that `remedy` makes now; none if it is refused."""
    try:
        return _change(remedy, opened(remedy.at.path))
    except RefusedError:
        return ()


@lru_cache(maxsize=2, typed=True)
def _change(remedy: Remedy, old: Text) -> tuple[Edit, ...]:
    """The last ones are kept: twenty commas of one file are one change. `typed`, as remedies are tuples."""
    return _edit(remedy.at.path, old.data, applied(remedy, old.text).encode())


def _edit(path: str, old: bytes, new: bytes) -> tuple[Edit, ...]:
    """The one replacement between what both begin and end with, at the borders of characters."""
    if old == new:
        return ()
    start = _common(old, new, min(len(old), len(new)))
    while _inside(old, start):
        start -= 1
    tail = _common(old[::-1], new[::-1], min(len(old), len(new)) - start)
    while _inside(old, len(old) - tail):
        tail -= 1
    return (Edit(path, start, len(old) - tail, new[start : len(new) - tail].decode()),)


def _common(one: bytes, other: bytes, most: int) -> int:
    """How many bytes, `most` at most, both begin with."""
    same = 0
    while same < most:
        middle = (same + most + 1) // 2
        if one[same:middle] == other[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same


def _inside(data: bytes, offset: int) -> bool:
    """Whether a character of several bytes goes on at `offset`."""
    return offset < len(data) and data[offset] & 0xC0 == 0x80


def _drop_mark(_: f.DropMark, text: str) -> str:
    return text.lstrip(_BOM)


def _drop_commas(remedy: f.DropCommas, text: str) -> str:
    return splice.drop_commas(text, syntax_of(remedy.at.path))


def _drop_comments(remedy: f.DropComments, text: str) -> str:
    return splice.drop_comments(text, syntax_of(remedy.at.path))


def _rename_key(remedy: f.RenameKey, text: str) -> str:
    return splice.rename_key(text, syntax_of(remedy.at.path), remedy.at.keys, remedy.to)


def _set_text(remedy: f.SetText, text: str) -> str:
    return splice.set_text(text, syntax_of(remedy.at.path), remedy.at.keys, remedy.to)


def _drop_twin(remedy: f.DropTwin, text: str) -> str:
    return splice.drop_yaml(text, [str(key) for key in remedy.at.keys])


def _add_task(remedy: f.AddTask, text: str) -> str:
    return splice.append_toml_table(text, "tasks", {"name": remedy.name})


def _plain_header(remedy: f.PlainHeader, text: str) -> str:
    return splice.plain_header(text, remedy.at.line)


_APPLY: dict[type, Callable[[Any, str], str]] = {
    f.DropMark: _drop_mark,
    f.EndLines: end_lines,
    f.DropCommas: _drop_commas,
    f.DropComments: _drop_comments,
    f.PlainHeader: _plain_header,
    f.RenameKey: _rename_key,
    f.SetText: _set_text,
    f.DropTwin: _drop_twin,
    f.AddTask: _add_task,
    f.RenameMetric: rename_metric,
    f.RedirectReward: redirect_reward,
    f.RenewContract: renew_contract,
    f.FirstLine: first_line,
    f.RenameFile: lambda _, text: text,
}
"""In the order in which they are applied to one file: what is at a line before what changes the number of lines."""


def order(remedy: Remedy) -> int:
    """The place of this kind of remedy among those of one file."""
    return list(_APPLY).index(type(remedy))
