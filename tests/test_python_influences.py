"""What the score of a Python grader depends on, in every form in which it may be written down."""

import time

import pytest
from pyforms import Form, forms

from gradewright.model import Sign
from gradewright.read.files import Text
from gradewright.read.python.facts import python_facts

HEAD = """import json, os, sys, time, random, math
from pathlib import Path
"""
KINDS = frozenset({
    "agent-import", "agent-score", "clock", "erasing-exit", "network", "random", "reads-arm", "reads-solution",
    "unordered",
})  # fmt: skip
END = '\nPath("/logs/verifier/reward.txt").write_text(str(score))\n'


def signs(code: str, path: str = "tests/grader.py", role: str = "grader") -> list[Sign]:
    text = HEAD + code
    found = python_facts(Text(path, text, text.encode()), role=role, native=False).signs
    return [sign for sign in found if sign.what in KINDS]


@pytest.mark.parametrize("form", forms("influences"), ids=lambda form: form.title)
def test_what_a_score_depends_on_is_found(form: Form) -> None:
    assert {sign.what for sign in signs(form.code)} == set(form.expected)


@pytest.mark.parametrize("form", forms("influences-none"), ids=lambda form: form.title)
def test_look_alikes_are_left_alone(form: Form) -> None:
    assert signs(form.code) == []


@pytest.mark.parametrize("form", forms("influences"), ids=lambda form: form.title)
def test_a_comment_is_no_influence(form: Form) -> None:
    commented = "".join(f"# {line}\n" for line in form.code.split("\n"))
    assert signs(f"{commented}score = len(sys.argv) / 9{END}") == []


def test_modules_that_pytest_runs_may_import_what_they_test() -> None:
    code = 'sys.path.insert(0, "/app")\nimport tool\n\ndef test_add():\n    assert tool.add(1, 2) == 3\n'
    assert signs(code, path="tests/test_outputs.py", role="helper") == []


def test_a_child_process_of_the_grader_may_import_what_it_runs() -> None:
    code = 'sys.path.insert(0, "/app")\nimport tool\n\nprint(tool.add(1, 2))\n'
    assert signs(code, path="tests/child.py", role="helper") == []


@pytest.mark.parametrize(
    ("status", "certain"),
    [
        ("0 if n == 3 else 1", True),
        ("1 if n < 3 else 0", True),
        ("1 if problems() else 0", None),
        ("1 if n < 3 and problems() else 0", True),
        ("0 if score > 0 else 1", None),
        ("0", None),
    ],
)
def test_how_sure_it_is_that_a_status_erases_the_reward(status: str, certain: bool | None) -> None:
    code = f'n = sum(os.path.exists(x) for x in "abc")\nscore = n / 3{END}sys.exit({status})\n'
    assert [sign.certain for sign in signs(code)] == ([] if certain is None else [certain])


@pytest.mark.parametrize(
    "code",
    [
        "x0 = random.random()\n"
        + "".join(f"x{i} = x{i - 1} + x{max(0, i - 2)}\n" for i in range(1, 1500))
        + "score = x1499",
        "score = 0\n" + "".join(f"if os.path.exists('{i}'):\n    score += {i} / 9\n" for i in range(700)),
        "xs = []\n" + "".join(f"xs.append(os.path.exists('{i}'))\n" for i in range(1500)) + "score = sum(xs) / 9",
        "def f0(a):\n    return a\n"
        + "".join(f"def f{i}(a):\n    return f{i - 1}(a) + f{i - 1}(a)\n" for i in range(1, 500))
        + "score = f499(1)",
    ],
    ids=["chain", "tests", "additions", "calls"],
)
def test_following_back_takes_bounded_time(code: str) -> None:
    start = time.perf_counter()
    signs(code + END)
    assert time.perf_counter() - start < 2
