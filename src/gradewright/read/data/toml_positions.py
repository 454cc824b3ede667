"""Positions in TOML: dotted keys, inline tables, arrays of tables and tables that exist only through their children."""

import tomllib
from collections.abc import Callable
from typing import Any

from gradewright.read.data.positions import Members, Spot
from gradewright.read.data.toml_syntax import refused

Place = Callable[[Any], int]


def toml_root(text: str) -> tuple[Spot | None, Callable[[Any], Members]]:
    """The top table of a TOML text, and how to open its nodes; no table where it is refused as a value, too."""
    if refused(text):
        return None, lambda _: {}
    import tree_sitter
    import tree_sitter_toml

    data = text.encode("utf-8", "surrogatepass")
    tree = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language())).parse(data)
    place = _places(text, data)
    return Spot(0, _Table(_tables(tree.root_node, place))), lambda node: _members(node, place)


def _places(text: str, data: bytes) -> Place:
    if len(text) == len(data):
        return lambda node: int(node.start_byte)
    return lambda node: len(data[: node.start_byte].decode("utf-8", "replace"))


def _tables(root: Any, place: Place) -> Members:
    top: Members = {}
    for node in root.named_children:
        if node.type == "pair":
            _add_pair(top, node, place)
        elif node.type in ("table", "table_array_element"):
            header = node.named_children[0] if node.named_children else None
            table = _open_table(top, header, node.type == "table_array_element", place)
            for pair in node.named_children[1:]:
                if pair.type == "pair":
                    _add_pair(table, pair, place)
    return top


class _Table:
    """A table or an array; `repeated` tells an array of tables, whose last element is the one that grows."""

    def __init__(self, members: Members | None = None, repeated: bool = False) -> None:
        self.members: Members = {} if members is None else members
        self.repeated = repeated


def _open_table(top: Members, header: Any, repeated: bool, place: Place) -> Members:
    """The members of the table that a header opens, made with all its parents where they do not exist yet."""
    parts = _parts(header) if header is not None else []
    members = top
    for number, part in enumerate(parts):
        spot = members.get(_name(part))
        last = number == len(parts) - 1
        if spot is None or not isinstance(spot.node, _Table):
            spot = Spot(place(part), _Table(repeated=last and repeated))
            members[_name(part)] = spot
        table: _Table = spot.node
        if not table.repeated:
            members = table.members
            continue
        if last and repeated:
            table.members[len(table.members)] = Spot(place(header), _Table())
        element = table.members.get(len(table.members) - 1)
        members = element.node.members if element else {}
    return members


def _add_pair(members: Members, pair: Any, place: Place) -> None:
    children = [child for child in pair.named_children if child.type != "comment"]
    if not children:
        return
    parts = _parts(children[0])
    for part in parts[:-1]:
        spot = members.get(_name(part))
        if spot is None or not isinstance(spot.node, _Table):
            spot = members[_name(part)] = Spot(place(part), _Table())
        members = spot.node.members
    value = children[1] if len(children) > 1 else None
    if parts:
        members[_name(parts[-1])] = Spot(place(parts[-1]), _container(value))


def _container(node: Any) -> Any:
    """What can be opened later on: an inline table or an array."""
    return node if node is not None and node.type in ("inline_table", "array") else None


def _members(node: Any, place: Place) -> Members:
    """What a table, or the node of an inline table or array, holds. One level only: text nests as it likes."""
    if isinstance(node, _Table):
        return node.members
    members: Members = {}
    if node.type == "inline_table":
        for pair in node.named_children:
            if pair.type == "pair":
                _add_pair(members, pair, place)
        return members
    items = [item for item in node.named_children if item.type not in ("comment", "ERROR")]
    return {index: Spot(place(item), _container(item)) for index, item in enumerate(items)}


def _parts(key: Any) -> list[Any]:
    """The parts of a key, left to right; the grammar nests a dotted key to the left."""
    parts: list[Any] = []
    while key.type == "dotted_key":
        children = key.named_children
        parts += reversed(children[1:])
        if not children:
            break
        key = children[0]
    if key.type in ("bare_key", "quoted_key"):
        parts.append(key)
    return parts[::-1]


def _name(part: Any) -> str:
    text = part.text.decode("utf-8", "replace")
    if part.type == "bare_key":
        return str(text)
    try:
        return next(iter(tomllib.loads(f"{text} = 0")))
    except (ValueError, StopIteration):
        return str(text[1:-1])
