"""Edits of a data file as the smallest change of its text: comments, order, formatting and line ends survive.

Every function returns the new text, which has been parsed again: it means what the old one meant, plus the change.
They raise SpliceError when they cannot promise that.
"""

from gradewright.write.splice.extras import drop_commas, drop_comments
from gradewright.write.splice.json import append_json_item, append_jsonl_item
from gradewright.write.splice.keys import rename_key, rename_keys, set_text
from gradewright.write.splice.text import SpliceError
from gradewright.write.splice.toml import append_toml_table, plain_header
from gradewright.write.splice.yaml import append_yaml_item, set_yaml
from gradewright.write.splice.yaml_drop import drop_yaml

__all__ = [
    "SpliceError",
    "append_json_item",
    "append_jsonl_item",
    "append_toml_table",
    "append_yaml_item",
    "drop_commas",
    "drop_comments",
    "drop_yaml",
    "plain_header",
    "rename_key",
    "rename_keys",
    "set_text",
    "set_yaml",
]
