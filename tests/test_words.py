"""Texts of scaffolds that nobody has replaced, and the words of messages."""

import pytest

from gradewright.contract import is_placeholder
from gradewright.model import nearest, quoted


@pytest.mark.parametrize(
    "text",
    [
        "Replace this with the user-facing task instruction for the agent.", "TODO", "todo...", "**TBD**", "\u2026",
        "FIXME: describe the result", "[TODO] describe", "TODO(me): write the prompt", "# TODO: write the instruction",
        "<your prompt here>", "<expected_output>", "{{ prompt }}", "[Describe the task here]", "Prompt goes here",
        "Lorem ipsum dolor",
    ],
)  # fmt: skip
def test_placeholders(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "3", "[1, 2]", '["result"]', "<html>", "<result>", "{}", "TODO comments in app.py must become issues",
        "Todo app: a button is added", "Replace this with the new text in README.md and commit.", "FIXMEs are counted",
        "Describe the changes in this diff", "A lorem ipsum generator", "Lorem ipsum generators are compared",
        "TODO: " + "describe the result " * 20,
    ],
)  # fmt: skip
def test_texts_that_only_look_like_placeholders(text: str) -> None:
    assert not is_placeholder(text)


def test_words_for_messages() -> None:
    assert quoted("a`b\n\ud800\0") == "`a'b\\n\\ud800\\x00`"
    assert quoted("x" * 99) == "`" + "x" * 59 + "…`"
    assert [quoted(value) for value in (None, True, "", [1], 10**5000)][:4] == ["`null`", "`true`", '`""`', "a list"]
    assert len(quoted(10**5000)) < 64
    assert nearest("count-errors", ["totals", "count_errors"]) == "count_errors"
    assert nearest("zzz", ["totals"]) == ""
    assert nearest("case-7", [f"case-{number}" for number in range(5000)]) == "case-7"
