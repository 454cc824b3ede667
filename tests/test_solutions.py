"""Which reference solutions do nothing, and what they write as it stands."""

from pathlib import Path

import pytest

from gradewright.read.task.solution import does_nothing, written_answers
from gradewright.read.task.tree import list_task


@pytest.mark.parametrize(
    "script",
    [
        "",
        "\n\n",
        "#!/bin/bash\n",
        "# TODO\nexit 1",
        "set -eu\necho TODO >&2\nexit 1\n",
        "echo a; echo b\nsleep 1",
        ": # nothing yet",
        "f() {\n  echo TODO\n}\nf",
        "if true; then\n  echo TODO\nfi",
        'printf "%s\\n" "$HOME"',
        "exit 0\r\n",
        "\ufeff#!/bin/sh\ntrue\n",
        "exit 1\necho never",
        "export A=1\necho $A > /dev/null",
    ],
)
def test_nothing_is_done(script: str) -> None:
    assert does_nothing(script)


@pytest.mark.parametrize(
    "script",
    [
        "make",
        "python3 /solution/solve.py",
        "echo 42 > /app/a",
        "echo 42 >> a",
        ": > /app/a",
        "exec > /app/log\necho a",
        'echo "$(make)"',
        "echo a | tee b",
        "echo a; make",
        "f() {\n  make\n}\nf",
        "echo a \\\n  > b",
        "{\n echo a\n} > b",
        ". /solution/lib.sh",
        "main",
        '#!/usr/bin/env python3\nprint("a")',
        "echo a && git apply x",
        "if true; then\n make\nfi",
        "trap 'make' EXIT\nexit 0",
        "echo (",
        "cat <<E > /app/a\nx\nE",
        "/exit 1",
        "[[[ ]]}>/",
    ],
)
def test_something_may_be_done(script: str) -> None:
    assert not does_nothing(script)


def test_only_solutions_that_share_an_answer_with_the_instruction_are_followed(tmp_path: Path) -> None:
    (tmp_path / "solution").mkdir()
    (tmp_path / "solution" / "answer.txt").write_text("The clerk.\n", encoding="utf-8")
    (tmp_path / "solution" / "notes.txt").write_text("Notes.\n", encoding="utf-8")
    tree = list_task(str(tmp_path), [])
    script = "echo 'the seventh clerk of Leeds' > /app/a\necho 'print(1)' > /app/a.py\necho x$HOME > /app/b\n"
    scripts = [("solve.sh", script)]
    found = written_answers(str(tmp_path), scripts, tree, ["It was the seventh clerk of Leeds."])
    assert [answer.text for answer in found] == ["the seventh clerk of Leeds\n", "The clerk.\n"]
    assert [answer.text for answer in written_answers(str(tmp_path), scripts, tree, ["Other."])] == ["The clerk.\n"]
    assert len(written_answers(str(tmp_path), scripts, tree, ["Name the clerk, in `/app/a`."])) == 1
    assert written_answers(str(tmp_path), scripts, tree, [""]) == ()
