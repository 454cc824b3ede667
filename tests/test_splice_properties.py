"""Text splices on random documents with comments: one value changes, and no other byte."""

import json
import time
import tomllib
from collections.abc import Callable
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gradewright.write.splice import (
    SpliceError,
    append_json_item,
    append_toml_table,
    append_yaml_item,
    set_yaml,
)
from gradewright.write.splice.text import same

MODE = ("grading", "mode")
ENTRY = {"id": "case-002", "files": ["a"]}
TASK = {"name": "org/x"}

WORDS = st.sampled_from(
    ["a", "mode", "grading", "x y", "\u00e9", "\U0001f600", "yes", "012", "# no", "a: b", "it's", "", "[", "-"]
)
SCALARS = WORDS | st.integers() | st.booleans() | st.none()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=8
)
NEWLINES = st.sampled_from(["\n", "\r\n"])


def commented(draw: Callable[..., Any], text: str, value: Any) -> str:
    """`text` with comments and blank lines between and behind its lines, wherever they leave its `value`."""
    lines = text.splitlines()
    for at in reversed(range(len(lines))):
        between = draw(st.sampled_from(["", "", "# own", "  # own: 1", " "]))
        behind = draw(st.sampled_from(["", "  # behind", " # a: [b"]))
        for wanted in ([lines[at] + behind], [lines[at], between]):
            longer = [*lines[:at], *wanted, *lines[at + 1 :]]
            if loads_as("\n".join(longer) + "\n", value):
                lines = longer
    return "\n".join(lines) + "\n"


@st.composite
def yaml_texts(draw: Callable[..., Any], root: st.SearchStrategy[Any]) -> str:
    value = draw(root)
    text = yaml.safe_dump(
        value,
        allow_unicode=True,
        sort_keys=False,
        indent=draw(st.integers(2, 4)),
        default_flow_style=draw(st.sampled_from([False, None])),
    )
    text = commented(draw, text, value)
    text = text if draw(st.booleans()) else text.removesuffix("\n")
    text = text if loads_as(text, value) else text + "\n"
    return text.replace("\n", draw(NEWLINES))


def loads_as(text: str, value: Any) -> bool:
    try:
        return same(yaml.safe_load(text), value)
    except yaml.YAMLError:
        return False


def only_inserted(before: str, after: str) -> bool:
    """Whether `after` is `before` with one stretch replaced, at most a value long, and every comment in place."""
    start = next(
        (at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    tail = 0
    while tail < min(len(before), len(after)) - start and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    lost = before[start : len(before) - tail]
    return "own" not in lost and "behind" not in lost and "\n" not in lost.strip()


CONFIGS = st.dictionaries(WORDS.filter(lambda word: word != "grading"), VALUES, max_size=3).flatmap(
    lambda rest: st.one_of(
        st.just(rest),
        st.dictionaries(WORDS, SCALARS, max_size=3).map(lambda grading: {**rest, "grading": grading}),
        st.dictionaries(WORDS, SCALARS, max_size=3).map(lambda grading: {"grading": grading, **rest}),
    )
)


@settings(max_examples=300, deadline=None)
@given(yaml_texts(CONFIGS), st.sampled_from(["custom_only", "it's: #", "yes", 0.5]))
def test_set_yaml_changes_one_value_and_no_other_byte(text: str, value: Any) -> None:
    result = set_yaml(text, MODE, value)
    before, after = yaml.safe_load(text) or {}, yaml.safe_load(result)
    assert after["grading"]["mode"] == value
    before["grading"] = {**(before.get("grading") or {}), "mode": value}
    assert same(after, before)
    assert only_inserted(text, result)
    assert ("\r\n" in text) == ("\r\n" in result) or "\n" not in text
    assert text.endswith("\n") == result.endswith("\n") or not text


@settings(max_examples=200, deadline=None)
@given(
    yaml_texts(st.fixed_dictionaries({"a": SCALARS, "evals": st.lists(VALUES, min_size=1, max_size=3), "z": VALUES})),
    VALUES,
)
def test_append_yaml_item_adds_one_item_and_no_other_byte(text: str, item: Any) -> None:
    result = append_yaml_item(text, ("evals",), item)
    before = yaml.safe_load(text)
    before["evals"].append(item)
    assert same(yaml.safe_load(result), before)
    assert only_inserted(text, result)


@settings(max_examples=200, deadline=None)
@given(
    st.fixed_dictionaries({"a": VALUES, "evals": st.lists(VALUES, max_size=3), "z": VALUES}),
    VALUES,
    st.sampled_from([None, 0, 1, 4, "\t"]),
    st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : "), (",", ": ")]),
    NEWLINES,
)
def test_append_json_item_adds_one_item_and_no_other_byte(
    document: dict[str, Any], item: Any, indent: Any, separators: tuple[str, str], newline: str
) -> None:
    text = json.dumps(document, indent=indent, separators=separators, ensure_ascii=False).replace("\n", newline)
    result = append_json_item(text, ("evals",), item)
    document["evals"].append(item)
    assert json.loads(result) == document
    start = next(at for at, (a, b) in enumerate(zip(text, result, strict=False)) if a != b)
    rest = text[start:].lstrip()
    assert result.endswith(rest)
    if indent is not None and separators == (",", ": "):
        assert result.replace(newline, "\n") == json.dumps(
            document, indent=indent, separators=(separators[0], ": "), ensure_ascii=False
        )


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "",
                "# own",
                "[[tasks]]",
                "a = 1 # c",
                "[x.y]",
                "b = '''",
                "'''",
                "[[other]]",
                "  [[ tasks ]]",
                "tasks = [{}]",
                "tasks = [",
                "]",
            ]
        ),
        max_size=8,
    ),
    NEWLINES,
)
def test_append_toml_table_adds_one_table_and_no_other_byte(lines: list[str], newline: str) -> None:
    text = newline.join(lines)
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        before = {}
    try:
        result = append_toml_table(text, "tasks", TASK)
    except SpliceError:
        assert not before or not all(isinstance(item, dict) for item in before.get("tasks", []))
        return
    assert tomllib.loads(result) == {**before, "tasks": [*before.get("tasks", []), TASK]}
    assert result.startswith(text) or only_inserted(text, result)


def seconds(act: Callable[[], object]) -> float:
    best = 9.0
    for _ in range(3):
        start = time.perf_counter()
        act()
        best = min(best, time.perf_counter() - start)
    return best


def test_the_thousand_and_first_entry_costs_little() -> None:
    entries = [{"id": f"case-{number:04}", "prompt": "Do it. " * 20, "expected_output": "y"} for number in range(1000)]
    toml = "".join(
        f'\n[[tasks]]\nname = "org/case-{number:04}"\ndigest = "sha256:{"a" * 64}"\n' for number in range(1000)
    )
    assert seconds(lambda: append_toml_table(toml, "tasks", TASK)) < 0.2
    text = json.dumps({"evals": entries}, indent=2)
    assert seconds(lambda: append_json_item(text, ("evals",), ENTRY)) < 0.2
