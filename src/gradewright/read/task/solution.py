"""What the reference solution of a task leaves behind as it stands: its written answer."""

import os
import re
from collections.abc import Sequence

from gradewright.finding import Location
from gradewright.model import Answer
from gradewright.model.giveaway import MAX_ANSWER, folded, plain, says_something
from gradewright.read.files import Text, read_text
from gradewright.read.task.tree import Tree

_WRITTEN = re.compile(r"(?:answers?|expected|outputs?|results?|solution|report|summary)(?:[._-][^/]*)?\.(?:txt|md)\Z")
_CODE = (".py", ".sh", ".js", ".ts", ".c", ".h", ".cpp", ".rs", ".go", ".java", ".rb", ".pl", ".r", ".sql", ".patch")
_PIECES = re.compile(r"[\"'\n]|\\[nt]")
_IDLE = frozenset({
    ":", "echo", "exit", "false", "printf", "return", "set", "shopt", "sleep", "true", "export", "pwd", "date", "unset",
})  # fmt: skip
"""Commands that leave nothing behind, as long as what they print goes nowhere."""

_FIRST_WORD = re.compile(
    rf"(?:{'|'.join(map(re.escape, sorted(_IDLE)))}|if|then|else|elif|fi|case|esac|function|local|do|done|for"
    r"|while|main|[A-Za-z_]\w*+\Z|\[\[?|\]\]|[{}()\"'*;]|[A-Za-z_]\w*+(?:=|[ \t]*\(\)))"
)
"""How a line may begin in a script of which it is worth finding out whether it does anything."""

_REDIRECTION = re.compile(r">(?!&[12-]|[ \t]*/dev/(?:null|stderr|stdout|tty)\b)")
_MAX_IDLE = 60
_SHORTEST_PIECE = 3
_MAX_SCRIPT = 1 << 16
_MAX_FILES = 10


def does_nothing(script: str) -> bool:
    """Whether a solution certainly leaves nothing behind: no command in it does more than print or end."""
    code = script.removeprefix("\ufeff").replace("\r", "")
    lines = [line.strip() for line in code.split("\n")]
    working = [line for line in lines if line and not line.startswith("#")]
    if len(working) > _MAX_IDLE or not all(map(_FIRST_WORD.match, working)) or any(map(_REDIRECTION.search, working)):
        return False
    from gradewright.read.shell.facts import is_shell

    return not working or (is_shell(code) and _only_prints(code))


def _only_prints(script: str) -> bool:
    from gradewright.read.shell.inline import parse
    from gradewright.read.shell.state import Shell, Source
    from gradewright.read.shell.walk import run

    data = script.encode("utf-8", "surrogatepass")
    root = parse(data)
    shell = Shell(Source(data, "", is_ascii=script.isascii()), "/solution/solve.sh", run, is_test=False)
    try:
        run(shell, root)
    except RecursionError:
        return False
    idle = all(one.words[:1] and one.words[0] in _IDLE for one in shell.runs)
    return idle and not (root.has_error or shell.opaque or shell.writes or shell.trap)


def written_answers(
    folder: str, scripts: Sequence[tuple[str, str]], tree: Tree, instructions: Sequence[str]
) -> tuple[Answer, ...]:
    """The texts that the solutions (`scripts`, each with its path) write, and the answers in `solution/`.

    Scripts are not followed if what stands of them in an instruction is no answer: nothing they write can be one there.
    """
    shown = [text for text in map(plain, instructions) if text]
    if not shown:
        return ()
    found = []
    for path, script in scripts:
        if len(script) <= _MAX_SCRIPT and any(_may_write_shown(script, text) for text in shown):
            found += _written_by(path, script)
    names = sorted(name for name in tree.present if name.startswith("solution/") and _is_answer(name))
    for name in names[:_MAX_FILES]:
        text = read_text(f"{folder}/{name}", "resource", limit=_MAX_SCRIPT)
        if isinstance(text, Text):
            found.append(Answer(text.text, Location(text.path)))
    return tuple(found)


def _is_answer(name: str) -> bool:
    return _WRITTEN.match(os.path.basename(name)) is not None


def _may_write_shown(script: str, shown: str) -> bool:
    """Whether the pieces of a script that stand in the text `shown` say enough, together, to be an answer there."""
    pieces = (" ".join(piece.split()).strip(" .,;:!?`") for piece in _PIECES.split(folded(script)))
    shared = " ".join(piece for piece in pieces if len(piece) >= _SHORTEST_PIECE and piece in shown)
    return bool(shared) and (len(shared) > MAX_ANSWER or says_something(shared))


def _written_by(path: str, script: str) -> list[Answer]:
    """The texts of which the script certainly writes each to a file that holds no code."""
    from gradewright.read.shell.inline import parse
    from gradewright.read.shell.state import HOLE, Shell, Source
    from gradewright.read.shell.walk import run

    data = script.encode("utf-8", "surrogatepass")
    shell = Shell(Source(data, path, is_ascii=script.isascii()), "/solution/solve.sh", run, is_test=False)
    try:
        run(shell, parse(data))
    except RecursionError:
        return []
    pairs = zip(shell.writes, shell.texts, strict=True)
    return [
        Answer(text, write.at)
        for write, text in pairs
        if text and HOLE not in text and write.path and not write.path.endswith(_CODE)
    ]
