"""Compare a parsed `task.toml` with `schemas/task.json`: unknown keys and refused values, in one walk.

The walk knows TOML, where a date is no text and `inf` is a number; a validator for JSON knows neither. It covers the
keywords that the schema uses, and a test holds it against Harbor's loader and against `jsonschema_rs`.
"""

import json
import re
from functools import cache
from typing import Any, NamedTuple

from gradewright.finding import Location
from gradewright.model import (
    MISSING_KEY,
    UNKNOWN_KEY,
    WRONG_TYPE,
    WRONG_VALUE,
    Problem,
    nearest,
    quoted,
    type_name,
    unknown_key,
)
from gradewright.read.data.limits import MAX_PROBLEMS
from gradewright.read.data.schema import schema_text

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "object": (dict,),
    "array": (list,),
}
_SAYS = {str: "text", dict: "a table", list: "a list", int: "an integer", float: "a number", bool: "a boolean"}
_MAX_INTEGER = 2**63

Keys = tuple[str | int, ...]


class Shape(NamedTuple):
    """One subschema, with its references followed: which values it takes, and what they are called."""

    types: frozenset[type]
    says: str
    pattern: re.Pattern[str] | None
    choices: tuple[str, ...]
    shortest: int
    bounds: tuple[float, float] | None
    required: tuple[str, ...]
    keys: dict[str, "Shape"]
    values: "Shape | None"
    items: "Shape | None"
    either: tuple["Shape", ...]


class _Sink(NamedTuple):
    """Where problems go: the file they are in, and the list of them."""

    at: Location
    problems: list[Problem]


def schema_problems(config: dict[str, Any], at: Location) -> list[Problem]:
    """The keys of `config` that Harbor does not know and the values that its loader refuses, at most `MAX_PROBLEMS`."""
    sink = _Sink(at, [])
    _compare(config, task_shape(), (), sink)
    return sink.problems


@cache
def task_shape() -> Shape:
    """The schema of `task.toml`, ready for comparing."""
    schema = json.loads(schema_text("task"))
    return _shape(schema, schema["$defs"])


def dotted(keys: Keys) -> str:
    """A place in a TOML file as a reader would write it: `steps[1].agent.timeout_sec`, counted from 1."""
    parts = [f"[{key + 1}]" if isinstance(key, int) else f".{key}" for key in keys]
    return "".join(parts).removeprefix(".")


def _shape(schema: dict[str, Any], definitions: dict[str, Any]) -> Shape:
    if "$ref" in schema:
        return _shape(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    names = schema.get("type", ())
    types = [kind for name in ([names] if isinstance(names, str) else names) for kind in _TYPES[name]]
    either = tuple(_shape(choice, definitions) for choice in schema.get("anyOf", ()))
    says = schema.get("description") or " or ".join(_SAYS[kind] for kind in types)
    values, items = schema.get("additionalProperties"), schema.get("items")
    return Shape(
        types=frozenset(types).union(*(choice.types for choice in either)),
        says=says or " or ".join(choice.says for choice in either),
        pattern=re.compile(schema["pattern"]) if "pattern" in schema else None,
        choices=tuple(schema.get("enum", ())),
        shortest=schema.get("minLength", 0),
        bounds=(schema["minimum"], schema["maximum"]) if "minimum" in schema else None,
        required=tuple(schema.get("required", ())),
        keys={key: _shape(value, definitions) for key, value in schema.get("properties", {}).items()},
        values=_shape(values, definitions) if values else None,
        items=_shape(items, definitions) if items else None,
        either=either,
    )


def _compare(value: Any, shape: Shape, keys: Keys, sink: _Sink) -> None:
    if shape.types and not _fits(value, shape.types):
        name = "a table" if isinstance(value, dict) else type_name(value)
        quotes = shape.types == {str} and not isinstance(value, dict | list)
        cure = "put it in quotes" if quotes else f"make it {shape.says}"
        _add(sink, WRONG_TYPE, keys, f"is {name}, not {shape.says}", cure)
    elif shape.either:
        _compare(value, next(choice for choice in shape.either if _fits(value, choice.types)), keys, sink)
    elif isinstance(value, dict):
        _compare_table(value, shape, keys, sink)
    elif isinstance(value, list):
        if shape.items:
            for number, item in enumerate(value):
                _compare(item, shape.items, (*keys, number), sink)
    elif isinstance(value, str):
        _compare_text(value, shape, keys, sink)
    elif shape.bounds and not shape.bounds[0] <= value <= shape.bounds[1]:
        _add(sink, WRONG_VALUE, keys, f"is {quoted(value)}, not {shape.says}", f"make it {shape.says}")


def _fits(value: Any, types: frozenset[type]) -> bool:
    if type(value) in types:
        return True
    whole = type(value) is float and value.is_integer() and -_MAX_INTEGER <= value < _MAX_INTEGER
    return whole and int in types


def _compare_table(value: dict[str, Any], shape: Shape, keys: Keys, sink: _Sink) -> None:
    for key, item in value.items():
        inner = shape.keys.get(key, shape.values)
        if inner:
            _compare(item, inner, (*keys, key), sink)
        elif shape.keys and len(sink.problems) < MAX_PROBLEMS:
            sink.problems.extend(_unknown(key, value, shape, keys, sink.at))
    for key in shape.required:
        if key not in value:
            _add(sink, MISSING_KEY, (*keys, key), "is missing", f"add `{key} = ...` to {_table(keys)}")


def _compare_text(value: str, shape: Shape, keys: Keys, sink: _Sink) -> None:
    if shape.choices and value not in shape.choices:
        near = nearest(value, shape.choices)
        listed = ", ".join(f"`{choice}`" for choice in shape.choices)
        cure = f"write `{near}`" if near else "write one of these"
        _add(sink, WRONG_VALUE, keys, f"is {quoted(value)}, not one of {listed}", cure)
    elif shape.pattern and not shape.pattern.search(value):
        _add(sink, WRONG_VALUE, keys, f"is {quoted(value)}, not {shape.says}", f"write {shape.says}")
    elif len(value) < shape.shortest:
        _add(sink, WRONG_VALUE, keys, "is empty", "write something or delete the line")


def _unknown(key: str, table: dict[str, Any], shape: Shape, keys: Keys, at: Location) -> list[Problem]:
    """The unknown `key` of `table`; where a table was meant that is known, its unknown keys as well."""
    place, value = (*keys, key), table[key]
    names = unknown_key(key, shape.keys, table)
    near = names["nearest"]
    detail = f"{quoted(dotted(place))} is not a key that Harbor knows"
    problems = [Problem(UNKNOWN_KEY, "task", at.within(*place), detail, key, **names)]
    if near and isinstance(value, dict) and shape.keys[near].keys:
        inner = _Sink(at, [])
        _compare_table(value, shape.keys[near], place, inner)
        problems += [problem for problem in inner.problems if problem.kind == UNKNOWN_KEY]
    return problems


def _add(sink: _Sink, kind: str, keys: Keys, what: str, cure: str) -> None:
    if len(sink.problems) < MAX_PROBLEMS:
        subject = dotted(keys)
        sink.problems.append(
            Problem(kind, "task", sink.at.within(*keys), f"{quoted(subject)} {what}", subject, cure=cure)
        )


def _table(keys: Keys) -> str:
    return f"`[{dotted(keys)}]`" if keys else "the top of the file"
