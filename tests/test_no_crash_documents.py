"""No text, however odd, makes a reader of data files fail, hang or fill the memory."""

import time
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradewright.finding import Location
from gradewright.model import OVERSIZED, TOO_DEEP
from gradewright.read.data.document import parse
from gradewright.read.data.limits import MAX_DEPTH, depth
from gradewright.read.data.positions import locate
from gradewright.read.data.schema import mismatches, schema_names
from gradewright.read.files import Text

SECONDS = 2.0
MEMORY = 200 << 20

VALID = {
    "json": '{\n  "skill_name": "x",\n  "evals": [{"id": 1, "prompt": "caf\\u00e9 \\"q\\"", "files": ["a", "b"]}]\n}\n',
    "jsonl": '{"id": "a", "question": "x"}\n\n{"id": 2, "question": "y", "files": []}\n',
    "yaml": "a: &x {k: [1, 2.5]}\nb:\n  <<: *x\n  'c d': |\n    text: 1\n  e: 2024-01-01\nl:\n- 1:30\n- \"q\\n\"\n",
    "toml": "a = 1\n[b.'c d']\ne = [1, {f = \"x\\n\"}]\n[[t]]\nd = 2024-01-01T00:00:00Z\n[[t]]\ng = '''\nx'''\n",
}
PIECES = st.sampled_from(
    [*"[]{}()<>,:;=\"'`#/\\|&*!%@~?-+._ \t\r\n\0\ufeff\x85\u2028éa019", "\ud800", "\\ud800",
     "&x", "*x", "<<: ", "- ", "? ",
     "!!int ", "!!binary ", "!!python/object:os ", "%YAML 1.2\n", "---\n", "...\n", '"""', "'''", "[[", "]]", "//",
     "/*", "*/", "NaN", "1e999", "1:2:3", "0x", "0b", "2024-99-99", "null", "True", "\\u", "\\x", "<<<<<<< a\n",
     ">>>>>>> b\n"]
)  # fmt: skip
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6), st.lists(PIECES, max_size=4)), max_size=6)

BOMBS = {
    "json": [
        "[" * 200_000,
        '{"a":' * 200_000,
        "[" * 90_000 + "]" * 90_000,
        "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        "[" + "{}," * 1_000_000 + "1]",
        "{" + ",".join(f'"k{n}": 1' for n in range(390_000)) + "}",
        "{" + ",".join('"k": 1' for _ in range(300_000)) + "}",
        "/*" * 500_000,
        "[//\n" * 200_000,
        ",]" * 400_000,
        '"\\' * 300_000,
        "/" * 1_000_000,
        "9" * 1_000_000,
        '{"a": "' + "x" * 4_000_000 + '",}',
        "<<<<<<< " * 100_000,
    ],
    "jsonl": ["{}\n" * 1_000_000, "[1,]\n" * 100_000, "[" * 100_000 + "\n[1]", "\n" * 1_000_000, "{\n" * 100_000],
    "yaml": [
        "[" * 200_000,
        "- " * 200_000,
        "? " * 200_000,
        "{a: " * 100_000,
        "{[" * 90_000,
        "\n".join("  " * n + "a:" for n in range(900)),
        "a: &a [x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"{y}: &{y} [{', '.join(['*' + x] * 9)}]\n" for x, y in zip("abcdefgh", "bcdefghi", strict=True)),
        "a0: &a0 {k: v}\n" + "".join(f"a{n + 1}: &a{n + 1} {{<<: [*a{n}, *a{n}]}}\n" for n in range(60)),
        "a0: &a0 [x]\n" + "".join(f"a{n + 1}: &a{n + 1} [*a{n}]\n" for n in range(5000)),
        "a: &a [*a]",
        "a: &a {b: *a}",
        "a: &a {<<: *a}",
        "[" + "a," * 400_000 + "]",
        "\n".join(f"k{n}: v" for n in range(90_000)),
        "a: 1" + ":00" * 200_000,
        "a: " + "1" * 1_000_000,
        "a: 'x" * 100_000,
        "&a " * 300_000,
        "a: |\n" + " x\n" * 300_000,
        "#\n" * 500_000,
        " " * 1_000_000 + "a",
    ],
    "toml": [
        "a = " + "[" * 200_000,
        "a = " + "[" * 9_000 + "]" * 9_000,
        "a = " + "{a=" * 6_000,
        "a." * 200_000 + "b = 1",
        "'a'." * 100_000 + "b = 1",
        "[" + "a . " * 100_000 + "b]",
        "".join(f"a{n} = {{}}\n" for n in range(9_000)),
        "[[a]]\n" * 9_000,
        "x" * 1_000_000,
        "a " * 500_000 + "." * 70,
        "a = " + "1" * 1_000_000,
        "'''" * 300_000,
        "a = '" + "." * 1_000_000 + "'",
        "a = 1\n" * 19_000,
    ],
}


def survive(text: str, syntax: str) -> set[str]:
    file = Text("f", text, text.encode("utf-8", "surrogatepass"))
    value, problems = parse(file, syntax, "dataset")
    assert depth(value) <= MAX_DEPTH
    for problem in problems:
        assert problem.detail
        assert len(problem.detail) < 300
        assert "\n" not in problem.detail
        assert problem.at.line <= text.count("\n") + 1
        assert problem.at.column >= 0
    for keys in ((), ("a",), ("evals", 0, "id"), (0, "question"), ("t", 1, "g"), ("b", "k", 0)):
        line, column = locate(file, syntax, keys)
        assert 0 <= line <= text.count("\n") + 1
        assert (line > 0) == (column > 0)
    return {problem.kind for problem in problems}


def mutated(text: str, edits: list[tuple[float, int, list[str]]]) -> str:
    for where, length, pieces in edits:
        start = int(where * len(text))
        text = text[:start] + "".join(pieces) + text[start + length :]
    return text


@pytest.mark.parametrize("syntax", VALID)
@settings(max_examples=150, deadline=2000, suppress_health_check=[HealthCheck.too_slow])
@given(edits=EDITS)
def test_mutations_of_valid_texts(syntax: str, edits: list[tuple[float, int, list[str]]]) -> None:
    survive(mutated(VALID[syntax], edits), syntax)


@pytest.mark.parametrize("syntax", VALID)
@settings(max_examples=50, deadline=2000)
@given(text=st.text(max_size=200))
def test_any_text(syntax: str, text: str) -> None:
    survive(text, syntax)


@pytest.mark.parametrize("syntax", VALID)
def test_valid_texts_have_no_problems(syntax: str) -> None:
    assert survive(VALID[syntax], syntax) == set()


@pytest.mark.parametrize(
    ("syntax", "text"),
    [(syntax, text) for syntax, texts in BOMBS.items() for text in texts],
    ids=[f"{syntax}-{number}" for syntax, texts in BOMBS.items() for number in range(len(texts))],
)
def test_bombs(syntax: str, text: str) -> None:
    start = time.process_time()
    survive(text, syntax)
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize("syntax", ["json", "yaml", "toml"])
def test_the_costliest_texts_stay_within_memory(syntax: str) -> None:
    costly = {
        "json": "{" + ",".join(f'"{n:019}":"{n:x}"' for n in range(195_000)) + "}",
        "yaml": "[" + "a," * 99_000 + "]",
        "toml": "".join(f"a{n}={{}}\n" for n in range(9_900)),
    }[syntax]
    tracemalloc.start()
    parse(Text("f", costly, costly.encode()), syntax, "dataset")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MEMORY


def test_what_expands_or_nests_without_end_is_refused() -> None:
    kinds = {
        syntax: [survive(text, syntax) for text in texts[:3]] for syntax, texts in BOMBS.items() if syntax != "jsonl"
    }
    for found in kinds.values():
        assert all(found[number] & {TOO_DEEP, OVERSIZED} for number in range(3))
    assert survive(BOMBS["yaml"][6], "yaml") == {OVERSIZED}
    assert survive("a: &a [*a]", "yaml") == {TOO_DEEP}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["schema_version", "harbor", "grading", "mode", "evals", "id", "task", "a"])
            | st.integers(),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=100, deadline=2000)
@given(value=VALUES, name=st.sampled_from(schema_names()))
def test_any_value_against_any_schema(value: object, name: str) -> None:
    for problem in mismatches(value, name, name, Location("f")):
        assert problem.detail
