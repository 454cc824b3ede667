"""Delete a key of a YAML file, with its lines."""

from collections.abc import Sequence
from typing import Any

from gradewright.write.splice.text import Splice, SpliceError, line_start
from gradewright.write.splice.yaml import content_end, edited, follow


def drop_yaml(text: str, keys: Sequence[str]) -> str:
    """`text` without the key at `keys` (mapping in mapping), which must have lines of its own and a neighbour."""

    def want(document: Any) -> Any:
        level = document
        for key in keys[:-1]:
            level = level[key]
        del level[keys[-1]]
        return document

    return edited(text, lambda root: [_lines_of(text, root, keys)], want)


def _lines_of(text: str, root: Any, keys: Sequence[str]) -> Splice:
    place = follow(text, root, keys)
    if place.missing:
        raise SpliceError("there is no such key any more")
    start = line_start(text, place.key.start_mark.index)
    shared = text[start : place.key.start_mark.index].strip()
    if place.parent.flow_style or shared or len(place.parent.value) == 1:
        raise SpliceError("the file is laid out in a way that cannot be edited safely")
    end = text.find("\n", max(content_end(place.node), place.key.end_mark.index))
    return Splice(start, end + 1 if end >= 0 else len(text), "")
