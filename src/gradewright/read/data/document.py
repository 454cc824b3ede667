"""Turn the text of a data file into plain values, as the platforms' own parsers would."""

from typing import Any

from gradewright.model import Problem
from gradewright.read.files import Text


def parse(text: Text, syntax: str, role: str) -> tuple[Any | None, list[Problem]]:
    """The value in `text` and what is wrong with it; the value is None where there is none to be had.

    `syntax` is `json`, `jsonl` (the value is the list of its records), `yaml` or `toml`. Problems may come with a
    value: a repeated key does not stop a parser, and where only a BOM, comments or trailing commas are in the way the
    value is what the author meant. Nothing that is returned nests deeper than `limits.MAX_DEPTH`, holds itself or
    expands without bounds through aliases.
    """
    if syntax == "json":
        from gradewright.read.data.json_syntax import read_json

        return read_json(text.text, text.path, role)
    if syntax == "jsonl":
        from gradewright.read.data.json_syntax import read_json_lines

        return read_json_lines(text.text, text.path, role)
    if syntax == "toml":
        from gradewright.read.data.toml_syntax import read_toml

        return read_toml(text.text, text.path, role)
    from gradewright.read.data.yaml_syntax import read_yaml

    return read_yaml(text.text, text.path, role)
