"""Values against JSON Schemas: decided by `jsonschema-rs`, explained in our own words only where one does not fit.

Two annotations of ours guide the words: `x-expects` says what a value has to be ("must be ..."), and `x-says` what is
wrong where a `not` applies. A test validates every schema against the meta-schema of draft 2020-12.
"""

import json
import os
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from gradewright.finding import Location
from gradewright.model import (
    MISSING_KEY,
    UNKNOWN_KEY,
    WRONG_TYPE,
    WRONG_VALUE,
    Problem,
    meant,
    nearest,
    quoted,
    type_name,
    unknown_key,
)

_FOLDER = os.path.join(os.path.abspath(__file__).rsplit(os.sep, 3)[0], "schemas")
_MAX_MISMATCHES = 100
"""Mismatches that are explained for one file."""


def schema_names() -> list[str]:
    """The names of all schemas, sorted."""
    return sorted(name[:-5] for name in os.listdir(_FOLDER) if name.endswith(".json"))


def schema_text(name: str) -> str:
    """The JSON text of the schema called `name`; raises `OSError` if there is none."""
    with open(os.path.join(_FOLDER, f"{name}.json"), encoding="utf-8") as stream:
        return stream.read()


def mismatches(value: Any, schema_name: str, role: str, at: Location) -> list[Problem]:
    """How `value`, which stands at `at`, differs from a schema: unknown and missing keys, wrong types and values."""
    if _fits(value, schema_name):
        return []
    from itertools import islice

    return list(dict.fromkeys(islice(_explained(value, schema_name, role, at), _MAX_MISMATCHES)))


def _fits(value: Any, schema_name: str) -> bool:
    try:
        return bool(_validator(schema_name).is_valid(value))
    except ValueError:
        return False  # dates, keys that are no text, lone surrogates: only the slow way knows


@lru_cache(maxsize=16)
def _schema(name: str) -> dict[str, Any]:
    return dict(json.loads(schema_text(name)))


@lru_cache(maxsize=16)
def _validator(name: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(_schema(name))


def _explained(value: Any, schema_name: str, role: str, at: Location) -> Iterator[Problem]:
    import jsonschema  # type: ignore[import-untyped]

    for error in jsonschema.Draft202012Validator(_schema(schema_name)).iter_errors(value):
        for cause in _causes(error):
            yield from _problems(cause, role, at.within(*cause.absolute_path))


def _causes(error: Any) -> list[Any]:
    """The errors of the alternative that was meant: the one whose type fits, if there is one."""
    if error.validator not in ("anyOf", "oneOf") or not error.context:
        return [error]
    branches: dict[Any, list[Any]] = {}
    for inner in error.context:
        branches.setdefault(inner.schema_path[0], []).append(inner)
    meant = [
        branch
        for branch in branches.values()
        if all(inner.validator not in ("type", "const", "enum") or inner.relative_path for inner in branch)
    ]
    return [cause for inner in meant[0] for cause in _causes(inner)] if len(meant) == 1 else [error]


def _problems(error: Any, role: str, at: Location) -> Iterator[Problem]:
    schema, keyword = error.schema, error.validator
    subject = _dotted(at)
    if keyword == "additionalProperties":
        yield from _unknown(error, role, at)
    elif keyword == "required":
        for key in error.validator_value:
            if key not in error.instance:
                name = ".".join(filter(None, (subject, key)))
                yield Problem(MISSING_KEY, role, at, f"`{name}` is missing", name)
    elif keyword == "not":
        key, *others = schema["not"].get("required", [""])
        says = schema.get("x-says", "is refused")
        twin = next((other for other in others if error.instance[other] == error.instance[key]), "")
        where = at.within(key) if key else at
        yield Problem(WRONG_VALUE, role, where, says, key or subject, cure="keep one of them", twin=twin)
    else:
        kind = WRONG_TYPE if keyword in ("type", "anyOf", "oneOf") else WRONG_VALUE
        name = f"`{subject}`" if subject else "the file"
        detail = f"{name} must be {_expected(schema)}, not {_shown(error.instance)}"
        known = [name for name in schema.get("enum", ()) if isinstance(name, str)]
        near = nearest(error.instance, known) if known and isinstance(error.instance, str) else ""
        sure = meant(error.instance, known) if near else ""
        yield Problem(kind, role, at, detail, subject, near, meant=sure)


def _unknown(error: Any, role: str, at: Location) -> Iterator[Problem]:
    known = error.schema.get("properties", {})
    for key in error.instance:
        if key not in known:
            name = _dotted(at.within(key))
            names = unknown_key(str(key), known, error.instance)
            yield Problem(UNKNOWN_KEY, role, at.within(key), f"unknown key {quoted(name)}", name, **names)


def _dotted(at: Location) -> str:
    return ".".join(str(key) for key in at.keys)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f"the text {quoted(value)}" if value else "an empty text"
    return type_name(value) if isinstance(value, list | dict) else quoted(value)


_TYPES = {
    "boolean": "`true` or `false`",
    "integer": "an integer",
    "number": "a number",
    "string": "text",
    "array": "a list",
    "object": "a mapping",
}


def _expected(schema: dict[str, Any]) -> str:
    """What a value of `schema` has to be. That null stands for an absent value is not worth a word."""
    if "x-expects" in schema:
        return str(schema["x-expects"])
    if "const" in schema:
        return quoted(schema["const"])
    if "enum" in schema:
        return _either([quoted(value) for value in schema["enum"] if value is not None])
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return _either([_expected(inner) for inner in schema[keyword] if inner.get("type") != "null"])
    types = schema.get("type", "value")
    names = [types] if isinstance(types, str) else [name for name in types if name != "null"]
    if "description" in schema and ("pattern" in schema or len(names) > 1):
        return str(schema["description"])
    return _either([_TYPES.get(name, "another value") for name in names]) + _range(schema)


def _range(schema: dict[str, Any]) -> str:
    if "minimum" in schema and "maximum" in schema:
        return f" from {schema['minimum']} to {schema['maximum']}"
    if "minimum" in schema:
        return f" of at least {schema['minimum']}"
    if "exclusiveMinimum" in schema:
        return f" above {schema['exclusiveMinimum']}"
    return " that is not empty" if schema.get("minLength") or schema.get("minItems") else ""


def _either(words: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else "another value"
