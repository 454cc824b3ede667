"""Derive `schemas/task.json` from Harbor's own model of `task.toml`; with `--check`, only tell whether it has drifted.

    python tools/derive_task_schema.py [--check]      (needs the extra `harbor`)

Harbor's loader is authoritative. The schema that its model prints differs from it in both ways, so what is known of the
loader is put right here: pydantic's lax conversions (`timeout_sec = "5"` loads), the keys of the first generation of
tasks, and the patterns that only its code asks for. Harbor's prose is left out; a `description` is ours, and completes
"this is not ...". What no schema can say is in `gradewright.read.task_config`.
"""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "src" / "gradewright" / "schemas" / "task.json"

_DIGITS = "[0-9](?:_?[0-9])*"
_FLOAT = rf"(?:{_DIGITS}(?:_?\._?(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?_?{_DIGITS})?"
_SPECIAL = "[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN]"
_PART = r"[A-Za-z0-9](?:\.?[A-Za-z0-9_-])*\.?"
_ORG_NAME = rf"^{_PART}/{_PART}\n?$"
_SERVICE = r"^\s*[A-Za-z0-9][A-Za-z0-9_.-]*\s*$"


def _any_case(*words: str) -> str:
    letters = ("".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in word) for word in words)
    return f"^(?:{'|'.join(letters)})$"


LAX = {
    "number": {
        "description": "a number",
        "type": ["number", "boolean", "string"],
        "pattern": rf"^\s*[+-]?(?:{_FLOAT}|{_SPECIAL})\s*$",
    },
    "finite": {
        "description": "a finite number",
        "type": ["number", "boolean", "string"],
        "minimum": -sys.float_info.max,
        "maximum": sys.float_info.max,
        "pattern": rf"^\s*[+-]?{_FLOAT}\s*$",
    },
    "integer": {
        "description": "an integer",
        "type": ["integer", "boolean", "string"],
        "pattern": rf"^\s*[+-]?{_DIGITS}(?:\.0+)?\s*$",
    },
    "boolean": {
        "description": "`true` or `false`",
        "type": ["boolean", "integer", "string"],
        "minimum": 0,
        "maximum": 1,
        "pattern": _any_case("true", "false", "yes", "no", "on", "off", "t", "f", "y", "n", "1", "0"),
    },
}
"""What the loader takes where it wants a number, an integer or a boolean."""

CORRECTIONS: dict[tuple[str, str], dict[str, Any]] = {
    ("TaskConfig", "version"): {"deprecated": True},
    ("EnvironmentConfig", "memory"): {"deprecated": True},
    ("EnvironmentConfig", "storage"): {"deprecated": True},
    ("EnvironmentConfig", "cpus"): {"$ref": "#/$defs/finite"},
    ("EnvironmentConfig", "os"): {
        "description": "`linux` or `windows`",
        "type": "string",
        "pattern": _any_case("linux", "windows"),
        "default": "linux",
    },
    ("MCPServerConfig", "transport"): {
        "type": "string",
        "enum": ["stdio", "sse", "streamable-http", "http"],
        "default": "sse",
    },
    ("PackageInfo", "name"): {
        "description": "a name like `org/name` of letters, digits, `.`, `_` and `-`",
        "type": "string",
        "pattern": _ORG_NAME,
    },
    ("TpuSpec", "topology"): {
        "description": "dimensions like `2x4`",
        "type": "string",
        "pattern": r"^\s*[1-9][0-9]*(?:x[1-9][0-9]*)+\s*$",
    },
    ("ArtifactConfig", "service"): {"description": "the name of a service", "type": "string", "pattern": _SERVICE},
    ("VerifierCollectConfig", "service"): {
        "description": "the name of a service",
        "type": "string",
        "pattern": _SERVICE,
        "default": "main",
    },
}
"""Properties that the loader reads otherwise than the printed schema says; the legacy keys are checked in code."""


def derive() -> dict[str, Any]:
    """Our schema of `task.toml`, from the installed Harbor. Raises ImportError where there is none."""
    raw = import_module("harbor.models.task.config").TaskConfig.model_json_schema()
    definitions = {name: _simplified(value) for name, value in raw.pop("$defs").items()}
    root = _simplified(raw)
    definitions = {name: value for name, value in definitions.items() if name != "TaskOS"}
    for (model, key), schema in CORRECTIONS.items():
        (root if model == "TaskConfig" else definitions[model])["properties"][key] = schema
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Harbor task, task.toml",
    }
    return {**head, **root, "$defs": {**LAX, **definitions}}


def text() -> str:
    """The schema as the file holds it."""
    return json.dumps(derive(), indent=2) + "\n"


def _simplified(schema: dict[str, Any]) -> dict[str, Any]:
    """One (sub)schema without prose and null, and as lax as the loader is."""
    choices = [choice for choice in schema.get("anyOf", ()) if choice.get("type") != "null"]
    if {choice.get("type") for choice in choices} == {"string", "integer"}:
        return {"description": "a name or an integer", "type": ["string", "integer", "boolean"]}
    if len(choices) == 1:
        return _simplified({**schema, **choices[0], "anyOf": []})
    if choices:
        return {"anyOf": [_simplified(choice) for choice in choices]}
    kept: dict[str, Any] = {
        key: schema[key] for key in ("$ref", "type", "enum", "required", "minLength") if key in schema
    }
    if schema.get("default") is not None:
        kept["default"] = schema["default"]
    if kept.get("type") in LAX:
        kept["$ref"] = f"#/$defs/{kept.pop('type')}"
    if "properties" in schema:
        kept["properties"] = {key: _simplified(value) for key, value in schema["properties"].items()}
    if "items" in schema:
        kept["items"] = _simplified(schema["items"])
    if isinstance(schema.get("additionalProperties"), dict):
        kept["additionalProperties"] = _simplified(schema["additionalProperties"])
    return kept


def main(arguments: list[str]) -> int:
    wanted = text()
    if "--check" in arguments:
        current = TARGET.read_text(encoding="utf-8") if TARGET.exists() else ""
        if current != wanted:
            print(f"{TARGET.name} is out of date: run python tools/derive_task_schema.py")
        return int(current != wanted)
    TARGET.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
