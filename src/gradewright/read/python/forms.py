"""What the forms of an expression mean: literals, operators, formatted text, displays, subscripts, attributes."""

import ast
import math
import posixpath
from typing import Any

from gradewright.contract import ENVIRONMENT
from gradewright.read.python.flow import Scope
from gradewright.read.python.kinds import (
    BAG,
    BOOLEAN,
    CLASS,
    CONSTANT,
    FUNCTION,
    HOLE,
    INSTANCE,
    JSON,
    MAX_ITEMS,
    MAX_TEXT,
    MAX_VALUES,
    MODULE,
    OBJECT,
    REPR,
    SEQUENCE,
    TEXT,
    UNKNOWN,
    Place,
    Value,
    Values,
    merged,
    unsure,
)
from gradewright.read.python.texts import (
    MAX_NUMBER,
    as_texts,
    concatenated,
    is_number,
    joined_path,
    parent_of,
)
from gradewright.read.python.values import Core

CONSTANTS = {"nan": math.nan, "inf": math.inf, "NaN": math.nan, "Inf": math.inf, "NINF": -math.inf}
NUMERIC_MODULES = frozenset({"math", "numpy", "cmath", "torch"})


class Forms(Core):
    """Resolves every form of expression but calls."""

    def constant(self, place: Place) -> Values:
        value = place.node.value
        if value.__class__ is str:
            return (Value(TEXT, value if len(value) < MAX_TEXT else HOLE, place.node),)
        if value.__class__ is bytes:
            return (Value(TEXT, value.decode("latin-1") if len(value) < MAX_TEXT else HOLE, place.node),)
        return (Value(CONSTANT, value, place.node),)

    def identifier(self, place: Place) -> Values:
        return self.name(place.node.id, place)

    def formatted(self, place: Place) -> Values:
        parts = [
            self._field(part, place) if part.__class__ is ast.FormattedValue else self.at(part, place)
            for part in place.node.values[:MAX_ITEMS]
        ]
        return concatenated(parts)

    def _field(self, node: Any, place: Place) -> Values:
        if node.format_spec is None:
            return as_texts(self.at(node.value, place))
        spec = self.at(node.format_spec, place)
        percent = all(value.kind == TEXT and value.data.endswith("%") for value in spec)
        if percent:
            return (Value(TEXT, HOLE + "%", node.value),)
        values = self.at(node.value, place)
        finite = any(is_number(value) and math.isfinite(value.data) for value in values)
        return (Value(TEXT, HOLE, node.value),) if finite else as_texts(values)

    def binary(self, place: Place) -> Values:
        node = place.node
        operator = node.op.__class__
        if operator not in (ast.Add, ast.Div, ast.Mod, ast.BitOr, ast.Sub, ast.Mult):
            return UNKNOWN
        left, right = self.at(node.left, place), self.at(node.right, place)
        if operator is ast.BitOr:
            merge = any(value.kind == OBJECT for value in left)
            return (Value(OBJECT, place, node),) if merge else UNKNOWN
        if operator is ast.Mod:
            return self.filled(left, node.right, place)
        if operator is ast.Div and any(value.kind == TEXT for value in left):
            return joined_path([left, right])
        if operator is ast.Add and any(value.kind in (TEXT, JSON, REPR) for value in (*left, *right)):
            return concatenated([left, right])
        return merged([_calculated(operator, one, other, node) for one in left for other in right][:MAX_VALUES])

    def filled(self, left: Values, right: Any, place: Place) -> Values:
        """`left % right` of texts: what is filled in is taken as it is printed."""
        fields = right.elts if right.__class__ is ast.Tuple else [right]
        if len(left) != 1 or left[0].kind != TEXT:
            return UNKNOWN
        pieces = left[0].data.replace("%%", HOLE).replace("%d", "%s").split("%s")
        if len(pieces) != len(fields) + 1 or any("%" in piece for piece in pieces):
            return (Value(TEXT, HOLE, place.node),)
        return self.interleaved(pieces, [as_texts(self.at(field, place)) for field in fields], left[0].node)

    def interleaved(self, pieces: list[str], fields: list[Values], node: Any) -> Values:
        parts: list[Values] = [(Value(TEXT, pieces[0], node),)]
        for field, piece in zip(fields, pieces[1:], strict=True):
            parts += [field, (Value(TEXT, piece, node),)]
        return concatenated(parts)

    def unary(self, place: Place) -> Values:
        operator = place.node.op.__class__
        if operator is ast.Not:
            return (Value(BOOLEAN, None, place.node),)
        if operator not in (ast.USub, ast.UAdd):
            return UNKNOWN
        sign = -1 if operator is ast.USub else 1
        return tuple(
            Value(CONSTANT, sign * value.data, place.node, value.sure) if is_number(value) else UNKNOWN[0]
            for value in self.at(place.node.operand, place)
        )

    def boolean(self, place: Place) -> Values:
        parts = [self.at(part, place) for part in place.node.values[:MAX_ITEMS]]
        if all(value.kind == BOOLEAN for part in parts for value in part):
            return (Value(BOOLEAN, None, place.node),)
        if place.node.op.__class__ is ast.And:
            return merged([unsure(parts[-1]), UNKNOWN])
        kept = [tuple(value for value in part if not _is_falsy(value)) for part in parts[:-1]]
        return merged([*kept, parts[-1]])

    def comparison(self, place: Place) -> Values:
        return (Value(BOOLEAN, None, place.node),)

    def conditional(self, place: Place) -> Values:
        node = place.node
        test = node.test
        looked_at = {part.id for part in ast.walk(test) if part.__class__ is ast.Name}
        parts = []
        for branch in (node.body, node.orelse):
            values = self.at(branch, place)
            parts.append(unsure(values) if getattr(branch, "id", None) in looked_at else values)
        return merged(parts)

    def named(self, place: Place) -> Values:
        return self.at(place.node.value, place)

    def dictionary(self, place: Place) -> Values:
        return (Value(OBJECT, place, place.node),)

    def sequence(self, place: Place) -> Values:
        elements = place.node.elts
        if len(elements) > MAX_ITEMS or any(element.__class__ is ast.Starred for element in elements):
            return (Value(BAG, UNKNOWN, place.node),)
        return (Value(SEQUENCE, tuple(self.at(element, place) for element in elements), place.node),)

    def comprehension(self, place: Place) -> Values:
        inner = self.program.inner.get(id(place.node))
        if inner is None:
            return UNKNOWN
        items = self.values(place.node.elt, inner, place.scope, place.frame)
        return (Value(BAG, items, place.node),)

    def function(self, place: Place) -> Values:
        scope = self.program.scope_of.get(id(place.node))
        return (Value(FUNCTION, scope, place.node),) if scope else UNKNOWN

    def awaited(self, place: Place) -> Values:
        return self.at(place.node.value, place)

    def subscript(self, place: Place) -> Values:
        node = place.node
        if node.value.__class__ is ast.Attribute and node.value.attr == "parents":
            return self._ancestor(place)
        parts: list[Values] = []
        for base in self.at(node.value, place):
            if base.kind == MODULE and base.data == "os.environ":
                for name in self.at(node.slice, place):
                    known = ENVIRONMENT.get(name.data) if name.kind == TEXT else None
                    parts.append((Value(TEXT, known, node),) if known else UNKNOWN)
            elif base.kind == OBJECT:
                keys = self.at(node.slice, place)
                self.imply(base, keys)
                parts.append(self.entry(base, keys))
            elif base.kind == SEQUENCE and base.node.__class__ is ast.Tuple:
                index = node.slice.value if node.slice.__class__ is ast.Constant else None
                parts.append(self.item(base, index) if index.__class__ is int else UNKNOWN)
            else:
                parts.append(UNKNOWN)
        return merged(parts)

    def _ancestor(self, place: Place) -> Values:
        """`path.parents[N]`."""
        index = place.node.slice.value if place.node.slice.__class__ is ast.Constant else None
        if index.__class__ is not int or not 0 <= index < MAX_ITEMS:
            return UNKNOWN
        paths = self.at(place.node.value.value, place)
        for _ in range(index + 1):
            paths = parent_of(paths)
        return paths

    def entry(self, base: Value, keys: Values) -> Values:
        raise NotImplementedError

    def imply(self, base: Value, keys: Values) -> None:
        raise NotImplementedError

    def attribute(self, place: Place) -> Values:
        node = place.node
        name = node.attr
        if node.value.__class__ is ast.Name and node.value.id in ("self", "cls"):
            return self.stored(name) or UNKNOWN
        return merged(self._attribute_of(base, name, place) for base in self.at(node.value, place))

    def _attribute_of(self, base: Value, name: str, place: Place) -> Values:
        if base.kind == MODULE:
            if name in CONSTANTS and base.data in NUMERIC_MODULES:
                return (Value(CONSTANT, CONSTANTS[name], place.node),)
            return (Value(MODULE, f"{base.data}.{name}"),)
        if base.kind == TEXT:
            return _path_attribute(base, name)
        if base.kind in (FUNCTION, CLASS) and name == "__name__" and base.data.name:
            return (Value(TEXT, base.data.name, base.node),)
        if base.kind in (INSTANCE, CLASS):
            return self.stored(name) or UNKNOWN
        return merged([self.stored(name), UNKNOWN])

    def stored(self, name: str) -> Values:
        """What the script may store under the attribute `name` of its objects; nothing if it never does."""
        parts = [self.bound(bind, None) for bind in self.program.attributes.get(name, ())[:MAX_VALUES]]
        for scope in self.program.scopes:
            if scope.kind == "class" and name in scope.binds:
                if "__init__" not in scope.binds:
                    parts += self._constructed(scope, name)
                parts += [self.bound(bind, None) for bind in scope.binds[name][:MAX_VALUES]]
        if not parts:
            return ()
        return parts[0] if len(parts) == 1 else unsure(merged(parts))

    def _constructed(self, scope: Scope, name: str) -> list[Values]:
        """What calls of a class without a constructor of its own hand over as the field `name`."""
        parts: list[Values] = []
        for site in self.program.calls.get(scope.name, ())[:MAX_VALUES]:
            if site.node.args:
                parts.append(UNKNOWN)
            parts += [self.of_site(word.value, site) for word in site.node.keywords if word.arg in (name, None)]
        return parts


def _is_falsy(value: Value) -> bool:
    return value.kind in (CONSTANT, TEXT) and not value.data


def _path_attribute(base: Value, name: str) -> Values:
    path = base.data
    if name == "parent":
        return parent_of((base,))
    if HOLE in path or name not in ("name", "stem", "suffix"):
        return UNKNOWN
    tail = posixpath.basename(path)
    stem, suffix = posixpath.splitext(tail)
    return (Value(TEXT, {"name": tail, "stem": stem, "suffix": suffix}[name], base.node, base.sure),)


def _calculated(operator: type, one: Value, other: Value, node: Any) -> Values:
    if not is_number(one) or not is_number(other) or max(abs(one.data), abs(other.data)) > MAX_NUMBER:
        return UNKNOWN
    if operator is ast.Div:
        result = one.data / other.data if other.data else None
    elif operator is ast.Mult:
        result = one.data * other.data
    else:
        result = one.data - other.data if operator is ast.Sub else one.data + other.data
    return UNKNOWN if result is None else (Value(CONSTANT, result, node, one.sure and other.sure),)
