"""Where a Python script names a metric or a file: the string literals that have to change, and no others."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from gradewright.read.contract_block import contract_span
from gradewright.read.python.facts import parse
from gradewright.write.splice.text import Splice, SpliceError, spliced

_NESTING = ("custom_metrics", "metrics")
_LOOKUPS = frozenset({"get", "pop", "setdefault"})


class Names(NamedTuple):
    """What to rename: the old name and the new one, all metric names of the script, and the places (line and column,
    from 1) that the reader took for the metric's own."""

    old: str
    new: str
    metrics: frozenset[str]
    places: frozenset[tuple[int, int]]


class _Code:
    """A script's tree with the parent of each node, and its text by lines."""

    def __init__(self, text: str) -> None:
        tree = parse(text)
        if tree is None:
            raise SpliceError("the script does not parse", "mend it first")
        self.text = text
        self.nodes = list(ast.walk(tree))
        self.parents = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}
        block = contract_span(text)
        self._block = tuple(text.count("\n", 0, end) + 1 for end in block) if block else (0, 0)
        self._starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]

    def offset(self, line: int, byte: int) -> int:
        start = self._starts[line - 1]
        return start + len(self.text[start : start + byte].encode()[:byte].decode("utf-8", "replace"))

    def span(self, node: ast.expr | ast.keyword) -> tuple[int, int]:
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self.offset(node.lineno, node.col_offset), end

    def place(self, node: ast.expr | ast.keyword) -> tuple[int, int]:
        return node.lineno, self.offset(node.lineno, node.col_offset) - self._starts[node.lineno - 1] + 1

    def texts(self) -> Iterator[tuple[ast.Constant, str]]:
        """The string literals, but for those of our own contract block."""
        first, last = self._block
        for node in self.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and not first <= node.lineno <= last:
                yield node, node.value


def renamed(text: str, names: Names) -> str:
    """The script with the metric's new name; raises SpliceError unless the meaning of every literal is clear."""
    code = _Code(text)
    built = _built(code)
    _refuse_foreign_reads(code, [node for node, value in code.texts() if value == names.old], built)
    splices = []
    for node, value in code.texts():
        if value == names.new:
            raise SpliceError(f"`{names.new}` stands there already")
        if value == names.old:
            if code.place(node) not in names.places and not _is_metric(code, node, names, built):
                raise SpliceError(f"the `{names.old}` in line {node.lineno} may be something else than the metric")
            splices.append(_spelt(code, node, names.old, names.new))
    splices += [_keyword(code, node, names) for node in code.nodes if _is_key(code, node, names)]
    return spliced(text, splices)


def redirected(text: str, path: str, to: str) -> str:
    """The script with `to` in place of the one literal that names the file `path`, whole or by its last part."""
    code = _Code(text)
    folder, _, name = path.rpartition("/")
    last = [(node, value) for node, value in code.texts() if value.rpartition("/")[2] == name]
    if len(last) == 1 and to.startswith(f"{folder}/"):
        return spliced(text, [_spelt(code, last[0][0], name, to.rpartition("/")[2])])
    if len(last) == 1 and last[0][1] == path:
        return spliced(text, [_spelt(code, last[0][0], path, to)])
    raise SpliceError(unclear(name, len(last)))


def unclear(name: str, places: int) -> str:
    """Why a file cannot be told by `name`, which stands in so many places."""
    return f"the place that names `{name}` cannot be told" if places == 1 else f"{places} places name `{name}`"


def _spelt(code: _Code, node: ast.Constant, old: str, new: str) -> Splice:
    """Replace `old`, with which the literal ends; one that is spelt in another way (escapes, several parts) is not."""
    start, end = code.span(node)
    match = re.fullmatch(r"([rRuU]?)(\"\"\"|'''|\"|')(.*)\2", code.text[start:end], re.DOTALL)
    if not match or match[3] != node.value or not match[3].endswith(old):
        raise SpliceError(f"the literal in line {node.lineno} is spelt in an unusual way")
    close = end - len(match[2])
    return Splice(close - len(old), close, new)


def _is_key(code: _Code, node: ast.AST, names: Names) -> bool:
    """Whether `node` is the `name=` of a call that makes it a key, such as `dict(...)`."""
    if not isinstance(node, ast.keyword) or node.arg != names.old:
        return False
    if code.place(node) not in names.places:
        raise SpliceError(f"the `{names.old}` in line {node.lineno} may be something else than the metric")
    return True


def _keyword(code: _Code, node: ast.AST, names: Names) -> Splice:
    assert isinstance(node, ast.keyword), "chosen by _is_key"
    start = code.span(node)[0]
    return Splice(start, start + len(names.old), names.new)


def _is_metric(code: _Code, node: ast.Constant, names: Names, built: frozenset[str]) -> bool:
    """Whether a literal that is no metric's place names one: looked up in what the script builds, or in a table."""
    parent = code.parents[node]
    if isinstance(parent, ast.Subscript) and parent.slice is node:
        return _is_built(parent.value, built)
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and parent.args[:1] == [node]:
        return parent.func.attr in _LOOKUPS and _is_built(parent.func.value, built)
    if isinstance(parent, ast.Compare) and parent.left is node and len(parent.ops) == 1:
        return isinstance(parent.ops[0], ast.In | ast.NotIn) and _is_built(parent.comparators[0], built)
    if isinstance(parent, ast.Dict):
        return node in parent.keys and _all_metrics(parent.keys, names)
    if isinstance(parent, ast.List | ast.Tuple | ast.Set):
        return _all_metrics(parent.elts, names)
    return False


def _all_metrics(items: list[ast.expr] | list[ast.expr | None], names: Names) -> bool:
    return all(isinstance(item, ast.Constant) and item.value in names.metrics for item in items)


def _is_built(node: ast.expr, built: frozenset[str]) -> bool:
    """Whether `node` is a mapping that the script makes itself, or the metrics inside such a reward."""
    if isinstance(node, ast.Subscript):
        inside = isinstance(node.slice, ast.Constant) and node.slice.value in _NESTING
        return inside and isinstance(node.value, ast.Name) and node.value.id in built
    return isinstance(node, ast.Name) and node.id in built


def _refuse_foreign_reads(code: _Code, places: list[ast.Constant], built: frozenset[str]) -> None:
    """Raise SpliceError where a variable that may hold the name looks something up in what the script did not make."""
    carriers = _carriers(code, places)
    for node in code.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            key, base = node.slice, node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LOOKUPS:
            key, base = (*node.args, node.func)[0], node.func.value
        else:
            continue
        if isinstance(key, ast.Name) and key.id in carriers and not _is_built(base, built):
            raise SpliceError(f"line {node.lineno} may read something else by the metric's name")


def _carriers(code: _Code, places: list[ast.Constant]) -> set[str]:
    """Variables of loops over what holds one of `places`, and parameters of functions that are given one."""
    holders: set[ast.AST] = set()
    for place in places:
        node: ast.AST | None = place
        while isinstance(node, ast.expr | ast.keyword):
            holders.add(node)
            node = code.parents.get(node)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            holders.add(node)
    assigned = [node for node in holders if isinstance(node, ast.Assign | ast.AnnAssign)]
    tables = {name.id for node in assigned for name in ast.walk(node) if isinstance(name, ast.Name)}
    called = {node.func.id for node in holders if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    carriers: set[str] = set()
    for node in code.nodes:
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            parts = list(ast.walk(node.iter))
            if holders.intersection(parts) or any(isinstance(part, ast.Name) and part.id in tables for part in parts):
                carriers |= {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in called:
            carriers |= {argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    return carriers


def _built(code: _Code) -> frozenset[str]:
    """Names that stand for nothing but mappings which the script writes out or builds up from nothing."""
    made: set[str] = set()
    other: set[str] = set()
    for node in code.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            parent = code.parents[node]
            plain = isinstance(parent, ast.Assign | ast.AnnAssign) and parent.value is not None
            (made if plain and _is_mapping(parent.value) else other).add(node.id)  # type: ignore[attr-defined]
        elif isinstance(node, ast.arg):
            other.add(node.arg)
        elif isinstance(node, ast.alias):
            other.add((node.asname or node.name).partition(".")[0])
    return frozenset(made - other)


def _is_mapping(value: ast.expr) -> bool:
    if isinstance(value, ast.Dict):
        return None not in value.keys
    if isinstance(value, ast.DictComp):
        return True
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or value.args:
        return False
    return value.func.id == "dict" and all(keyword.arg for keyword in value.keywords)
