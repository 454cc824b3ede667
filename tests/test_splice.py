"""Text splices: the value changes, and every other byte of the file stays."""

import tomllib
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gradewright.write.splice import (
    SpliceError,
    append_json_item,
    append_jsonl_item,
    append_toml_table,
    append_yaml_item,
    set_yaml,
)
from gradewright.write.splice.text import same

MODE = ("grading", "mode")
ENTRY = {"id": "case-002", "files": ["a"]}
TASK = {"name": "org/x"}

SET_YAML = {
    "empty file": ("", "grading:\n  mode: custom_only\n"),
    "only a comment": ("# c\n", "# c\ngrading:\n  mode: custom_only\n"),
    "no final line end": ("a: 1", "a: 1\ngrading:\n  mode: custom_only"),
    "document start": ("--- # c\n", "--- # c\ngrading:\n  mode: custom_only\n"),
    "document end": ("a: 1\n...\n", "a: 1\ngrading:\n  mode: custom_only\n...\n"),
    "value": ("grading:\n  mode: default  # why\nb: 1\n", "grading:\n  mode: custom_only  # why\nb: 1\n"),
    "quoted value": ("grading: {mode: 'default'}\n", "grading: {mode: 'custom_only'}\n"),
    "no value yet": ("grading:\n  mode:  # c\n", "grading:\n  mode: custom_only  # c\n"),
    "null": ("grading: ~ # c\n", "grading: {mode: custom_only} # c\n"),
    "section without content": (
        "grading:  # g\r\n    # m\r\n\r\nharbor:\r\n    a: 1\r\n",
        "grading:  # g\r\n    mode: custom_only\r\n    # m\r\n\r\nharbor:\r\n    a: 1\r\n",
    ),
    "section with other keys": (
        "grading:\n    x: 1 # t\n\n# h\nharbor:\n    a: 1\n",
        "grading:\n    x: 1 # t\n    mode: custom_only\n\n# h\nharbor:\n    a: 1\n",
    ),
    "indentation of the file": ("harbor:\n   a: 1\n", "harbor:\n   a: 1\ngrading:\n   mode: custom_only\n"),
    "comments at the end": ("a: 1\n\n# b:\n#   c\n", "a: 1\n\n# b:\n#   c\ngrading:\n  mode: custom_only\n"),
    "literal block at the end": ("a: |\n  x\n", "a: |\n  x\ngrading:\n  mode: custom_only\n"),
    "flow": ("{a: 1, grading: {}}", "{a: 1, grading: {mode: custom_only}}"),
    "flow without the section": ('{"a": 1}\n', '{"a": 1, grading: {mode: custom_only}}\n'),
    "flow with a trailing comma": ("grading: {a: 1, }\n", "grading: {a: 1, mode: custom_only }\n"),
    "flow without a value": ("{grading: }\n", "{grading: {mode: custom_only}}\n"),
    "beyond the first plane": (
        "# \U0001f600\na: \U0001f600\ngrading:\n  mode: x\n",
        "# \U0001f600\na: \U0001f600\ngrading:\n  mode: custom_only\n",
    ),
    "anchor elsewhere": ("x: &a 1\ny: *a\n", "x: &a 1\ny: *a\ngrading:\n  mode: custom_only\n"),
    "merged in": (
        "x: &a {mode: 1}\ngrading:\n  <<: *a\n",
        "x: &a {mode: 1}\ngrading:\n  <<: *a\n  mode: custom_only\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), SET_YAML.values(), ids=SET_YAML)
def test_set_yaml(before: str, after: str) -> None:
    assert set_yaml(before, MODE, "custom_only") == after


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\ufeffa: 1\n", "byte order mark"),
        ("a: [1\n", "not YAML"),
        ("a: 1\n---\nb: 1\n", "not YAML"),
        ("a: \0\n", "not YAML"),
        ("a: \ud800\n", "not YAML"),
        ("[" * 100_000, "not YAML"),
        ("- a\n", "the file does not hold a mapping"),
        ("grading: off\n", "`grading` does not hold a mapping"),
        ("grading:\n- a\n", "`grading` does not hold a mapping"),
        ("grading:\n  mode: a\n  mode: b\n", "`grading.mode` stands there twice"),
        ("grading:\n  mode: {a: 1}\n", "`grading.mode` does not hold a single plain value"),
        ("grading:\n  mode: |\n    a\n", "`grading.mode` does not hold a single plain value"),
        ("x: &a {mode: d}\ngrading: *a\n", "anchor"),
        ("grading: &a {mode: d}\nx: *a\n", "anchor"),
        ("grading:\n  mode: &a x\ny: *a\n", "anchor"),
        ("grading:\n  mode: !!str x\n", "anchor"),
        ("x: !foo 1\n", "not YAML"),
        ("? [a]\n: 1\n", "not YAML"),
    ],
)
def test_set_yaml_refuses(text: str, said: str) -> None:
    with pytest.raises(SpliceError, match=said) as caught:
        set_yaml(text, MODE, "custom_only")
    assert caught.value.hint


@pytest.mark.parametrize(
    "value", ["yes", "012", "a: b", "# x", "", " a ", "l\nm", "\u00e9\U0001f600", "'", "{}", "\x7f\x1b"]
)
@pytest.mark.parametrize(
    "text", ["grading: {mode: x, b: 1}\n", "grading:\n  mode: 'x' # c\n", "grading:\n  mode: x\n", ""]
)
def test_set_yaml_keeps_any_text_a_text(text: str, value: str) -> None:
    assert yaml.safe_load(set_yaml(text, MODE, value))["grading"]["mode"] == value


@pytest.mark.parametrize("value", [True, None, 0, -1.5, 10**30])
def test_set_yaml_keeps_types(value: Any) -> None:
    assert same(yaml.safe_load(set_yaml("a: 'x'\n", ("a",), value)), {"a": value})


APPEND_YAML = {
    "block": ("evals:\n  - id: 1 # c\n# end\nz: 1\n", "evals:\n  - id: 1 # c\n{}# end\nz: 1\n", "  "),
    "same column": ("evals:\n- id: 1\n", "evals:\n- id: 1\n{}", ""),
    "blank lines": ("evals:\n- id: 1\n\n- id: 2\n", "evals:\n- id: 1\n\n- id: 2\n\n{}", ""),
    "empty list": ("evals: []  # none\nz: 1\n", "evals:  # none\n{}z: 1\n", "  "),
    "no value": ("evals:\n", "evals:\n{}", "  "),
}


@pytest.mark.parametrize(("before", "after", "indent"), APPEND_YAML.values(), ids=APPEND_YAML)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_append_yaml_item(before: str, after: str, indent: str, newline: str) -> None:
    item = f"{indent}- id: case-002\n{indent}  files:\n{indent}  - a\n"
    result = append_yaml_item(before.replace("\n", newline), ("evals",), ENTRY)
    assert result == after.format(item).replace("\n", newline)


def test_append_yaml_item_at_the_root() -> None:
    assert append_yaml_item("", (), ENTRY) == "- id: case-002\n  files:\n  - a\n"
    assert append_yaml_item("# c\n[]\n", (), ENTRY) == "# c\n- id: case-002\n  files:\n  - a\n"
    assert append_yaml_item("- id: 1", (), {"id": 2}) == "- id: 1\n- id: 2"
    assert append_yaml_item("[{id: 1}]\n", (), {"id": "a\nb"}) == '[{id: 1}, {id: "a\\nb"}]\n'


def test_append_yaml_item_writes_lines_as_lines() -> None:
    assert append_yaml_item("- a\n", (), {"p": "x\n\ny: z\n"}) == "- a\n- p: |\n    x\n\n    y: z\n"
    assert append_yaml_item("- a", (), {"p": "x\ny\n"}) == '- a\n- p: "x\\ny\\n"'


@pytest.mark.parametrize(
    "text", ["a: 1\n", "evals: 1\n", "evals: {}\n", "x: &a [1]\nevals: *a\n", "evals: &a [1]\n", "", "\ufeff"]
)
def test_append_yaml_item_refuses(text: str) -> None:
    with pytest.raises(SpliceError):
        append_yaml_item(text, ("evals",), ENTRY)


TIGHT = '{"id":"case-002","files":["a"]}'
LOOSE = '{"id": "case-002", "files": ["a"]}'
APPEND_JSON = {
    "tight": ('{"evals":[{"id":1}]}', '{"evals":[{"id":1},' + TIGHT + "]}"),
    "one line": ('{"evals": [{"id": 1}]}\n', '{"evals": [{"id": 1}, ' + LOOSE + "]}\n"),
    "one line, empty": ('{"evals": []}', '{"evals": [' + LOOSE + "]}"),
    "a row each": ('{"evals": [\n {"id": 1}\n]}', '{"evals": [\n {"id": 1},\n ' + LOOSE + "\n]}"),
    "empty": (
        '{\n\t"evals": []\n}',
        '{\n\t"evals": [\n\t\t{\n\t\t\t"id": "case-002",\n\t\t\t"files": [\n\t\t\t\t"a"\n\t\t\t]\n\t\t}\n\t]\n}',
    ),
    "brackets together": (
        '{\r\n  "evals": [{\r\n    "id": 1\r\n  }]\r\n}\r\n',
        (
            '{\r\n  "evals": [{\r\n    "id": 1\r\n  }, '
            '{\r\n    "id": "case-002",\r\n    "files": [\r\n      "a"\r\n    ]\r\n  }]\r\n}\r\n'
        ),
    ),
    "spread": (
        '{\n    "evals": [\n        {\n            "id": "[,]"\n        }\n    ],\n    "z": [\n    ]\n}\n',
        (
            '{\n    "evals": [\n        {\n            "id": "[,]"\n        },\n'
            '        {\n            "id": "case-002",\n            "files": [\n                "a"\n'
            '            ]\n        }\n    ],\n    "z": [\n    ]\n}\n'
        ),
    ),
}


@pytest.mark.parametrize(("before", "after"), APPEND_JSON.values(), ids=APPEND_JSON)
def test_append_json_item(before: str, after: str) -> None:
    assert append_json_item(before, ("evals",), ENTRY) == after


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1,]",
        "\ufeff{}",
        '{"a": 1}',
        '{"evals": 1}',
        '{"evals": [], "evals": []}',
        "[]",
        "[" * 100_000,
        "1" * 9999,
    ],
)
def test_append_json_item_refuses(text: str) -> None:
    with pytest.raises(SpliceError):
        append_json_item(text, ("evals",), ENTRY)


def test_append_jsonl_item() -> None:
    assert append_jsonl_item("", ENTRY) == LOOSE + "\n"
    assert append_jsonl_item('{"id": 1}\r\n', ENTRY) == '{"id": 1}\r\n' + LOOSE + "\r\n"
    assert append_jsonl_item('{"id": 1}', ENTRY) == '{"id": 1}\n' + LOOSE


APPEND_TOML = {
    "empty file": ("", '[[tasks]]\nname = "org/x"\n'),
    "first": ('[dataset]\nname = "a"\n', '[dataset]\nname = "a"\n\n[[tasks]]\nname = "org/x"\n'),
    "no final line end": ('[[tasks]]\nname = "a"', '[[tasks]]\nname = "a"\n\n[[tasks]]\nname = "org/x"'),
    "no blank lines": (
        "[[tasks]]\na = 1\n[[tasks]]\na = 2 # c\n",
        '[[tasks]]\na = 1\n[[tasks]]\na = 2 # c\n[[tasks]]\nname = "org/x"\n',
    ),
    "CRLF": ("[[tasks]]\r\na = 1\r\n\r\n", '[[tasks]]\r\na = 1\r\n\r\n[[tasks]]\r\nname = "org/x"\r\n'),
    "other tables behind": ("[[tasks]]\na = 1\n\n[x]\n", '[[tasks]]\na = 1\n\n[x]\n\n[[tasks]]\nname = "org/x"\n'),
    "same name deeper": ("[a]\ntasks = []\n", '[a]\ntasks = []\n\n[[tasks]]\nname = "org/x"\n'),
    "inline, empty": ("tasks = []\n[a]\n", 'tasks = [{name = "org/x"}]\n[a]\n'),
    "inline": ('tasks = [{name = "]"}] # c\n', 'tasks = [{name = "]"}, {name = "org/x"}] # c\n'),
    "inline, a row each": (
        "tasks = [\n  {a = '\u00e9'}, # x\n  {a = 2} # y,\n]\n",
        "tasks = [\n  {a = '\u00e9'}, # x\n  {a = 2}, # y,\n  {name = \"org/x\"}\n]\n",
    ),
    "inline, trailing comma": (
        "tasks = [\r\n\t{a = 1}, # x\r\n\t# z\r\n]\r\n",
        'tasks = [\r\n\t{a = 1}, # x\r\n\t{name = "org/x"},\r\n\t# z\r\n]\r\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), APPEND_TOML.values(), ids=APPEND_TOML)
def test_append_toml_table(before: str, after: str) -> None:
    assert append_toml_table(before, "tasks", TASK) == after


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff",
        "tasks = 1\n",
        "tasks = [1]\n",
        "[tasks]\n",
        "a = '''\n",
        "a = 1\na = 2\n",
        "tasks = [\n",
        "a = " + "[" * 9999,
    ],
)
def test_append_toml_table_refuses(text: str) -> None:
    with pytest.raises(SpliceError):
        append_toml_table(text, "tasks", TASK)


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8")) | st.booleans()))
def test_append_toml_table_takes_any_text(table: dict[str, str | bool]) -> None:
    assert tomllib.loads(append_toml_table("a = 1\n", "tasks", table)) == {"a": 1, "tasks": [table]}
    assert tomllib.loads(append_toml_table("tasks = []\n", "tasks", table)) == {"tasks": [table]}
