"""Where values stand in their files: JSON, JSONL, YAML and TOML."""

import pytest

from gradewright.read.data.positions import locate
from gradewright.read.files import Text

TOML = """a.b."c d" = 1
[environment]
x = {y = 1, z.w = [1, {q = 2}]}
[[tasks]]
name = "a"
[tasks.sub]
q = 1
[[tasks]]
name = 'b'
"é".k = [
  1,  # one
  2]
[deep.er.est]
[[deep.list]]
[[deep.list]]
v = 1
"""

YAML = """d: &d
  m: 1
b:
  <<: *d
  n: 2
"é c": {x: [1, 2], 'y': *d}
l:
- a
- k: v
  "q": |
    text: no
7: x
yes: y
? complex
: v
m: {<<: [*d, {o: 1}], m: 2}
"""

JSON = """\ufeff{"é": 1, "a\\u0041": [1, {"b": null}, /* c */ 3, ],
"z": {"": "x: {[", "d": 1, "d": 2}}"""

JSONL = """
{"a": 1}

  {"é": {"b": [1]}, "c": 1}
"""


@pytest.mark.parametrize(
    ("text", "syntax", "keys", "place"),
    [
        (TOML, "toml", (), (1, 1)),
        (TOML, "toml", ("a", "b", "c d"), (1, 5)),
        (TOML, "toml", ("a", "b"), (1, 3)),
        (TOML, "toml", ("environment",), (2, 2)),
        (TOML, "toml", ("environment", "x", "y"), (3, 6)),
        (TOML, "toml", ("environment", "x", "z", "w", 1, "q"), (3, 24)),
        (TOML, "toml", ("environment", "missing"), (2, 2)),
        (TOML, "toml", ("missing",), (1, 1)),
        (TOML, "toml", ("tasks",), (4, 3)),
        (TOML, "toml", ("tasks", 0, "name"), (5, 1)),
        (TOML, "toml", ("tasks", 0, "sub", "q"), (7, 1)),
        (TOML, "toml", ("tasks", 1), (8, 3)),
        (TOML, "toml", ("tasks", 1, "name"), (9, 1)),
        (TOML, "toml", ("tasks", 1, "é", "k", 1), (12, 3)),
        (TOML, "toml", ("tasks", 2), (4, 3)),
        (TOML, "toml", ("deep", "er", "est"), (13, 10)),
        (TOML, "toml", ("deep", "list", 1, "v"), (16, 1)),
        (YAML, "yaml", (), (1, 1)),
        (YAML, "yaml", ("b", "n"), (5, 3)),
        (YAML, "yaml", ("b", "m"), (2, 3)),
        (YAML, "yaml", ("é c", "y"), (6, 20)),
        (YAML, "yaml", ("é c", "x", 1), (6, 16)),
        (YAML, "yaml", ("é c", "y", "m"), (2, 3)),
        (YAML, "yaml", ("l", 0), (8, 3)),
        (YAML, "yaml", ("l", 1, "q"), (10, 3)),
        (YAML, "yaml", ("l", 1, "missing"), (9, 3)),
        (YAML, "yaml", (7,), (12, 1)),
        (YAML, "yaml", (True,), (13, 1)),
        (YAML, "yaml", ("complex",), (14, 3)),
        (YAML, "yaml", ("m", "o"), (16, 15)),
        (YAML, "yaml", ("m", "m"), (16, 23)),
        (JSON, "json", ("é",), (1, 2)),
        (JSON, "json", ("aA", 0), (1, 22)),
        (JSON, "json", ("aA", 1, "b"), (1, 26)),
        (JSON, "json", ("aA", 2), (1, 46)),
        (JSON, "json", ("z", ""), (2, 7)),
        (JSON, "json", ("z", "d"), (2, 28)),
        (JSON, "json", ("missing",), (1, 1)),
        (JSON, "json", ("z", "d", 0), (2, 28)),
        (JSONL, "jsonl", (), (2, 1)),
        (JSONL, "jsonl", (0, "a"), (2, 2)),
        (JSONL, "jsonl", (1,), (4, 3)),
        (JSONL, "jsonl", (1, "é", "b", 0), (4, 16)),
        (JSONL, "jsonl", (2,), (2, 1)),
        ("a: 1\r\nb:\r\n  c: 2\r\n", "yaml", ("b", "c"), (3, 3)),
        ("a: 'x\u2028y\x85z'\nb: 2\n", "yaml", ("b",), (2, 1)),
        ("\ufeffa: 1\nb: 2\n", "yaml", ("b",), (2, 1)),
        ("\ufeffa: 1\n", "yaml", ("a",), (1, 1)),
        ("---\na: 1\n", "yaml", ("a",), (2, 1)),
        ('\ufeffa = 1\n[b]\r\nc = "é" # x\r\nd = 1', "toml", ("b", "d"), (4, 1)),
        ("x = 1\n[\"a.b\"]\n'c' = 1\n", "toml", ("a.b", "c"), (3, 1)),
        ('"\\u00e9" = 1\n', "toml", ("é",), (1, 1)),
    ],
)
def test_place(text: str, syntax: str, keys: tuple[str | int, ...], place: tuple[int, int]) -> None:
    assert locate(Text("f", text, text.encode()), syntax, keys) == place


@pytest.mark.parametrize("syntax", ["json", "jsonl", "yaml", "toml"])
@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_of_nothing_there_is_no_place_but_a_toml_file_is_a_table(syntax: str, text: str) -> None:
    place = locate(Text("f", text, text.encode()), syntax, ("a", 0))
    assert place in ((0, 0), (1, 1))


def test_many_lookups_in_one_file_are_cheap() -> None:
    entry = '{"id": %d, "prompt": "' + "x" * 60 + '", "files": ["a"]},\n'
    text = "[" + "".join(entry % number for number in range(5000)).rstrip(",\n") + "]"
    file = Text("f", text, text.encode())
    for number in range(5000):
        assert locate(file, "json", (number, "files", 0))[0] == number + 1
