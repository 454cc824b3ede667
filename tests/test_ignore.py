"""Ignores hide findings only with a reason, and hidden findings stay countable."""

from pathlib import Path

import pytest

from gradewright.finding import Finding, Location, Rule, Severity
from gradewright.ignore import comments_in, hide, reasonless
from gradewright.model import Grader
from gradewright.settings import Ignore, Settings

RULE = Rule("GR111", "reserved-metric-name", Severity.ERROR, Grader)


@pytest.fixture
def grader(tmp_path: Path) -> Path:
    path = tmp_path / "grader.py"
    path.write_text("one\ntwo\n")
    return path


def hidden_by(grader: Path, text: str, line: int, settings: Settings | None = None) -> list[str]:
    grader.write_text(text)
    finding: Finding = RULE.at(Location(str(grader), line, 1), "message")
    comments = comments_in([str(grader)])
    visible, hidden = hide([finding, finding], comments, settings or Settings())
    assert len(visible) + len(hidden) == 1
    return [item.reason for item in hidden]


@pytest.mark.parametrize("selector", ["GR111", "reserved-metric-name", "GR1", "GR"])
def test_a_comment_hides_its_own_line(grader: Path, selector: str) -> None:
    assert hidden_by(grader, f"x = 1  # gradewright: ignore[{selector}] mapped\n", 1) == ["mapped"]


def test_a_comment_on_its_own_line_hides_the_next(grader: Path) -> None:
    assert hidden_by(grader, "# gradewright: ignore[GR111] mapped\nx = 1\n", 2) == ["mapped"]
    assert hidden_by(grader, "# gradewright: ignore[GR111] mapped\n\nx = 1\n", 3) == []
    assert hidden_by(grader, "y = 2  # gradewright: ignore[GR111] mapped\nx = 1\n", 2) == []


def test_a_finding_about_the_file_is_hidden_in_its_head(grader: Path) -> None:
    assert hidden_by(grader, "#!/bin/sh\n# gradewright: ignore[GR111] mapped\n", 0) == ["mapped"]
    assert hidden_by(grader, "\n" * 20 + "# gradewright: ignore[GR111] mapped\n", 0) == []


def test_another_rule_is_not_hidden(grader: Path) -> None:
    assert hidden_by(grader, "x = 1  # gradewright: ignore[GR112, DS] mapped\n", 1) == []


def test_an_ignore_without_a_reason_hides_nothing_and_is_reported(grader: Path) -> None:
    assert hidden_by(grader, "x = 1  # gradewright: ignore[GR111]\n", 1) == []
    problems = list(reasonless(comments_in([str(grader)])))
    assert [(problem.subject, problem.at.line) for problem in problems] == [("GR111", 1)]


def test_a_mention_in_a_text_is_no_ignore(grader: Path) -> None:
    assert hidden_by(grader, 'x = "gradewright: ignore[GR111] mapped"\n', 1) == []


def test_lines_are_counted_as_locations_count_them(grader: Path) -> None:
    text = "x = 1\n\x0c\ny = 2  # gradewright: ignore[GR111] mapped\n"
    assert hidden_by(grader, text, 3) == ["mapped"]


def test_settings_hide_by_path(grader: Path) -> None:
    def settings(*paths: str) -> Settings:
        return Settings(ignore=(Ignore("GR111", "ours", paths),), base=str(grader.parent))

    assert hidden_by(grader, "x\n", 1, settings()) == ["ours"]
    assert hidden_by(grader, "x\n", 1, settings("*.py")) == ["ours"]
    assert hidden_by(grader, "x\n", 1, settings("evals/*")) == []
    assert hidden_by(grader, "x\n", 1, settings("./grader.py")) == ["ours"]
    folder = f"{grader.parent.name}/"
    above = settings(folder)._replace(base=str(grader.parent.parent))
    assert hidden_by(grader, "x\n", 1, above) == ["ours"]
    assert hidden_by(grader, "x\n", 1, settings(folder)) == []


def test_a_file_of_nothing_but_comments_is_looked_at_in_part(grader: Path) -> None:
    grader.write_text("# gradewright: ignore[GR111]\n" * 40_000)
    assert len(list(reasonless(comments_in([str(grader)])))) == 500
