"""Where a value stands in its file: looked up only for files that have a finding.

JSON is scanned here, TOML read again with tree-sitter, and YAML with PyYAML's own nodes, whose keys and aliases are
read exactly as the value was. (A tree-sitter tree of a JSON text takes 60 times the text's size in memory.)
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from gradewright.read.files import Text


class Spot(NamedTuple):
    """A key or an item: the offset of its first character, and what its value holds.

    `node` is None for a plain value, the `Members` of a container, or a parser's node that can be opened to get them.
    """

    offset: int
    node: Any


Members = dict[Any, Spot]
"""What a container holds: by key, or by 0-based index."""


class Index:
    """The positions of one text. Nodes are opened when they are first asked for, and the members are kept.

    A node is known by its identity: it stays alive in the members of the container above it.
    """

    def __init__(self, text: str, root: Spot | None, open_node: Callable[[Any], Members] | None = None) -> None:
        self._text = text
        self._root = root
        self._open = open_node
        self._opened: dict[int, Members] = {}
        self._starts: list[int] = []

    def find(self, keys: tuple[str | int, ...]) -> tuple[int, int]:
        """The place of the value at `keys`, or of its nearest ancestor that exists; (0, 0) in an empty text."""
        spot = self._root
        if spot is None:
            return 0, 0
        for key in keys:
            inner = self._members(spot.node).get(key)
            if inner is None:
                break
            spot = inner
        return self._place(spot.offset)

    def _members(self, node: Any) -> Members:
        if node is None or isinstance(node, dict) or self._open is None:
            return node or {}
        found = self._opened.get(id(node))
        if found is None:
            found = self._opened[id(node)] = self._open(node)
        return found

    def _place(self, offset: int) -> tuple[int, int]:
        from bisect import bisect_right

        if not self._starts:
            self._starts = _line_starts(self._text)
        line = max(bisect_right(self._starts, offset), 1)
        return line, max(offset - self._starts[line - 1], 0) + 1


def locate(text: Text, syntax: str, keys: tuple[str | int, ...]) -> tuple[int, int]:
    """The 1-based line and column (in characters) of the key that holds the value at `keys`, or of the list's item.

    Of a key that is missing, the place of the nearest ancestor there is: the value's own start for the whole file,
    and (0, 0) where the text holds nothing. In JSONL the first key is the index of the record, blank lines not counted.
    """
    return _index(text.text, syntax).find(keys)


@lru_cache(maxsize=2)
def _index(text: str, syntax: str) -> Index:
    """The index of a text; two are kept, because findings come file by file."""
    if syntax == "yaml":
        from gradewright.read.data.yaml_positions import yaml_root

        plain = text.removeprefix("\ufeff")  # PyYAML does not count it
        return Index(plain, *yaml_root(plain))
    if syntax == "toml":
        from gradewright.read.data.toml_positions import toml_root

        return Index(text, *toml_root(text))
    from gradewright.read.data.json_positions import scan, scan_lines

    return Index(text, scan(text).root if syntax == "json" else scan_lines(text))


def _line_starts(text: str) -> list[int]:
    """The offset of the first visible character of every line; a BOM takes no column."""
    starts = [1 if text.startswith("\ufeff") else 0]
    end = text.find("\n")
    while end >= 0:
        starts.append(end + 1)
        end = text.find("\n", end + 1)
    return starts
