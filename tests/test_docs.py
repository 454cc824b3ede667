"""The documentation is true: the tutorial runs word for word, commands have the options named, links lead somewhere.

In the tutorial, a block `console` holds commands after `$ ` and what they print (`...` stands for any lines); a block
with `file=PATH` is saved there; a block with `function=PATH` replaces the function of the same name in that file.
"""

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parent.parent
DOCS = REPOSITORY / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *REPOSITORY.glob("*.md"), *REPOSITORY.glob("skills/*/SKILL.md")])
FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<info>[^`\n]*)\n(?P<content>.*?)^(?P=ticks)`*$", re.M | re.S)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?P<target>[^)\s]+)\)")

pytestmark = pytest.mark.docs


def blocks(path: Path) -> Iterator[tuple[list[str], str]]:
    """The fenced blocks of a page: the info string in words, and the content."""
    for match in FENCE.finditer(path.read_text(encoding="utf-8")):
        yield match["info"].split(), match["content"]


def commands(content: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines it is said to print."""
    command, output = "", []
    for line in content.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output = line[2:], []
        else:
            output.append(line)
    if command:
        yield command, output


def replace_function(path: Path, code: str) -> None:
    """Put the function that `code` defines in place of the one with its name."""
    name = ast.parse(code).body[0].name  # type: ignore[attr-defined]
    text = path.read_text(encoding="utf-8")
    old = next(node for node in ast.parse(text).body if getattr(node, "name", "") == name)
    lines = text.splitlines(keepends=True)
    lines[old.lineno - 1 : old.end_lineno] = [code]
    path.write_text("".join(lines), encoding="utf-8")


def run(command: str, expected: list[str], folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    printed = (done.stdout + done.stderr).rstrip("\n")
    error_is_shown = any(re.search(r": [A-Z]{2}\d{3} error ", line) for line in expected)
    assert done.returncode == int(error_is_shown), f"$ {command}\n{printed}"
    if expected:
        pattern = r"\n".join(r"(?s:.*)" if line.strip() == "..." else re.escape(line.rstrip()) for line in expected)
        printed = "\n".join(line.rstrip() for line in printed.splitlines())
        assert re.fullmatch(pattern, printed), f"$ {command}\n{printed}"


def test_the_tutorial_word_for_word(tmp_path: Path) -> None:
    for info, content in blocks(DOCS / "tutorial.md"):
        for word in info[1:]:
            kind, _, name = word.partition("=")
            path = tmp_path / name
            if kind == "function":
                replace_function(path, content)
            else:
                assert kind == "file", f"unknown word `{word}`"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
        if info == ["console"]:
            for command, expected in commands(content):
                run(command, expected, tmp_path)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(REPOSITORY).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    for match in LINK.finditer(text):
        target, _, anchor = match["target"].partition("#")
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        page = (path.parent / target).resolve() if target else path
        assert page.exists(), f"{match['target']} leads nowhere"
        assert page == REPOSITORY or REPOSITORY in page.parents, f"{match['target']} leaves the project"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
            slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
            assert anchor in slugs, f"{match['target']} names no heading"


def test_every_page_is_linked_from_the_index() -> None:
    linked = {
        (page.parent / match["target"].partition("#")[0]).resolve()
        for page in [DOCS / "index.md", DOCS / "rules" / "index.md"]
        for match in LINK.finditer(page.read_text(encoding="utf-8"))
    }
    assert [page for page in DOCS.rglob("*.md") if page not in linked and page != DOCS / "index.md"] == []


def simple_commands(text: str) -> Iterator[list[str]]:
    """The commands of a shell line, each in words."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    for operator, words in groupby(lexer, lambda word: not word.strip("();<>|&")):
        if not operator:
            yield list(words)


def options(command: Any) -> set[str]:
    return {name for item in command.params for name in [*item.opts, *item.secondary_opts]} | {"--help", "-h"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(REPOSITORY).as_posix())
def test_commands_and_options_exist(path: Path) -> None:
    from typer.main import get_command

    from gradewright.cli.app import app

    lines = [
        line for info, content in blocks(path) if info[:1] in (["console"], ["sh"]) for line in content.splitlines()
    ]
    inline = re.findall(r"`(gradewright [^`]*)`", path.read_text(encoding="utf-8"))
    for text in [line.removeprefix("$ ") for line in lines] + inline:
        for words in simple_commands(text):
            if words[:1] != ["gradewright"]:
                continue
            command: Any = get_command(app)
            while words[1:] and words[1] in getattr(command, "commands", {}):
                command = command.commands[words.pop(1)]
            used = {word.partition("=")[0] for word in words[1:] if re.match(r"--?[a-z]", word)}
            assert used <= options(command), f"{text}: {used - options(command)}"
