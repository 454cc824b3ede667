"""Which score a Python grader gives to failures, to nothing at all, and to everybody, in every form of control flow."""

import ast
import re
import time

import pytest
from pyforms import Form, forms

from gradewright.model import CONSTANT_SCORE, Grader, Sign
from gradewright.read.files import Text
from gradewright.read.python.facts import python_facts

HEAD = """import json, os, re, subprocess, sys
from pathlib import Path
OUT = Path("/workspace/out.json")
REWARD = Path("/logs/verifier/reward.json")
"""
KINDS = frozenset({"constant-score", "fails-open", "empty-passes", "existence-only", "absence-only"})
WRITE = 'REWARD.write_text(json.dumps({"overall": score}))\n'


def facts(code: str) -> Grader:
    text = HEAD + code
    return python_facts(Text("evals/grader.py", text, text.encode()), role="grader", native=False)


def signs(code: str) -> list[Sign]:
    return [sign for sign in facts(code).signs if sign.what in KINDS]


def told(code: str) -> set[str]:
    """The kinds of signs; those that are certain with a `!`."""
    return {sign.what + "!" * sign.certain for sign in signs(code)}


def renamed(code: str) -> str:
    """The code with other names for its functions and for what it assigns, outside of classes."""
    tree = ast.parse(code)
    fields = {
        part.target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for part in node.body
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    }
    nodes = list(ast.walk(tree))
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    stored = (
        (stored | {node.name for node in functions})
        - fields
        - {node.arg for node in nodes if isinstance(node, ast.arg)}
    )
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in stored:
            node.id = f"x_{node.id[::-1]}"
    for function in functions:
        if function.name in stored:
            function.name = f"x_{function.name[::-1]}"
    return ast.unparse(tree)


@pytest.mark.parametrize("form", forms("verdicts"), ids=lambda form: form.title)
def test_a_score_that_is_not_earned_is_told(form: Form) -> None:
    assert told(form.code) == set(form.expected)


@pytest.mark.parametrize("form", forms("verdicts-none"), ids=lambda form: form.title)
def test_look_alikes_are_left_alone(form: Form) -> None:
    assert signs(form.code) == []


@pytest.mark.parametrize("form", forms("verdicts"), ids=lambda form: form.title)
def test_other_names_change_nothing(form: Form) -> None:
    assert told(renamed(form.code)) == set(form.expected)


PLAIN = [
    form for form in forms("verdicts") if not re.search(r"^(def|class|from|import|async|if __) ?", form.code, re.M)
]


@pytest.mark.parametrize("form", PLAIN, ids=lambda form: form.title)
def test_a_function_around_it_all_changes_nothing(form: Form) -> None:
    inner = "".join(f"    {line}\n" for line in form.code.split("\n"))
    assert told(f"def run():\n{inner}\n\nif __name__ == '__main__':\n    run()\n") == set(form.expected)


def test_a_comment_is_no_sign() -> None:
    code = "# except Exception: score = 1.0\n# if not OUT.exists(): return 1.0\nscore = float('x' in OUT.read_text())\n"
    assert signs(code + WRITE) == []


def test_a_counter_in_a_loop_loses_no_facts() -> None:
    code = "score = 0.0\nfor word in 'ab':\n    score += 0.5 * (word in OUT.read_text())\n"
    grader = facts(code + WRITE)
    assert not grader.opaque
    assert [write.path for write in grader.writes] == ["/logs/verifier/reward.json"]


def test_a_sign_stands_where_the_score_is_spelt() -> None:
    found = signs(
        f"try:\n    score = float(json.loads(OUT.read_text())['n'] == 4)\nexcept Exception:\n    score = 1.0\n{WRITE}"
    )
    assert [(sign.at.line, sign.at.column, sign.detail) for sign in found] == [(8, 13, "except Exception:")]


def test_the_constant_is_told_as_a_number() -> None:
    assert [(sign.what, sign.detail) for sign in signs("score = 0.750\n" + WRITE)] == [(CONSTANT_SCORE, "0.75")]


SCAFFOLDED = """
def check_rows(run):
    {body}

def check_names(run):
    return Score(1.0, "fine")

CHECKS = {{"rows": (check_rows, 1.0), "names": (check_names, 1.0)}}
# --- gradewright contract 1 (sha256:0000000000000000) ---
from typing import NamedTuple

class Score(NamedTuple):
    value: float
    reason: str

def main(run):
    found = {{}}
    for name, (check, _weight) in CHECKS.items():
        found[name] = call(check, run)
    overall = sum(CHECKS[name][1] * score.value for name, score in found.items()) / len(found)
    REWARD.write_text(json.dumps({{"overall": overall}}))

def call(check, run):
    result = check(run)
    return result if isinstance(result, Score) else Score(0.0, "no score")

main(sys.argv)
# --- end of gradewright contract ---
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('return Score(1.0, "fine")', {"constant-score!"}),
        ('return Score(1.0 if "x" in OUT.read_text() else 0.0, "looked")', set()),
        ('raise NotWritten("not yet")', set()),
        ('try:\n        n = load()\n    except Exception:\n        return Score(1.0, "")\n    return Score(n / 3, "")',
         {"fails-open"}),
        ('try:\n        n = load()\n    except Exception:\n        return Score(0.0, "")\n    return Score(n / 3, "")',
         set()),
    ],
)  # fmt: skip
def test_the_checks_of_a_scaffolded_grader_are_looked_into(body: str, expected: set[str]) -> None:
    assert told(SCAFFOLDED.format(body=body)) == expected


def _long(head: str, *lines: str, end: str = "") -> str:
    return head + "\n" + "".join(f"{line}\n" for line in lines) + end


LONG = {
    "tests one after the other": _long(
        "score = 0.0", *(f"if '{i}' in OUT.read_text(): score = 0.{i}" for i in range(600))
    ),
    "handlers one after the other": _long(
        "score = 1.0", *["try:\n    score = OUT.stat().st_size\nexcept OSError:\n    pass"] * 400
    ),
    "functions that call each other": _long(
        "def f60(x): return x",
        *(f"def f{i}(x):\n    if x: return f{i + 1}(x)\n    return f{i + 1}(x + 1)" for i in range(60)),
        end="score = f0(1)\n",
    ),
    "a long condition": _long(
        "score = float(" + " and ".join(f"('{i}' in OUT.read_text() or OUT.exists())" for i in range(300)) + ")"
    ),
    "a long sum": _long("score = " + " + ".join(["0.1"] * 900)),
    "loops in loops": _long(
        "score = 1.0", *("  " * i + f"for x{i} in OUT.read_text():" for i in range(18)), "  " * 18 + "score -= 1"
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_long_scripts_take_bounded_time(name: str) -> None:
    start = time.perf_counter()
    facts(LONG[name] + WRITE)
    assert time.perf_counter() - start < 2
