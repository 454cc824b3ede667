"""What other programs say about scripts: ruff about Python, bash about shell. Each is started once for many files."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from gradewright.finding import Location
from gradewright.model import NEWER_SYNTAX, NOT_CHECKED, PYTHON, SYNTAX, UNDEFINED_NAME, Grader, Problem
from gradewright.read.files import Text, read_text

RULES = "F821,F823,F701,F702,F704,F706,F707"
"""Undefined names, and statements outside of what they belong to. Syntax errors are always told."""

OPTIONS = (
    *("--isolated", "--no-cache", "--ignore-noqa", "--exit-zero", "--quiet", "--no-respect-gitignore"),
    *("--output-format=json-lines", f"--select={RULES}"),
)
NEWEST = (3, 14)
OLDEST = (3, 7)
SECONDS = 60.0
PER_BATCH = 2000
ROWS = 200
"""Findings that are taken in of one script. ruff tells the rest of a hostile one in hundreds of megabytes."""

LONG = 1 << 16
"""Bytes. A longer script is looked at by itself, so that ruff can be stopped when it has told enough."""

FILE_NAME = re.compile(rb'"filename": ?"[^"]*?([0-9]+)\.py"')
ADDED_IN = re.compile(r"(.*) on Python \d\.\d{1,3} \(syntax was added in Python (\d\.\d{1,3})\)")
CAUSES = (
    (re.compile(r"Expected `?([:)\]}])`?, found|^Expected `([:)\]}])`"), "`{}` is missing"),
    (re.compile(r"missing closing quote|unterminated", re.I), "a string is not closed"),
    (re.compile(r"indent", re.I), "the indentation does not fit"),
    (re.compile(r"unexpected EOF", re.I), "a bracket or a block is not closed"),
)
"""What ruff says, by a pattern, and what we say."""

LEFT_OVER = {
    "```": "a Markdown fence stands here",
    "<<<<<<<": "a merge conflict is left here",
    "=======": "a merge conflict is left here",
    ">>>>>>>": "a merge conflict is left here",
}

NAME = re.compile(r"`([^`]*)`")
OUTSIDE = {"F701": "break", "F702": "continue", "F704": "yield", "F706": "return"}


def engine_problems(graders: Iterable[Grader], shell_scripts: Iterable[str] = ()) -> list[Problem]:
    """What ruff and bash find wrong in these graders, and bash in further shell scripts, given by their paths."""
    from gradewright.read.shell.bash import bash_problems

    scripts = list(graders)
    shell = [one.at.path for one in scripts if one.language != PYTHON]
    return ruff_problems(scripts) + bash_problems([*shell, *shell_scripts])


def ruff_problems(graders: Iterable[Grader]) -> list[Problem]:
    """Syntax errors and undefined names of the Python scripts among `graders`.

    Scripts of the same content are looked at once. A script that ruff cannot cope with (it dies) becomes a problem of
    kind NOT_CHECKED and leaves the others alone.
    """
    twins: dict[tuple[str, str], list[Grader]] = {}
    for grader in graders:
        if grader.language == PYTHON and grader.size and not _is_data(grader):
            twins.setdefault((grader.digest or grader.at.path, _version(grader)), []).append(grader)
    problems: list[Problem] = []
    for batch in _batches(list(twins.values())):
        for group, own in zip(batch, _look_at([group[0] for group in batch]), strict=True):
            for grader in group:
                problems += [one._replace(at=one.at._replace(path=grader.at.path), role=_role(grader)) for one in own]
    return problems


def _batches(groups: list[list[Grader]]) -> Iterator[list[list[Grader]]]:
    short = [group for group in groups if group[0].size <= LONG]
    for start in range(0, len(short), PER_BATCH):
        yield short[start : start + PER_BATCH]
    yield from ([group] for group in groups if group[0].size > LONG)


def _role(grader: Grader) -> str:
    if grader.role == "grader":
        return "grader"
    return "script" if grader.started else "helper"


def _is_data(grader: Grader) -> bool:
    """Whether a script is no Python 3, or lies deeper than the tests and nothing is known to start it.

    Such a one may be broken on purpose.
    """
    if grader.foreign or grader.python.startswith("2."):
        return True
    return not grader.started and os.path.basename(os.path.dirname(grader.at.path)) != "tests"


def _version(grader: Grader) -> str:
    """The Python whose syntax holds for a script: the image's for the grader, for others one may be brought along."""
    return grader.python if grader.role == "grader" else ""


def _look_at(graders: Sequence[Grader]) -> list[list[Problem]]:
    """What ruff finds in each of these scripts; where it dies, each half of them is looked at by itself."""
    found = _ruff(graders)
    if found is not None:
        return found
    if len(graders) == 1 or not _program():
        return [[Problem(NOT_CHECKED, _role(grader), grader.at, subject="ruff")] for grader in graders]
    middle = len(graders) // 2
    return _look_at(graders[:middle]) + _look_at(graders[middle:])


def _ruff(graders: Sequence[Grader]) -> list[list[Problem]] | None:
    """The findings of one run of ruff on each script; None if it gave none.

    ruff sees copies under names of our own: names of the user's may hold anything, options and patterns among it, and
    what is explained has to be what was judged.
    """
    import tempfile

    with tempfile.TemporaryDirectory(prefix="gradewright-") as folder:
        names = [_copied(grader, folder, number) for number, grader in enumerate(graders)]
        command = [_program(), "check", *OPTIONS, *_versions(names), "."]
        try:
            rows = _rows(command, folder, alone=len(graders) == 1)
        except (OSError, ValueError):
            return None
        return None if rows is None else _explained(graders, rows, [os.path.join(folder, name) for name in names])


def _rows(command: list[str], folder: str, *, alone: bool) -> dict[int, list[dict[str, Any]]] | None:
    """What ruff says, by the number of the script, the first `ROWS` of each; None if it dies or takes too long.

    Nothing more is waited for when that was said of a script that is `alone`.
    """
    import subprocess
    from threading import Timer

    environment = {name: value for name, value in os.environ.items() if not name.startswith("RUFF_")}
    rows: dict[int, list[dict[str, Any]]] = {}
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        watch = Timer(SECONDS, process.kill)
        watch.start()
        try:
            for line in process.stdout or ():
                name = FILE_NAME.search(line)
                own = rows.setdefault(int(name[1]), []) if name else []
                if name and len(own) < ROWS:
                    own.append(json.loads(line))
                elif alone:
                    process.kill()
                    return rows
        finally:
            watch.cancel()
    return rows if process.returncode == 0 else None


def _copied(grader: Grader, folder: str, number: int) -> str:
    """Write a copy of the script, and say where below `folder`: in a folder for each version of Python."""
    version = _target(_version(grader)) or "newest"
    name = os.path.join(version, f"{number}.py")
    text = read_text(grader.at.path, "grader")
    if isinstance(text, Text):
        os.makedirs(os.path.join(folder, version), exist_ok=True)
        with open(os.path.join(folder, name), "wb") as stream:
            stream.write(text.data)
    return name


def _versions(names: Iterable[str]) -> list[str]:
    """The options which tell ruff the Python that each folder of scripts is for."""
    versions = sorted({os.path.dirname(name) for name in names} - {"newest"})
    tables = ", ".join(f'"{version}/*" = "{version}"' for version in versions)
    newest = f'target-version = "py{NEWEST[0]}{NEWEST[1]}"'
    return ["--config", newest, "--config", f"per-file-target-version = {{ {tables} }}"]


def _explained(
    graders: Sequence[Grader], rows: dict[int, list[dict[str, Any]]], copies: list[str]
) -> list[list[Problem]]:
    found: list[list[Problem]] = []
    for number, grader in enumerate(graders):
        own = rows.get(number, [])
        text = read_text(copies[number], "grader") if own else None
        found.append(_problems(grader, own, text.text) if isinstance(text, Text) else [])
    return found


def _target(version: str) -> str:
    """ruff's name of a Python version; nothing where the newest will do."""
    match = re.match(r"(\d+)\.(\d+)", version)
    if not match:
        return ""
    number = max((int(match[1]), int(match[2])), OLDEST)
    return f"py{number[0]}{number[1]}" if number < NEWEST else ""


@cache
def _program() -> str:
    """ruff beside the Python that runs us, else the one on the PATH; empty if there is none."""
    import sys
    from shutil import which

    beside = os.path.join(os.path.dirname(sys.executable), "ruff")
    if os.access(beside, os.X_OK):
        return beside
    found = which("ruff")
    return os.path.abspath(found) if found else ""


def _problems(grader: Grader, rows: list[dict[str, Any]], text: str) -> list[Problem]:
    """ruff's findings on one script of this `text` as problems: the first syntax error, or every undefined name."""
    rows.sort(key=lambda row: (row["location"]["row"], row["location"]["column"]))
    syntax = [row for row in rows if row["code"] not in ("F821", "F823")]
    if syntax:
        newer = [row for row in syntax if _added(row)]
        broken = [row for row in syntax if row not in newer]
        return [_syntax(grader, broken[0], text)] if broken else [_newer(grader, row) for row in newer[:1]]
    names = [row for row in rows if row["code"] in ("F821", "F823") and "`__path__`" not in row["message"]]
    return _undefined(grader, names, text) if names else []


def _at(grader: Grader, row: dict[str, Any]) -> Location:
    return Location(grader.at.path, row["location"]["row"], row["location"]["column"])


def _added(row: dict[str, Any]) -> bool:
    return row["code"] == "invalid-syntax" and ADDED_IN.match(row["message"]) is not None


def _syntax(grader: Grader, row: dict[str, Any], text: str) -> Problem:
    code = row["code"]
    if code in OUTSIDE:
        place = "loop" if code in ("F701", "F702") else "function"
        return Problem(SYNTAX, _role(grader), _at(grader, row), f"`{OUTSIDE[code]}` outside of a {place}")
    return Problem(SYNTAX, _role(grader), _at(grader, row), _left_over(text, row) or _cause(row))


def _left_over(text: str, row: dict[str, Any]) -> str:
    """What stands on the line if it is no Python at all."""
    lines = text.splitlines()
    line = lines[row["location"]["row"] - 1] if row["location"]["row"] <= len(lines) else ""
    return next((words for mark, words in LEFT_OVER.items() if line.startswith(mark)), "")


def _cause(row: dict[str, Any]) -> str:
    """What is wrong, in our own words; nothing where it is hard to say."""
    if row["code"] == "F707":
        return "a bare `except:` stands before other handlers"
    for pattern, words in CAUSES:
        match = pattern.search(row["message"])
        if match:
            return words.format(*[group for group in match.groups() if group])
    return ""


def _newer(grader: Grader, row: dict[str, Any]) -> Problem:
    match = ADDED_IN.match(row["message"])
    said, since = (match[1], match[2]) if match else ("", "")
    named = re.match(r"Cannot use (.*)", said)
    what = named[1] if named else "this f-string" if "f-string" in said else "this"
    return Problem(NEWER_SYNTAX, _role(grader), _at(grader, row), since, what, grader.python)


def _undefined(grader: Grader, rows: list[dict[str, Any]], text: str) -> list[Problem]:
    from gradewright.read.python.doubts import Doubts

    doubts = Doubts(text)
    problems: dict[str, Problem] = {}
    for row in rows:
        match = NAME.search(row["message"])
        name = match[1] if match else ""
        at = _at(grader, row)
        known = problems.get(name)
        if known and not known.detail:
            continue
        doubt = doubts.about(name, at.line, at.column, unbound=row["code"] == "F823")
        if doubt is None or (known and doubt):
            continue
        problems[name] = Problem(UNDEFINED_NAME, _role(grader), at, doubt, name)
    return list(problems.values())
