"""What can be wrong with the content of a file, as plain functions on its bytes.

Each returns the new content, or None where it cannot be made or would be what it was.
"""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

_NUMBER = re.compile(r"(?<![\w.])\d++(?:\.\d++)?+(?![\w.]\w)(?!\w)")
_OTHER = {
    "csv": "unrelated,content\n1,2\n",
    "htm": "<!doctype html>\n<title>Unrelated</title>\n",
    "html": "<!doctype html>\n<title>Unrelated</title>\n",
    "js": "const unrelated = true;\n",
    "jsonl": '{"unrelated": "content"}\n',
    "py": '"""Unrelated."""\n\nUNRELATED = True\n',
    "sh": "#!/bin/sh\n# unrelated\n",
    "svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
    "toml": 'unrelated = "content"\n',
    "ts": "const unrelated = true;\n",
    "tsv": "unrelated\tcontent\n1\t2\n",
    "xml": "<unrelated/>\n",
    "yaml": "unrelated: content\n",
    "yml": "unrelated: content\n",
}
_TEXT = "This text has nothing to do with the task.\n"
MAX_NAME = 60
_HEADER = 16
"""Bytes at the start of a binary file that are kept, so that its type can still be told."""


def half(_name: str, data: bytes) -> bytes | None:
    """The first half of it."""
    return data[: len(data) // 2] if len(data) > 1 else None


def other(name: str, data: bytes) -> bytes | None:
    """Something else of the same type."""
    kind = _kind(name)
    value = _json(name, data)
    text = _text(data)
    if value is not None:
        new = _dumped([{"unrelated": "content"}] if isinstance(value, list) else {"unrelated": "content"}, data)
    elif text is not None or kind in _OTHER:
        new = _OTHER.get(kind, _TEXT).encode()
    else:
        new = data[:_HEADER] + data[:_HEADER:-1]
    return new if new != data else None


def numbers(_name: str, data: bytes) -> bytes | None:
    """The same with every number another one."""
    text = _text(data)
    new = _NUMBER.sub(lambda match: _another(match[0]), text) if text is not None else text
    return new.encode() if new is not None and new != text else None


def number(index: int) -> Callable[[str, bytes], bytes | None]:
    """The same with one number another one: the one at `index`, counted from 0."""

    def change(_name: str, data: bytes) -> bytes | None:
        text = _text(data) or ""
        found = list(_NUMBER.finditer(text))
        if index >= len(found):
            return None
        match = found[index]
        return (text[: match.start()] + _another(match[0]) + text[match.end() :]).encode()

    return change


def some_numbers(name: str, data: bytes) -> tuple[int, ...]:
    """The first, the middle and the last number of a file of data, if it has more than one."""
    text = _text(data)
    if text is None or _kind(name) not in ("json", "jsonl", "csv", "tsv"):
        return ()
    count = sum(1 for _ in _NUMBER.finditer(text))
    return tuple(sorted({0, count // 2, count - 1})) if count > 1 else ()


def _another(digits: str) -> str:
    """A number that is clearly another one, of the same length: its first digit that is not 0 differs by one."""
    for at, digit in enumerate(digits):
        if digit in "123456789":
            return digits[:at] + ("8" if digit == "9" else str(int(digit) + 1)) + digits[at + 1 :]
    return "1" + digits[1:]


def swapped(name: str, data: bytes) -> bytes | None:
    """The same in another order: the items of lists, the rows below a header, else the lines."""
    value = _json(name, data)
    if value is not None:
        turned = _turned(value)
        return _dumped(turned, data) if turned != value else None
    rows = _rows(name, data)
    if rows is not None:
        return _table(name, data, [rows[0], *rows[:0:-1]]) if rows[1:] != rows[:0:-1] else None
    lines = (_text(data) or "").splitlines()
    return ("\n".join(reversed(lines)) + "\n").encode() if lines != lines[::-1] else None


def shortened(name: str, data: bytes) -> bytes | None:
    """The same without the last item of its list, or without its last row."""
    value = _json(name, data)
    if isinstance(value, list) and len(value) > 1:
        return _dumped(value[:-1], data)
    if isinstance(value, dict):
        lists = [key for key, item in value.items() if isinstance(item, list) and len(item) > 1]
        return _dumped(value | {lists[0]: value[lists[0]][:-1]}, data) if lists else None
    rows = _rows(name, data)
    return _table(name, data, rows[:-1]) if rows and len(rows) > 2 else None


def keys(name: str, data: bytes) -> tuple[str, ...]:
    """The keys of a JSON object, or of the first object in a list."""
    value = _json(name, data)
    records = value if isinstance(value, list) else [value]
    first = next((record for record in records if isinstance(record, dict)), {})
    return tuple(key for key in first if _is_plain(key))


def renamed(key: str) -> Callable[[str, bytes], bytes | None]:
    """The same with a key called otherwise, in the object or in all objects of the list."""

    def change(name: str, data: bytes) -> bytes | None:
        value = _json(name, data)
        records = [_without_name(record, key) for record in value] if isinstance(value, list) else None
        new = records if records is not None else _without_name(value, key)
        return _dumped(new, data) if new != value else None

    return change


def columns(name: str, data: bytes) -> tuple[str, ...]:
    """The names of the columns of a table that has more than one."""
    rows = _rows(name, data)
    return tuple(column for column in rows[0] if _is_plain(column)) if rows and len(rows[0]) > 1 else ()


def dropped(column: str) -> Callable[[str, bytes], bytes | None]:
    """The same without a column."""

    def change(name: str, data: bytes) -> bytes | None:
        rows = _rows(name, data) or [[]]
        if column not in rows[0]:
            return None
        at = rows[0].index(column)
        return _table(name, data, [row[:at] + row[at + 1 :] for row in rows])

    return change


def nested(depth: int) -> bytes:
    """JSON of lists in lists, `depth` of them."""
    return b"[" * depth + b"]" * depth


def _is_plain(name: str) -> bool:
    """Whether a name can be part of one of ours."""
    return name.isprintable() and len(name) <= MAX_NAME


def _kind(name: str) -> str:
    return os.path.splitext(name)[1].lower()[1:]


def _text(data: bytes) -> str | None:
    """The text of a file; None if it is binary."""
    try:
        return None if b"\0" in data else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _json(name: str, data: bytes) -> Any:
    """The value in a JSON file; None if it is none, or `null`."""
    if _kind(name) not in ("json", "geojson", "ipynb"):
        return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _dumped(value: Any, data: bytes) -> bytes:
    """JSON that looks about as it did before."""
    ascii_only = data.isascii()
    text = json.dumps(value, indent=2 if b"\n" in data.strip() else None, ensure_ascii=ascii_only)
    return text.encode("utf-8", "surrogatepass") + (b"\n" if data.endswith(b"\n") else b"")


def _turned(value: Any) -> Any:
    """All lists in it the other way round."""
    if isinstance(value, list):
        return [_turned(item) for item in reversed(value)]
    return {key: _turned(item) for key, item in value.items()} if isinstance(value, dict) else value


def _without_name(record: Any, key: str) -> Any:
    if not isinstance(record, dict) or key not in record:
        return record
    return {f"{name}_renamed" if name == key else name: value for name, value in record.items()}


def _rows(name: str, data: bytes) -> list[list[str]] | None:
    """The rows of a table, its header first; None if it is no table."""
    text = _text(data)
    if text is None or _kind(name) not in ("csv", "tsv"):
        return None
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(name, text)))
    except csv.Error:
        return None
    return rows or None


def _table(name: str, data: bytes, rows: list[list[str]]) -> bytes:
    """A table written as the one in `data` was."""
    stream = io.StringIO(newline="")
    end = "\r\n" if b"\r\n" in data else "\n"
    csv.writer(stream, delimiter=_delimiter(name, data.decode()), lineterminator=end).writerows(rows)
    return stream.getvalue().encode()


def _delimiter(name: str, text: str) -> str:
    header = text.split("\n", 1)[0]
    return "\t" if _kind(name) == "tsv" else ";" if header.count(";") > header.count(",") else ","


Operator = Callable[[str, bytes], bytes | None]


def operators(name: str, data: bytes) -> Iterator[tuple[str, str, Operator]]:
    """What can be done to a file of this name and content: the operator's name, what it does in words, itself."""
    yield "other", "is replaced by a file of the same type with unrelated content", other
    yield "numbers", "has other numbers", numbers
    yield "swap", "has its items, rows or lines in another order", swapped
    yield "last", "lacks its last item or row", shortened
    yield "half", "breaks off in the middle", half
    for key in keys(name, data)[:3]:
        yield f"key-{key}", f"calls its key `{key}` `{key}_renamed`", renamed(key)
    names = columns(name, data)
    for column in dict.fromkeys((*names[:1], *names[-1:])):
        yield f"column-{column}", f"lacks its column `{column}`", dropped(column)
    for index in some_numbers(name, data):
        yield f"number-{index + 1}", f"has another value for number {index + 1} of those in it", number(index)
