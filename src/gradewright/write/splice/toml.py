"""Append a table to an array of tables in a TOML file; write the header of a table plainly."""

import re
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

from gradewright.write.splice.text import Splice, SpliceError, newline_of, refuse_bom, same, spliced

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_COMMENT = re.compile(r"#[^\n]*")
_LINE_COMMENT = re.compile(r"[ \t]*#[^\r\n]*")


_HEADER = re.compile(
    r"""
    [ \t]*+ \[ [ \t]*+ (?P<quote>["']?+) (?P<name>[A-Za-z0-9_-]++) (?P=quote) [ \t]*+ \]
    [ \t]*+ (?P<comment>\#[^\r\n]*+)? \r?\Z
    """,
    re.VERBOSE,
)


class _List(NamedTuple):
    """Where a list stands, in characters: its brackets, and start and end of each item."""

    start: int
    end: int
    items: list[tuple[int, int]]


def append_toml_table(text: str, key: str, table: Mapping[str, str | int | float | bool]) -> str:
    """`text` with `table` at the end of the top-level array of tables `key`, which is begun if it is missing.

    A list of inline tables (`tasks = [{...}]`) is lengthened in place.
    """
    refuse_bom(text)
    place = _list_place(text, key) if _may_be_inline(text, key) else None
    if place:
        return _lengthened(text, key, place, table)
    result = _with_block(text, key, table)
    try:
        document = _parsed(result)
    except SpliceError:
        _parsed(text)
        raise SpliceError(f"`{key}` is not a list of tables") from None
    # What stands before the block cannot have changed its meaning, for TOML is read from top to bottom by statements.
    if not same(document[key][-1], dict(table)):
        raise SpliceError("the new table cannot be added without changing others")
    return result


def plain_header(text: str, number: int) -> str:
    """`text` with the table header on line `number` (from 1) as `[name]` alone; its comment goes on a line above."""
    lines = text.split("\n")
    match = _HEADER.match(lines[number - 1]) if 0 < number <= len(lines) else None
    if not match:
        raise SpliceError("the table is not opened by a header of its own")
    ending = "\r" if lines[number - 1].endswith("\r") else ""
    comment = [match["comment"].rstrip() + ending] if match["comment"] else []
    lines[number - 1 : number] = [*comment, f"[{match['name']}]{ending}"]
    result = "\n".join(lines)
    if not same(_parsed(result), _parsed(text)):
        raise SpliceError("the file is laid out in a way that cannot be edited safely")
    return result


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SpliceError(f"this is not TOML: {error}", "mend the file first") from error


def _with_block(text: str, key: str, table: Mapping[str, Any]) -> str:
    newline = newline_of(text)
    lines = [f"[[{_name(key)}]]", *(f"{_name(name)} = {_value(value)}" for name, value in table.items())]
    headers = list(re.finditer(rf"^[ \t]*\[\[\s*{re.escape(_name(key))}\s*\]\]", text, re.MULTILINE))
    before = text[: headers[-1].start()] if headers else "\n"
    spaced = not before.strip() or before.replace("\r", "").endswith("\n\n")
    body = newline.join(lines)
    if not text:
        return body + newline
    if not text.endswith("\n"):
        return text + newline * (2 if spaced else 1) + body
    blank = spaced and not text.replace("\r", "").endswith("\n\n") and text.strip()
    return text + (newline if blank else "") + body + newline


def _may_be_inline(text: str, key: str) -> bool:
    """Whether `key = [` stands anywhere, if only inside a string: then the list has to be found by its syntax."""
    return re.search(rf"""^[ \t]*["']?{re.escape(key)}["']?[ \t]*=[ \t]*\[""", text, re.MULTILINE) is not None


def _lengthened(text: str, key: str, place: _List, table: Mapping[str, Any]) -> str:
    document = _parsed(text)
    if not all(isinstance(item, dict) for item in document[key]):
        raise SpliceError(f"`{key}` is not a list of tables")
    inline = "{" + ", ".join(f"{_name(name)} = {_value(value)}" for name, value in table.items()) + "}"
    result = spliced(text, _into_list(text, place, inline))
    document[key].append(dict(table))
    if not same(_parsed(result), document):
        raise SpliceError("the new table cannot be added without changing others")
    return result


def _into_list(text: str, place: _List, inline: str) -> list[Splice]:
    """Add `inline` behind the last item, its comma and, where each item has its line, its comment."""
    if not place.items:
        return [Splice(place.start + 1, place.start + 1, inline)]
    (first, _), (_, end) = place.items[0], place.items[-1]
    _, newline, indent = text[place.start + 1 : first].rpartition("\n")
    spread = bool(newline) and not indent.strip()
    rest = _COMMENT.sub(lambda match: " " * len(match[0]), text[end : place.end])
    comma = rest.find(",")
    after = end + comma + 1 if comma >= 0 else end
    splices = [Splice(end, end, ",")] if comma < 0 else []
    if not spread:
        return [*splices, Splice(after, after, f" {inline}")]
    comment = _LINE_COMMENT.match(text, after)
    after = comment.end() if comment else after
    return [*splices, Splice(after, after, newline_of(text) + indent + inline + ("," if comma >= 0 else ""))]


def _list_place(text: str, key: str) -> _List | None:
    """The list `key` of the top level, None if there is none."""
    import tree_sitter_toml
    from tree_sitter import Language, Parser

    data = text.encode()
    tree = Parser(Language(tree_sitter_toml.language())).parse(data)

    def place(offset: int) -> int:
        return len(data[:offset].decode())

    for pair in tree.root_node.children:
        array = next((child for child in pair.children if child.type == "array"), None)
        if pair.type == "pair" and array and (pair.children[0].text or b"").decode().strip("\"'") == key:
            items = [item for item in array.named_children if item.type != "comment"]
            places = [(place(item.start_byte), place(item.end_byte)) for item in items]
            return _List(place(array.start_byte), place(array.end_byte) - 1, places)
    return None


def _name(name: str) -> str:
    return name if _BARE.match(name) else _quoted(name)


def _value(value: str | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _quoted(value) if isinstance(value, str) else repr(value)


def _quoted(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, but for DEL, which TOML wants escaped."""
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
