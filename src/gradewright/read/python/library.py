"""What calls give: functions of the standard library that paths and rewards are made with, methods, own functions."""

import ast
import posixpath
from collections.abc import Callable
from typing import Any

from gradewright.contract import ENVIRONMENT
from gradewright.read.python.flow import Site
from gradewright.read.python.forms import Forms
from gradewright.read.python.kinds import (
    BAG,
    BOOLEAN,
    CLASS,
    CONSTANT,
    FILE,
    FUNCTION,
    HOLE,
    INSTANCE,
    JSON,
    MAX_ITEMS,
    MAX_VALUES,
    MODULE,
    OBJECT,
    SEQUENCE,
    TEXT,
    UNKNOWN,
    Place,
    Value,
    Values,
    merged,
    unsure,
)
from gradewright.read.python.texts import as_texts, concatenated, is_number, joined_path, parent_of

TEMPORARY = frozenset({"tempfile.NamedTemporaryFile", "tempfile.TemporaryFile", "tempfile.SpooledTemporaryFile"})
OPENERS = frozenset({
    "open", "builtins.open", "io.open", "codecs.open", "os.open", "gzip.open", "os.fdopen", "aiofiles.open",
})  # fmt: skip
TRUTHS = frozenset({
    "bool", "isinstance", "issubclass", "hasattr", "callable", "any", "all", "math.isnan", "math.isclose",
    "os.path.exists", "os.path.isfile", "os.path.isdir", "filecmp.cmp",
})  # fmt: skip
TRUTH_METHODS = frozenset({"exists", "is_file", "is_dir", "startswith", "endswith", "isdigit"})
SAME = frozenset({
    "os.fspath", "os.path.abspath", "os.path.realpath", "os.path.normpath", "os.path.expanduser", "os.path.expandvars",
    "textwrap.dedent", "copy.copy", "copy.deepcopy", "contextlib.closing", "typing.cast",
})  # fmt: skip
SAME_METHODS = frozenset({
    "resolve", "absolute", "expanduser", "as_posix", "strip", "rstrip", "lstrip", "encode", "decode", "copy",
    "__str__", "__fspath__", "lower",
})  # fmt: skip
PATHS = frozenset({"pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "pathlib.PurePosixPath", "os.path.join"})
OBJECTS = frozenset({"dict", "collections.OrderedDict", "collections.defaultdict", "dict.fromkeys"})
LISTS = frozenset({"list", "tuple", "sorted", "set", "frozenset", "reversed", "iter"})
DUMPS = frozenset({"json.dumps", "simplejson.dumps", "ujson.dumps", "orjson.dumps", "rapidjson.dumps"})
SLASH = "/"


class Library(Forms):
    """Resolves calls."""

    def call(self, place: Place) -> Values:
        node = place.node
        callees = self.at(node.func, place)
        parts = []
        for callee in callees[:MAX_VALUES]:
            if callee.kind == MODULE:
                parts.append(self.library(callee.data, place))
            elif callee.kind == FUNCTION:
                parts.append(self.returned(callee.data, self.site_of(place), place.frame))
            elif callee.kind == CLASS:
                parts.append((Value(INSTANCE, callee.data, node),))
            else:
                parts.append(self._method(place))
        return merged(parts)

    def site_of(self, place: Place) -> Site:
        return Site(place.node, place.point, place.scope)

    def argument_at(self, place: Place, index: int, name: str = "") -> Values | None:
        """The argument of a call by its position (from 0) or its name; None if it is not there."""
        node = place.node
        if any(argument.__class__ is ast.Starred for argument in node.args[: index + 1]):
            return UNKNOWN
        if index < len(node.args):
            return self.at(node.args[index], place)
        for keyword in node.keywords:
            if keyword.arg == name and name:
                return self.at(keyword.value, place)
        return None

    # --- functions ---

    def library(self, dotted: str, place: Place) -> Values:
        """The result of a function that is not of this script."""
        if dotted in FUNCTIONS:
            return FUNCTIONS[dotted](self, place)
        if dotted in OPENERS or dotted in TEMPORARY:
            return (Value(FILE, place, place.node),)
        if dotted in OBJECTS:
            return (Value(OBJECT, place, place.node),)
        if dotted in TRUTHS:
            return (Value(BOOLEAN, None, place.node),)
        if dotted in PATHS:
            return self._path(place)
        if dotted in DUMPS:
            return self._json(place)
        first = self.argument_at(place, 0)
        if first is not None and (dotted in SAME or dotted in LISTS):
            return self._listed(first) if dotted in LISTS else first
        return UNKNOWN

    def _path(self, place: Place) -> Values:
        parts = [self.argument_at(place, index) or UNKNOWN for index in range(min(len(place.node.args), MAX_ITEMS))]
        return joined_path(parts) if parts else (Value(TEXT, ".", place.node),)

    def _json(self, place: Place) -> Values:
        inner = self.argument_at(place, 0, "obj")
        if inner is None:
            return UNKNOWN
        return tuple(Value(JSON, value, value.node or place.node, value.sure) for value in inner)

    def _listed(self, values: Values) -> Values:
        return tuple(
            value if value.kind in (SEQUENCE, BAG) else Value(BAG, self.each(value), value.node) for value in values
        )

    def environment(self, place: Place) -> Values:
        """`os.environ.get`: the default that stands there, else the path the platforms document."""
        default = self.argument_at(place, 1, "default")
        if default is not None and any(value.data is not None for value in default):
            return default
        parts = []
        for name in self.argument_at(place, 0, "key") or UNKNOWN:
            if name.kind != TEXT:
                return UNKNOWN
            known = ENVIRONMENT.get(name.data)
            parts.append((Value(TEXT, known, place.node) if known else Value(CONSTANT, None, place.node, sure=False),))
        return merged(parts)

    def text(self, place: Place) -> Values:
        values = self.argument_at(place, 0, "object")
        return (Value(TEXT, "", place.node),) if values is None else as_texts(values)

    def number(self, place: Place) -> Values:
        """`float` and `int` of a literal."""
        return merged((_number(value, place.node),) for value in self.argument_at(place, 0) or UNKNOWN)

    def rounded(self, place: Place) -> Values:
        values = self.argument_at(place, 0) or UNKNOWN
        return tuple(value if is_number(value) else UNKNOWN[0] for value in values)

    def directory(self, place: Place) -> Values:
        return parent_of(self.argument_at(place, 0) or UNKNOWN)

    def pairs(self, place: Place) -> Values:
        """`zip`: a bag of tuples, whose items are each of what one of its arguments holds."""
        columns = [merged(self.each(value) for value in self.at(item, place)) for item in place.node.args[:MAX_ITEMS]]
        row = Value(SEQUENCE, tuple(columns), place.node)
        return (Value(BAG, (row,), place.node),)

    def numbered(self, place: Place) -> Values:
        items = merged(self.each(value) for value in self.argument_at(place, 0) or UNKNOWN)
        return (Value(BAG, (Value(SEQUENCE, (UNKNOWN, items), place.node),), place.node),)

    def fields_of(self, place: Place) -> Values:
        """`dataclasses.asdict` and `vars`: the fields of an instance as a dictionary."""
        values = self.argument_at(place, 0) or UNKNOWN
        return tuple(Value(OBJECT, place, place.node) if value.kind == INSTANCE else UNKNOWN[0] for value in values)

    # --- methods ---

    def _method(self, place: Place) -> Values:
        function = place.node.func
        if function.__class__ is not ast.Attribute:
            return UNKNOWN
        name = function.attr
        own = self._own_methods(name)
        if own:
            return merged(self.returned(scope, self.site_of(place), place.frame) for scope in own)
        if name in TRUTH_METHODS:
            return (Value(BOOLEAN, None, place.node),)
        base = self.at(function.value, place)
        if name in SAME_METHODS:
            return base
        if name == "open":
            return (Value(FILE, place, place.node),)
        handler = METHODS.get(name)
        return handler(self, base, place) if handler else UNKNOWN

    def _own_methods(self, name: str) -> list[Any]:
        return [
            scope
            for scope in self.program.scopes
            if scope.kind == "function" and scope.name == name and scope.parent and scope.parent.kind == "class"
        ]

    def join_path(self, base: Values, place: Place) -> Values:
        arguments = [self.argument_at(place, index) or UNKNOWN for index in range(len(place.node.args[:MAX_ITEMS]))]
        return joined_path([base, *arguments])

    def with_name(self, base: Values, place: Place) -> Values:
        return joined_path([parent_of(base), self.argument_at(place, 0, "name") or UNKNOWN])

    def with_suffix(self, base: Values, place: Place) -> Values:
        stems = tuple(
            value._replace(data=posixpath.splitext(value.data)[0]) if value.kind == TEXT else Value(TEXT, HOLE)
            for value in base
        )
        return concatenated([stems, self.argument_at(place, 0, "suffix") or UNKNOWN])

    def format(self, base: Values, place: Place) -> Values:
        node = place.node
        if len(base) != 1 or base[0].kind != TEXT:
            return UNKNOWN
        template = base[0].data
        if node.keywords or any(mark in template for mark in ("{{", "}}")) or template.count("{}") != len(node.args):
            return (Value(TEXT, _holes(template), base[0].node),)
        pieces = template.split("{}")
        if any("{" in piece for piece in pieces):
            return (Value(TEXT, _holes(template), base[0].node),)
        return self.interleaved(pieces, [as_texts(self.at(item, place)) for item in node.args], base[0].node)

    def member(self, base: Values, place: Place) -> Values:
        """`.get` of a dictionary."""
        keys = self.argument_at(place, 0) or UNKNOWN
        return merged(unsure(self.entry(value, keys)) if value.kind == OBJECT else UNKNOWN for value in base)

    def member_or_new(self, base: Values, place: Place) -> Values:
        """`.setdefault` of a dictionary."""
        return merged([self.argument_at(place, 1, "default") or UNKNOWN, self.member(base, place)])

    def items(self, base: Values, place: Place) -> Values:
        """`.items()`, `.keys()`, `.values()` of a dictionary."""
        which = place.node.func.attr
        parts = []
        for value in base:
            if value.kind != OBJECT:
                parts.append(UNKNOWN)
                continue
            keys, values = self.columns(value)
            row: Values = (Value(SEQUENCE, (keys, values), place.node),)
            parts.append((Value(BAG, {"items": row, "keys": keys, "values": values}[which], place.node),))
        return merged(parts)

    def columns(self, value: Value) -> tuple[Values, Values]:
        raise NotImplementedError


def _number(value: Value, node: Any) -> Value:
    if value.kind == CONSTANT and value.data.__class__ in (int, float, bool):
        return Value(CONSTANT, float(value.data) if abs(value.data) < 1e300 else value.data, node, value.sure)
    if value.kind == TEXT and HOLE not in value.data:
        try:
            return Value(CONSTANT, float(value.data[:400]), node, value.sure)
        except ValueError:
            return UNKNOWN[0]
    return UNKNOWN[0]


def _holes(template: str) -> str:
    """`template` with each of its fields made a HOLE."""
    parts, position, depth = [], 0, 0
    text = template.replace("{{", "\1").replace("}}", "\2")
    for index, letter in enumerate(text):
        if letter == "{" and not depth:
            parts.append(text[position:index] + HOLE)
        depth += (letter == "{") - (letter == "}")
        if letter == "}" and not depth:
            position = index + 1
    return ("".join(parts) + text[position:]).replace("\1", "{").replace("\2", "}")


FUNCTIONS: dict[str, Callable[[Library, Place], Values]] = {
    "os.environ.get": Library.environment,
    "os.getenv": Library.environment,
    "str": Library.text,
    "repr": Library.text,
    "format": Library.text,
    "float": Library.number,
    "int": Library.number,
    "round": Library.rounded,
    "os.path.dirname": Library.directory,
    "zip": Library.pairs,
    "enumerate": Library.numbered,
    "dataclasses.asdict": Library.fields_of,
    "vars": Library.fields_of,
}
METHODS: dict[str, Callable[[Library, Values, Place], Values]] = {
    "joinpath": Library.join_path,
    "with_name": Library.with_name,
    "with_suffix": Library.with_suffix,
    "format": Library.format,
    "get": Library.member,
    "setdefault": Library.member_or_new,
    "items": Library.items,
    "keys": Library.items,
    "values": Library.items,
}
