"""Ask bash itself whether shell scripts parse: many of them in one process, and nothing of them is ever run."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from gradewright.finding import Location
from gradewright.model import NOT_CHECKED, SHELL_SYNTAX, Problem
from gradewright.read.files import Text, read_text
from gradewright.read.shell.facts import BYTE_ORDER_MARK, is_shell
from gradewright.read.shell.inline import parse
from gradewright.read.shell.openers import unclosed

ROLE = "script"
BATCH_BYTES = 1 << 19
BATCH_SECONDS = 20.0
SCRIPT_SECONDS = 1.0
LONG = 1 << 16
"""Bytes. A longer script is parsed on its own, as hostile ones take bash the square of their length."""

OLDEST_BASH = 4
"""Older ones (macOS has 3.2) refuse what the images' bash accepts."""

COMMAND = ("--norc", "--noprofile", "-O", "extglob", "-n", "/dev/stdin")
"""`extglob` is for scripts that turn it on themselves: they would, if they ran."""

COMPLAINT = re.compile(rb"line (\d+): (.*)")
NEAR = re.compile(r"near unexpected token `(.*)'")
MATCHING = re.compile(r"while looking for matching `(.)'")
LEAVES = re.compile(rb"^['\":; ]*(exit|exec)\b[^\n]*\n", re.M)
CLOSES = {")": "(", "}": "{", "]": "["}
FINAL = ("syntax error", "unexpected EOF")


_accepted: set[int] = set()
"""Hashes of what has parsed: thousands of tasks, checked in several rounds, often share a handful of scripts."""


class Script(NamedTuple):
    """The bytes to be parsed, and all the files that hold them."""

    data: bytes
    paths: list[str]


class Complaint(NamedTuple):
    """What bash says about one script; `line` counts from 1."""

    line: int
    message: str


def bash_problems(paths: Iterable[str]) -> list[Problem]:
    """One problem for each script that bash cannot parse; a single one of kind NOT_CHECKED where there is no bash.

    Scripts for other interpreters, by their first line, and files that cannot be read are passed over. Equal scripts
    are parsed once.
    """
    scripts = _scripts(paths)
    if not scripts:
        return []
    if not _bash():
        return [Problem(NOT_CHECKED, ROLE, Location(scripts[0].paths[0]), subject="bash")]
    plausible: list[Script] = []
    suspects: list[Script] = []
    for script in scripts:
        if hash(script.data) not in _accepted:
            (suspects if len(script.data) > LONG or parse(script.data).has_error else plausible).append(script)
    for batch in _batches(plausible):
        suspects += _failing(batch)
    complaints = {script.data: _complaint(script.data) for script in suspects}
    _accepted.update(hash(script.data) for script in plausible if script.data not in complaints)
    found = ((script, complaints[script.data]) for script in suspects)
    return [problem for script, complaint in found if complaint for problem in _explained(script, complaint)]


def _scripts(paths: Iterable[str]) -> list[Script]:
    scripts: dict[bytes, Script] = {}
    for path in paths:
        text = read_text(path, ROLE)
        if isinstance(text, Text) and not path.endswith(".bat") and is_shell(text.text):
            plain = text.text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n")
            if "\r" not in plain and "\0" not in plain:
                data = plain.encode("utf-8")
                scripts.setdefault(data, Script(data, [])).paths.append(path)
    return list(scripts.values())


def _batches(scripts: Sequence[Script]) -> Iterator[list[Script]]:
    batch: list[Script] = []
    size = 0
    for script in scripts:
        if batch and size + len(script.data) > BATCH_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(script)
        size += len(script.data)
    if batch:
        yield batch


def _failing(batch: list[Script]) -> list[Script]:
    """The scripts of `batch` that make bash stumble when all are parsed together; halves tell which."""
    if len(batch) == 1:
        return batch
    status, _ = _parsed(b"".join(b"case x in x)\n%b\n;; esac\n" % script.data for script in batch), BATCH_SECONDS)
    if status == 0:
        return []
    middle = len(batch) // 2
    return _failing(batch[:middle]) + _failing(batch[middle:])


def _complaint(data: bytes) -> Complaint | None:
    """What bash says about a script on its own; None if it parses, or if it was not decided."""
    status, output = _parsed(data, SCRIPT_SECONDS)
    if status not in (1, 2):
        return None
    for line, message in COMPLAINT.findall(output):
        text = message.decode("utf-8", "replace")
        if any(phrase in text for phrase in FINAL):
            complaint = Complaint(int(line), text)
            return None if _left_before(data, complaint) or not _is_recent() else complaint
    return None


def _left_before(data: bytes, complaint: Complaint) -> bool:
    """Whether the script ends before bash comes to the fault: it parses and runs one command after another."""
    end = 0
    for _ in range(complaint.line - 1):
        end = data.find(b"\n", end) + 1 or len(data)
    exits = list(LEAVES.finditer(data, 0, end))[:8]
    return any(_parsed(data[: leave.end()], SCRIPT_SECONDS)[0] == 0 for leave in exits)


def _explained(script: Script, complaint: Complaint) -> Iterator[Problem]:
    line, column, detail = _reason(script.data, complaint)
    for path in script.paths:
        yield Problem(SHELL_SYNTAX, ROLE, Location(path, line, column), detail)


def _reason(data: bytes, complaint: Complaint) -> tuple[int, int, str]:
    """The place of the fault, and what it is in words of our own."""
    opener = unclosed(data)
    near = NEAR.search(complaint.message)
    matching = MATCHING.search(complaint.message)
    lines = data.decode("utf-8", "replace").split("\n")
    line = min(complaint.line, len(lines))
    if matching and opener and opener.closer == matching[1]:
        return opener.line, opener.column, f"`{opener.word}` is not closed by `{opener.closer}`"
    if matching:
        mark = CLOSES.get(matching[1], matching[1])
        return line, lines[line - 1].rfind(mark) + 1, f"`{mark}` is not closed"
    if near and near[1] != "newline":
        return line, lines[line - 1].find(near[1]) + 1, f"`{near[1]}` does not fit here"
    if near:
        return line, len(lines[line - 1]) + 1, "the line ends in the middle of a command"
    if "end of file" in complaint.message and opener:
        return opener.line, opener.column, f"`{opener.word}` is not closed by `{opener.closer}`"
    if "end of file" in complaint.message:
        return len(data.rstrip().split(b"\n")), 1, "the script ends in the middle of a command"
    return line, 1, "bash cannot parse this line"


@cache
def _bash() -> str:
    """The bash on the PATH, or nothing; none that merely lies in the folder we are called in."""
    for folder in os.get_exec_path():
        program = os.path.join(folder, "bash")
        if os.path.isabs(folder) and os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    return ""


@cache
def _is_recent() -> bool:
    """Whether this bash is new enough to be believed."""
    import subprocess

    command = (_bash(), "--norc", "--noprofile", "-c", 'echo "${BASH_VERSINFO[0]}"')
    done = subprocess.run(command, env=_environment(), capture_output=True, timeout=BATCH_SECONDS, check=False)
    return done.stdout.strip().isdigit() and int(done.stdout) >= OLDEST_BASH


def _environment() -> dict[str, str]:
    """Neither BASH_ENV nor ENV nor exported functions: bash runs such code even when it only parses."""
    return {"PATH": os.defpath, "LC_ALL": "C"}


def _parsed(data: bytes, seconds: float) -> tuple[int | None, bytes]:
    """The exit status of bash when it parses `data`, None if it took too long, and what it said."""
    import subprocess
    import tempfile

    with tempfile.TemporaryFile() as stream:  # bash reads a pipe byte by byte, a file in blocks
        stream.write(data)
        stream.seek(0)
        try:
            done = subprocess.run(
                (_bash(), *COMMAND),
                stdin=stream,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=_environment(),
                timeout=seconds,
                check=False,
            )
        except (subprocess.TimeoutExpired, OSError):
            return None, b""
    return done.returncode, done.stderr
