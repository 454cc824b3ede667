"""The facts of a shell script that takes part in grading."""

import re
from collections.abc import Iterator

from gradewright.contract import REWARD_FILES
from gradewright.finding import Location
from gradewright.model import (
    BOM,
    CRLF,
    FAILS_OPEN,
    MARKED_SCORE,
    NO_SHEBANG,
    SHELL,
    Gap,
    Grader,
    Metric,
    Problem,
    Sign,
    Stub,
)
from gradewright.read.files import Text, staged_path
from gradewright.read.shell.honest import given_signs, honesty_signs
from gradewright.read.shell.inline import parse, shell_code
from gradewright.read.shell.state import ALIVE, HOLE, Shell, Source, may_be_reward
from gradewright.read.shell.unset import unset_signs
from gradewright.read.shell.walk import run
from gradewright.read.shell.ways import ways

SHEBANG = re.compile(r"#!\s*(\S+)([^\n]*)")
POSIX_SHELLS = frozenset({"sh", "bash", "dash", "ash", "ksh"})
REWARD_NAMES = re.compile(r"reward|/logs|verifier", re.I)
COMMENT = re.compile(r"(?:\A|\s)#")
MARK = re.compile(r"\b(?:TODO|FIXME|XXX|placeholder)\b")
CONTRACT_MARK = b"--- gradewright contract"
CHECKS_TABLE = re.compile(rb"^CHECKS=\([ \t]*+$", re.M)
TABLE_ROW = re.compile(rb"^[ \t]*+[\"']([^\"'\s]++) \d++[\"']", re.M)
MAX_SCRIPT = 1 << 18
"""Characters. A longer script is opaque: its syntax tree would take more memory than its facts are worth."""

MAX_SHOWN = 100
"""Characters of a line of code that a sign quotes."""

BYTE_ORDER_MARK = "\ufeff"


def interpreter(text: str) -> str:
    """The program that a script's first line asks for, such as `bash` or `python3`; empty if it asks for none."""
    match = SHEBANG.match(text.removeprefix(BYTE_ORDER_MARK))
    if not match:
        return ""
    program = match[1].rsplit("/", 1)[-1]
    if program != "env":
        return program
    words = [word for word in match[2].split() if not word.startswith("-") and "=" not in word]
    return words[0].rsplit("/", 1)[-1] if words else ""


def is_shell(text: str) -> bool:
    """Whether bash's grammar holds for the script: it asks for bash, for a shell alike, or for nothing."""
    return (interpreter(text) or "bash") in POSIX_SHELLS


def shell_facts(text: Text, *, role: str, native: bool) -> Grader:
    """The facts of the shell script `text`; `role` is `grader`, `test` or `helper`.

    A script in another language than bash's is opaque. Stubs and the contract block are left to the caller, who finds
    them in any language.
    """
    code = text.text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n")
    source = Source(code.encode("utf-8", "surrogatepass"), text.path, is_ascii=code.isascii())
    shell = Shell(source, staged_path(text.path), run, is_test=role == "test")
    honest: tuple[Sign, ...] = ()
    if is_shell(code) and len(code) <= MAX_SCRIPT and not text.path.endswith(".bat"):
        honest = _follow(shell, code, role)
    else:
        shell.opaque = True
    return Grader(
        language=SHELL,
        role=role,
        native=native,
        size=len(text.data),
        metrics=(*_table(source), *shell.metrics),
        writes=tuple(shell.writes),
        runs=tuple(shell.runs),
        reads=tuple(shell.reads),
        stubs=_marked_scores(shell, code),
        contract=None,
        opaque=shell.opaque,
        at=Location(text.path),
        names_reward=bool(REWARD_NAMES.search(code)),
        gaps=_gaps(shell),
        signs=tuple(dict.fromkeys((*shell.signs, *honest, *unset_signs(shell, code)))),
        imports=tuple(shell.imports),
    )


def script_problems(text: Text, role: str, *, executed: bool) -> list[Problem]:
    """What keeps a script from starting as it is meant to; `executed`: by its own first line, not as `bash SCRIPT`."""
    problems = []
    asked = interpreter(text.text)
    first = Location(text.path, 1, 1)
    if text.text.startswith(BYTE_ORDER_MARK):
        problems.append(Problem(BOM, role, first, subject=asked))
    if executed and not asked and text.text.strip() and not text.path.endswith(".bat"):
        problems.append(Problem(NO_SHEBANG, role, first))
    if "\r" in text.text and not text.path.endswith(".bat"):
        line = _carriage_return(text.text, executed=executed)
        if line:
            problems.append(Problem(CRLF, role, Location(text.path, line), subject=asked))
    return problems


def _follow(shell: Shell, code: str, role: str) -> tuple[Sign, ...]:
    """Gather the facts of a script; gives what the ways through it tell about its score."""
    match = SHEBANG.match(code)
    errexit = shell.errexit = bool(match and role == "test" and re.search(r"\s-[a-z]*e", match[2]))
    try:
        root = parse(shell.source.data)
        run(shell, root)
        opaque = shell.opaque = shell.opaque or root.has_error
        if shell.trap:
            written, shell.opaque = len(shell.writes), False
            shell.ended, shell.may_have_ended = ALIVE, True
            shell_code(shell, shell.trap[1].nodes[1], shell.trap[0])
            shell.trapped = shell.trapped or shell.opaque or any(map(may_be_reward, shell.writes[written:]))
            shell.opaque = shell.opaque or opaque
    except RecursionError:
        shell.opaque = True
        return ()
    rewards = [text for write, text in zip(shell.writes, shell.texts, strict=True) if may_be_reward(write)]
    if not rewards or root.has_error:
        return ()
    found = ways(shell.source, shell.staged, root, is_test=shell.is_test, errexit=errexit)
    known = [text for text in rewards if HOLE not in text]
    signs = [*honesty_signs(found, known, is_grader=role == "grader"), *given_signs(found, shell.constants)]
    return tuple(_with_code(sign, code) if sign.what == FAILS_OPEN else sign for sign in signs)


def _with_code(sign: Sign, code: str) -> Sign:
    """The sign with the line on which it stands."""
    lines = code.split("\n")
    line = lines[sign.at.line - 1].strip() if sign.at.line <= len(lines) else ""
    return sign._replace(detail=line[:MAX_SHOWN])


def _table(source: Source) -> Iterator[Metric]:
    """The metrics that our scaffold's table `CHECKS` names: its code writes them into the reward."""
    table = CHECKS_TABLE.search(source.data) if CONTRACT_MARK in source.data else None
    end = source.data.find(b"\n)", table.end()) if table else -1
    for row in TABLE_ROW.finditer(source.data, table.end(), end) if table and end >= 0 else ():
        start = row.start(1)
        line_start = source.data.rfind(b"\n", 0, start) + 1
        at = Location(source.path, source.data.count(b"\n", 0, start) + 1, start - line_start + 1)
        yield Metric(row[1].decode("utf-8", "replace"), True, at)


def _marked_scores(shell: Shell, code: str) -> tuple[Stub, ...]:
    """Rewards that are the same on every run, with a note beside them that a check is missing."""
    pairs = [(write, text.strip()) for write, text in zip(shell.writes, shell.texts, strict=True)]
    rewards = dict.fromkeys((write.path, text) for write, text in pairs if may_be_reward(write))
    known = all(path and HOLE not in text for path, text in rewards)
    if shell.opaque or not known or len({path for path, _ in rewards}) != len(rewards):
        return ()
    lines = code.split("\n")
    places = [write.at for write, _ in pairs if may_be_reward(write)]
    marked = [at for at in places if any(map(_is_marked, lines[max(at.line - 2, 0) : at.line]))]
    return tuple(Stub(MARKED_SCORE, at) for at in marked)


def _is_marked(line: str) -> bool:
    comment = COMMENT.search(line)
    return comment is not None and MARK.search(line, comment.end()) is not None


def _gaps(shell: Shell) -> tuple[Gap, ...]:
    """The places where errexit loses the reward: nothing was written before, something would be written after."""
    if shell.trapped:
        return ()
    found = []
    for gap, count in shell.gaps:
        pairs = zip(shell.writes[count:], shell.texts[count:], strict=True)
        later = [(write.path, text.strip()) for write, text in pairs if may_be_reward(write)]
        if any(path in REWARD_FILES for path, _ in later):
            texts = {text for _, text in later}
            constant = len(set(later)) == len({path for path, _ in later}) and not any(HOLE in text for text in texts)
            found.append(gap._replace(constant=constant and any(re.search("[1-9]", text) for text in texts)))
    return tuple(found)


def _carriage_return(text: str, *, executed: bool) -> int:
    """The first line on which a carriage return does harm: not in a comment, a text or a here-document; or 0."""
    first_line = text.split("\n", 1)[0]
    if executed and first_line.startswith(("#!", BYTE_ORDER_MARK + "#!")) and "\r" in first_line:
        return 1
    if not is_shell(text.replace("\r", "\n")):
        return 0
    if "\n" not in text and text.rstrip("\r").count("\r"):
        return 1
    return next(harmful_returns(text), 0)


def harmful_returns(text: str) -> Iterator[int]:
    """The lines (from 1) whose carriage return becomes a part of a word: not in a comment, a text, a here-document."""
    data = text.encode("utf-8", "surrogatepass")
    root = parse(data.replace(b"\r\n", b" \n"))
    start = 0
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.endswith(b"\r") and line.strip() and not _is_data(root, start + len(line) - 1):
            yield number
        start += len(line) + 1


def _is_data(root: object, offset: int) -> bool:
    node = root.descendant_for_byte_range(offset, offset)  # type: ignore[attr-defined]
    while node is not None:
        if node.type in ("comment", "heredoc_body", "raw_string", "string", "heredoc_content", "string_content"):
            return True
        node = node.parent
    return False
