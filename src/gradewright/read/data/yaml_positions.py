"""Positions in YAML, from the nodes that PyYAML builds the values of: aliases, merged keys and odd keys included."""

from collections.abc import Callable
from typing import Any

from gradewright.read.data.limits import MAX_DEPTH
from gradewright.read.data.positions import Members, Spot
from gradewright.read.data.yaml_syntax import RefusedError, Survey, compose

_MERGE = "tag:yaml.org,2002:merge"


def yaml_root(text: str) -> tuple[Spot | None, Callable[[Any], Members]]:
    """The document in `text`, and how to open its nodes; no document where it is refused as a value, too."""
    loader, root = None, None
    try:
        loader, root = compose(text)
        if root is not None:
            Survey(text, "", "").measure(root)
    except RefusedError:
        root = None
    return root and Spot(root.start_mark.index, root), lambda node: _members(node, loader)


def _members(node: Any, loader: Any, depth: int = 0) -> Members:
    if isinstance(node.value, str) or depth > MAX_DEPTH:
        return {}
    if node.id == "sequence":
        return {index: Spot(item.start_mark.index, item) for index, item in enumerate(node.value)}
    members: Members = {}
    merged: Members = {}
    for key, value in node.value:
        if key.tag != _MERGE:
            members[_name(loader, key)] = Spot(key.start_mark.index, value)
            continue
        for source in value.value if value.id == "sequence" else [value]:
            if source.id == "mapping":
                merged = {**_members(source, loader, depth + 1), **merged}
    return {**merged, **members}


def _name(loader: Any, key: Any) -> Any:
    """The key as the value has it: text, or what YAML makes of `1`, `yes` and dates."""
    if key.tag == "tag:yaml.org,2002:str" or not isinstance(key.value, str):
        return str(key.value)
    try:
        return loader.construct_object(key)
    except Exception:
        return key.value
