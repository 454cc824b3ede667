"""Reading data files: values, and what is wrong with those that do not parse."""

from pathlib import Path
from typing import Any

import pytest

from gradewright.model import (
    BOM,
    COMMENT,
    DUPLICATE_KEY,
    IRREGULAR,
    LINK_DANGLES,
    LINK_ESCAPES,
    LINK_LOOP,
    NOT_UTF8,
    OVERSIZED,
    SYNTAX,
    TRAILING_COMMA,
    UNREADABLE,
    Problem,
)
from gradewright.read.data.document import parse
from gradewright.read.files import Text, line_column, link_problem, read_bytes, read_text


def read(text: str, syntax: str) -> tuple[Any, list[tuple[str, int, int]]]:
    value, problems = parse(Text("f", text, text.encode("utf-8", "surrogatepass")), syntax, "dataset")
    return value, [(problem.kind, problem.at.line, problem.at.column) for problem in problems]


@pytest.mark.parametrize(
    ("text", "syntax", "value"),
    [
        ('{"a": [1, "x", null, true, 1e400]}', "json", {"a": [1, "x", None, True, float("inf")]}),
        ('"\\ud800"', "json", "\ud800"),
        ("[-Infinity]", "json", [float("-inf")]),
        ('{"a": "// no", "b": "[1,]"}', "json", {"a": "// no", "b": "[1,]"}),
        ('{"a": 1}\r\n\r\n[2]', "jsonl", [{"a": 1}, [2]]),
        ("null\n", "jsonl", [None]),
        ("", "jsonl", []),
        ("", "yaml", None),
        ("# only this\n", "yaml", None),
        ("a: 012\nb: yes\nc: 2024-01-02x\n", "yaml", {"a": 10, "b": True, "c": "2024-01-02x"}),
        ("\ufeffa: 1\r\n", "yaml", {"a": 1}),
        ("a: &x {k: 1}\nb: {<<: *x, m: 2}\nc: *x\n", "yaml", {"a": {"k": 1}, "b": {"k": 1, "m": 2}, "c": {"k": 1}}),
        ("a: 1:30:00\n", "yaml", {"a": 5400}),
        ("--- \na: 1\n...\n", "yaml", {"a": 1}),
        ("<<: {a: 1}\n<<: {b: 2}\n", "yaml", {"a": 1, "b": 2}),
        ("", "toml", {}),
        ("a.b = 1\r\n[c]\r\n", "toml", {"a": {"b": 1}, "c": {}}),
        ("a = '.'\nb = '" + "a." * 200 + "'\n", "toml", {"a": ".", "b": "a." * 200}),
        ("a = inf", "toml", {"a": float("inf")}),
    ],
)
def test_sound_texts(text: str, syntax: str, value: Any) -> None:
    assert read(text, syntax) == (value, [])


@pytest.mark.parametrize(
    ("text", "syntax", "value", "problems"),
    [
        ("\ufeff[1]", "json", [1], [(BOM, 1, 1)]),
        ("\ufeff{'a': 1}", "json", None, [(BOM, 1, 1), (SYNTAX, 1, 2)]),
        ("// a\n[1, /* b\n */ 2 # c\n]", "json", [1, 2], [(COMMENT, 1, 1), (COMMENT, 2, 5), (COMMENT, 3, 7)]),
        (
            '[1, {"a": 1,}, // x\n]',
            "json",
            [1, {"a": 1}],
            [(COMMENT, 1, 16), (TRAILING_COMMA, 1, 12), (TRAILING_COMMA, 1, 14)],
        ),
        (
            '{"a": 1,\n "b": {"a": 1}, "a": 2, "a": 3}',
            "json",
            {"a": 3, "b": {"a": 1}},
            [(DUPLICATE_KEY, 2, 17), (DUPLICATE_KEY, 2, 25)],
        ),
        ('{"é": 1, "\\u00e9": 2}', "json", {"é": 2}, [(DUPLICATE_KEY, 1, 10)]),
        ('["/* ]', "json", None, [(SYNTAX, 1, 2)]),
        ("[1] /* x", "json", None, [(SYNTAX, 1, 5)]),
        ("[" + "9" * 5000 + "]", "json", None, [(SYNTAX, 1, 2)]),
        ('{"a": 1}\n{"a": 1,}\n{]\n', "jsonl", None, [(TRAILING_COMMA, 2, 8), (SYNTAX, 3, 2)]),
        ('{"a": 1,}\n\ufeff', "jsonl", [{"a": 1}], [(TRAILING_COMMA, 1, 8)]),
        (
            "a: 1\nb: {a: 1, a: 2}\na: 2\n",
            "yaml",
            {"a": 2, "b": {"a": 2}},
            [(DUPLICATE_KEY, 3, 1), (DUPLICATE_KEY, 2, 11)],
        ),
        ("a: 2024-13-45\n", "yaml", None, [(SYNTAX, 1, 4)]),
        ("a:\n  - !!int ''\n", "yaml", None, [(SYNTAX, 2, 5)]),
        ("a: " + "1" * 5000, "yaml", None, [(SYNTAX, 1, 4)]),
        ("a: \x07", "yaml", None, [(SYNTAX, 1, 4)]),
        ("é: *x\n", "yaml", None, [(SYNTAX, 1, 4)]),
        ("\ufeffa: b: c\n", "yaml", None, [(SYNTAX, 1, 5)]),
        ("\ufeffa = 1", "toml", {"a": 1}, [(BOM, 1, 1)]),
        ("\ufeffa = b", "toml", None, [(BOM, 1, 1), (SYNTAX, 1, 5)]),
        ("a = " + "1" * 5000, "toml", None, [(SYNTAX, 1, 5)]),
        ("a = 1\na = 2", "toml", None, [(SYNTAX, 2, 1)]),
        ("a = [", "toml", None, [(SYNTAX, 1, 6)]),
    ],
)
def test_faulty_texts(text: str, syntax: str, value: Any, problems: list[tuple[str, int, int]]) -> None:
    assert read(text, syntax) == (value, problems)


def test_problems_of_one_kind_are_listed_up_to_a_hundred() -> None:
    _, problems = parse(Text("f", "[//\n" * 5000, b""), "json", "dataset")
    comments = [problem for problem in problems if problem.kind == COMMENT]
    assert len(comments) == 100
    assert comments[-1].detail.endswith("(and 4,900 more)")


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    [("", 0, (1, 1)), ("ab\ncd", 4, (2, 2)), ("\ufeffab", 2, (1, 2)), ("\ufeff", 0, (1, 1)), ("é\r\nx", 3, (2, 1))],
)
def test_line_and_column(text: str, offset: int, place: tuple[int, int]) -> None:
    assert line_column(text, offset) == place


def kind(value: Any) -> str:
    assert isinstance(value, Problem), value
    return value.kind


def test_files_that_cannot_be_taken_in(tmp_path: Path) -> None:
    import os
    import socket

    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "gone").symlink_to("nowhere")
    (tmp_path / "latin").write_bytes(b"a\nb\xe9")
    (tmp_path / "utf16").write_bytes("hello".encode("utf-16"))
    (tmp_path / "nul").write_bytes(b"a\0b")
    (tmp_path / "large").write_bytes(b"x" * 100)
    (tmp_path / "inside").symlink_to("large")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "socket"))
    path = {name: str(tmp_path / name) for name in os.listdir(tmp_path)}
    assert kind(read_text(path["pipe"], "x")) == IRREGULAR
    assert kind(read_text(path["socket"], "x")) == IRREGULAR
    assert kind(read_text(str(tmp_path), "x")) == IRREGULAR
    assert kind(read_text("/dev/null", "x")) == IRREGULAR
    assert kind(read_text(path["loop"], "x")) == LINK_LOOP
    assert kind(read_text(path["gone"], "x")) == LINK_DANGLES
    assert kind(read_text(path["latin"], "x")) == NOT_UTF8
    assert kind(read_text(path["utf16"], "x")) == NOT_UTF8
    assert kind(read_text(path["nul"], "x")) == NOT_UTF8
    assert kind(read_text(path["large"], "x", limit=99)) == OVERSIZED
    assert kind(read_text("a\0b", "x")) == UNREADABLE
    assert read_text(str(tmp_path / "none"), "x") is None
    assert read_text(path["large"] + "/below", "x") is None
    assert read_bytes(path["latin"], "x") == b"a\nb\xe9"
    text = read_text(path["inside"], "x", limit=100)
    assert isinstance(text, Text)
    assert text.link


def test_links(tmp_path: Path) -> None:
    home = tmp_path / "skill"
    home.mkdir()
    (home / "file").write_text("x")
    for name, aim in (("in", "file"), ("out", "../.."), ("gone", "nowhere"), ("loop", "loop"), ("beside", "../skill2")):
        (home / name).symlink_to(aim)
    (tmp_path / "skill2").mkdir()
    found = {
        name: link_problem(str(home / name), str(home), "x") for name in ("file", "in", "out", "gone", "loop", "beside")
    }
    assert found["file"] is None
    assert found["in"] is None
    assert kind(found["out"]) == LINK_ESCAPES
    assert kind(found["beside"]) == LINK_ESCAPES
    assert kind(found["gone"]) == LINK_DANGLES
    assert kind(found["loop"]) == LINK_LOOP


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
def test_a_size_of_zero_is_not_believed() -> None:
    data = read_bytes("/proc/self/status", "x")
    assert isinstance(data, bytes)
    assert b"Name:" in data
