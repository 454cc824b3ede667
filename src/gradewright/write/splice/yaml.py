"""Set a value or append to a list in a YAML file, at the marks of PyYAML's nodes.

The nodes say where a change goes; whether it was right is decided by reading the result (YAML 1.1, as the platform).
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gradewright.write.splice.text import (
    Splice,
    SpliceError,
    line_start,
    lines_after,
    newline_of,
    refuse_bom,
    same,
    spliced,
)

_WIDE = 1 << 20
_NULL = "tag:yaml.org,2002:null"


class _Place(NamedTuple):
    """How far `keys` lead: the node reached, its key, the mapping around both, and the keys that are missing."""

    node: Any
    key: Any
    parent: Any
    missing: Sequence[str]


def set_yaml(text: str, keys: Sequence[str], value: str | float | bool | None) -> str:
    """`text` with the scalar `value` at `keys` (mapping in mapping), which are added as far as they are missing."""

    def want(document: Any) -> Any:
        document = {} if document is None else document
        level = document
        for key in keys[:-1]:
            if level.get(key) is None:
                level[key] = {}
            level = level[key]
        level[keys[-1]] = value
        return document

    return edited(text, lambda root: _setting(text, root, keys, value), want)


def append_yaml_item(text: str, keys: Sequence[str], item: Any) -> str:
    """`text` with `item` at the end of the list at `keys`; an empty file or value becomes a list of one."""

    def want(document: Any) -> Any:
        if not keys:
            return [*(document or []), item]
        level = document
        for key in keys[:-1]:
            level = level[key]
        level[keys[-1]] = [*(level[keys[-1]] or []), item]
        return document

    return edited(text, lambda root: _appending(text, root, keys, item), want)


def edited(text: str, find: Callable[[Any], list[Splice]], want: Callable[[Any], Any]) -> str:
    """`text` with the splices that `find` makes of its root node, if its value is then what `want` makes of it."""
    import yaml

    refuse_bom(text)
    try:
        loader = yaml.CSafeLoader(text)
        try:
            root = loader.get_single_node()
            result = spliced(text, find(root))
            document = None if root is None else loader.construct_document(root)
        finally:
            loader.dispose()
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise SpliceError(f"this is not YAML we can read: {_first_line(error)}", "mend the file first") from error
    try:
        sound = same(yaml.load(result, yaml.CSafeLoader), want(document))
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        sound = False
    if not sound:
        raise SpliceError("the file is laid out in a way that cannot be edited safely")
    return result


def _first_line(error: Exception) -> str:
    problem, mark = getattr(error, "problem", None), getattr(error, "problem_mark", None)
    if problem and mark:
        return f"{problem} in line {mark.line + 1}"
    return (str(error).splitlines() or [type(error).__name__])[0]


# --- finding the place -----------------------------------------------------------------------------------------------


def follow(text: str, root: Any, keys: Sequence[str]) -> _Place:
    """How far `keys` lead, mapping in mapping."""
    node, name, parent = root, None, None
    _refuse_decorated(text, root, 0)
    for depth, key in enumerate(keys):
        if _is_null(node):
            return _Place(node, name, parent, keys[depth:])
        if node.id != "mapping":
            where = f"`{'.'.join(keys[:depth])}`" if depth else "the file"
            raise SpliceError(f"{where} does not hold a mapping")
        pairs = [pair for pair in node.value if pair[0].id == "scalar" and pair[0].value == key]
        if len(pairs) > 1:
            raise SpliceError(f"`{'.'.join(keys[: depth + 1])}` stands there twice", "remove one of them")
        if not pairs:
            return _Place(node, name, parent, keys[depth:])
        parent, (name, node) = node, pairs[0]
        _refuse_decorated(text, node, name.end_mark.index)
    return _Place(node, name, parent, ())


def _refuse_decorated(text: str, node: Any, floor: int) -> None:
    """Refuse anchors, aliases and tags on the way: a change there would show elsewhere too."""
    if node is not None and (node.start_mark.index < floor or text[node.start_mark.index :][:1] in ("&", "!")):
        raise SpliceError("the value is tied to another by an anchor, an alias or a tag")


def _is_null(node: Any) -> bool:
    return bool(node.id == "scalar" and node.tag == _NULL)


def _is_absent(node: Any) -> bool:
    return node is None or (_is_null(node) and not node.value)


# --- setting a value -------------------------------------------------------------------------------------------------


def _setting(text: str, root: Any, keys: Sequence[str], value: Any) -> list[Splice]:
    if _is_absent(root):
        return [lines_after(text, len(text), _block(keys, value, "", "  "))]
    place = follow(text, root, keys)
    node, missing = place.node, place.missing
    unit = _unit(root)
    if not missing:
        return [_replacement(text, node, value, keys)]
    if node.id == "mapping" and node.flow_style:
        return [_into_flow(text, node, f"{_flow(missing[0])}: {_flow_chain(missing[1:], value)}")]
    if node.id == "mapping":
        indent = " " * node.start_mark.column
        lines = _block(missing, value, indent, unit)
        return [_at_end(text, node, lines, whole=place.parent is None)]
    if node.value or place.parent is None or place.parent.flow_style:
        start, end = node.start_mark.index, node.end_mark.index
        return [Splice(start, end, _space(text, start, end) + _flow_chain(missing, value))]
    indent = " " * place.key.start_mark.column + unit
    return [lines_after(text, node.end_mark.index, _block(missing, value, indent, unit))]


def _replacement(text: str, node: Any, value: Any, keys: Sequence[str]) -> Splice:
    if node.id != "scalar" or node.style in ("|", ">"):
        raise SpliceError(f"`{'.'.join(keys)}` does not hold a single plain value")
    start, end = node.start_mark.index, node.end_mark.index
    style = node.style if isinstance(value, str) else None
    return Splice(start, end, _space(text, start, end) + _flow(value, style))


def _space(text: str, start: int, end: int) -> str:
    """What parts a value from its colon where there has been none yet."""
    return " " if start == end and text[start - 1 : start] == ":" else ""


def _block(keys: Sequence[str], value: Any, indent: str, unit: str) -> str:
    lines = [f"{indent}{unit * depth}{_flow(key)}:" for depth, key in enumerate(keys)]
    return "\n".join(lines) + f" {_flow(value)}\n"


def _flow_chain(keys: Sequence[str], value: Any) -> str:
    for key in reversed(keys):
        value = {key: value}
    return _flow(value)


def _unit(root: Any) -> str:
    """The indentation of the first mapping inside a mapping, two spaces if there is none."""
    for key, value in root.value if root.id == "mapping" else ():
        if value.id == "mapping" and not value.flow_style and value.value:
            width: int = value.value[0][0].start_mark.column - key.start_mark.column
            if width > 0:
                return " " * width
    return "  "


def _at_end(text: str, node: Any, lines: str, *, whole: bool) -> Splice:
    """Add `lines` below the last line of the block `node`, and below closing comments if it is the whole file."""
    end = content_end(node)
    if whole:
        tail = text[end:].split("\n")
        comments = [line.strip() for line in tail[1:]]
        if any(comments) and all(not line or line.startswith("#") for line in comments):
            end = len(text.rstrip())
    return lines_after(text, end, lines)


def content_end(node: Any) -> int:
    """Where the last scalar or bracket of the block `node` ends: the node's own mark is after the comments."""
    floor = 0
    while node.id != "scalar" and not node.flow_style and node.value:
        floor = max(floor, node.start_mark.index)
        if node.id == "mapping":
            key, node = node.value[-1]
            floor = max(floor, key.end_mark.index)
        else:
            node = node.value[-1]
    return int(max(floor, node.end_mark.index))


def _into_flow(text: str, node: Any, item: str) -> Splice:
    """Add `item` in front of the closing bracket, behind a trailing comma if there is one."""
    if not node.value:
        return Splice(node.start_mark.index + 1, node.end_mark.index - 1, item)
    last = node.value[-1]
    key, value = last if isinstance(last, tuple) else (last, last)
    end = max(key.end_mark.index, value.end_mark.index)
    comma = text.find(",", end, node.end_mark.index)
    return Splice(end, end, f", {item}") if comma < 0 else Splice(comma + 1, comma + 1, f" {item}")


# --- appending to a list ---------------------------------------------------------------------------------------------


def _appending(text: str, root: Any, keys: Sequence[str], item: Any) -> list[Splice]:
    if _is_absent(root) and not keys:
        return [lines_after(text, len(text), _item(text, item, ""))]
    if root is None:
        raise SpliceError(f"`{'.'.join(keys)}` is missing")
    place = follow(text, root, keys)
    node = place.node
    if place.missing:
        raise SpliceError(f"`{'.'.join(keys)}` is missing")
    nested = place.parent is not None and not place.parent.flow_style
    inner = " " * place.key.start_mark.column + _unit(root) if nested else ""
    if _is_absent(node) and nested:
        return [lines_after(text, node.end_mark.index, _item(text, item, inner))]
    if node.id != "sequence":
        raise SpliceError(f"`{'.'.join(keys)}` is not a list" if keys else "the file does not hold a list")
    if node.flow_style:
        return _into_flow_list(text, node, item, inner if nested or place.parent is None else None)
    indent = " " * node.start_mark.column
    blank = newline_of(text) if _apart(text, node) else ""
    lines = lines_after(text, content_end(node), blank.replace("\r", "") + _item(text, item, indent))
    return [lines]


def _into_flow_list(text: str, node: Any, item: Any, indent: str | None) -> list[Splice]:
    if node.value or indent is None:
        return [_into_flow(text, node, _flow(item))]
    start, end = node.start_mark.index, node.end_mark.index
    if not indent:
        return [Splice(start, end, _item(text, item, "").removesuffix("\n").replace("\n", newline_of(text)))]
    lines = lines_after(text, end, _item(text, item, indent))
    return [Splice(start - (text[start - 1 : start] == " "), end, ""), lines]


def _apart(text: str, node: Any) -> bool:
    """Whether a blank line parts the last two items."""
    if len(node.value) < 2:
        return False
    start = line_start(text, node.value[-1].start_mark.index)
    return not text[line_start(text, start - 1) : start].strip()


# --- writing YAML ----------------------------------------------------------------------------------------------------


def _flow(value: Any, style: str | None = None) -> str:
    """`value` on one line, as it may stand in a block and inside brackets; `style` is the quote of a text."""
    return _dumped([value], '"', style, flow=True).strip()[1:-1]


def _item(text: str, item: Any, indent: str) -> str:
    """`item` as an entry of a block list; several lines of text as a literal block where the file's end allows it."""
    rendered = _dumped([item], "|" if text.endswith("\n") else '"', None, flow=False)
    return "".join(indent + line if line.strip() else line for line in rendered.splitlines(keepends=True))


def _dumped(value: Any, lines: str, style: str | None, *, flow: bool) -> str:
    """`value` as YAML; texts of several lines take the style `lines`, other texts `style` (None: as short as safe)."""
    import yaml

    def represent(dumper: Any, text: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=lines if "\n" in text else style)

    dumper: Any = type("Dumper", (yaml.CSafeDumper,), {"ignore_aliases": lambda _self, _data: True})
    dumper.add_representer(str, represent)
    text = yaml.dump(value, None, dumper, default_flow_style=flow, sort_keys=False, allow_unicode=True, width=_WIDE)
    return str(text)
