"""Workflow commands: what the runner of GitHub Actions makes of them, and what no text of a file can make it do."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from hostile import RULES, TEXTS, reports
from hypothesis import given

from gradewright.finding import Location
from gradewright.model import Report
from gradewright.render import Style
from gradewright.render.github import render
from gradewright.visible import visible


class Command(NamedTuple):
    name: str
    properties: dict[str, str]
    data: str


def unescaped(text: str, *, is_property: bool) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), *((("%3A", ":"), ("%2C", ",")) if is_property else ())):
        text = text.replace(code, character)
    return text.replace("%25", "%")


def parsed(line: str) -> Command:
    """The line as `ActionCommand.TryParseV2` of the runner reads it."""
    line = line.lstrip()
    assert line.startswith("::")
    end = line.index("::", 2)
    name, _, given = line[2:end].partition(" ")
    pairs = [part.partition("=") for part in given.strip().split(",") if part]
    properties = {key.strip(): unescaped(value, is_property=True) for key, _, value in pairs}
    return Command(name, properties, unescaped(line[end + 2 :], is_property=False))


def lines(text: str) -> list[str]:
    """The lines of a log; a runner, or the shell between, may take any of these for a break."""
    return re.split(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", text.removesuffix("\n"))


def test_each_severity_has_its_command_with_file_line_and_title(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    found = [rule.at(Location("a:b,c/x%y", 3, 7), "what", hint="do that") for rule in RULES]
    *commands, summary = lines(render(Report(tuple(found), skills=1)))
    assert [parsed(line).name for line in commands] == ["error", "warning", "notice"]
    first = parsed(commands[0])
    title = "GR111 reserved-metric-name"
    assert first.properties == {"title": title, "file": "sub/a:b,c/x%y", "line": "3", "col": "7"}
    assert first.data == f"sub/a:b,c/x%y:3:7: GR111 what\ndo that\n{RULES[0].url}"
    assert summary == "1 error, 1 warning, 1 note in 1 skill"


def test_a_whole_file_has_no_line() -> None:
    command = parsed(render(Report((RULES[0].at(Location("a"), "what"),)), Style(quiet=True)))
    assert set(command.properties) == {"title", "file"}


def test_a_clean_report_is_its_summary() -> None:
    assert render(Report((), skills=2)) == "no findings in 2 skills\n"
    assert render(Report(()), Style(quiet=True)) == ""


@pytest.mark.parametrize("text", TEXTS)
def test_no_text_makes_a_command_of_its_own(text: str) -> None:
    finding = RULES[0].at(Location(f"d/{text}", 1, 1), text, hint=text)
    (line,) = lines(render(Report((finding,)), Style(quiet=True)))
    command = parsed(line)
    assert command.name == "error"
    assert set(command.properties) == {"title", "file", "line", "col"}
    assert command.data.split("\n")[1 if text else -1] == (visible(text) if text else RULES[0].url)


@given(reports())
def test_every_line_is_one_command_of_ours(report: Report) -> None:
    text = render(report, Style(quiet=True))
    commands = [parsed(line) for line in lines(text)] if text else []
    assert len(commands) == len(report.findings)
    for command, finding in zip(commands, report.findings, strict=True):
        assert command.properties["title"] == f"{finding.rule.code} {finding.rule.name}"
        assert visible(finding.message) in command.data
