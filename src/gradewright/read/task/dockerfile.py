"""Take a Dockerfile apart as BuildKit does: its stages and their instructions, here-documents included.

BuildKit's grammar is one of lines, so it is read by lines; docs/architecture.md tells how the parsers that there are
did on the valid forms of tests/test_dockerfile_forms.py.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

_SHELL_WORD = re.compile(r"""\s*+((?:[^\s"'\\]++|\\.|\\\Z|"(?:[^"\\]++|\\.)*+"|'[^']*+')++)\s*+""", re.DOTALL)
_HEREDOC = re.compile(r"\d*+<<(-?)([^<]+)")
_QUOTING = re.compile(r"""["']|\\(.)""", re.DOTALL)
_DIRECTIVE = re.compile(r"#[ \t]*([A-Za-z][A-Za-z0-9]*)[ \t]*=[ \t]*(\S.*)")
_FLAG = re.compile(r"--([a-z-]+)(?:=(\S*))?\s*")
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)(?::-([^}]*))?\}|([A-Za-z_]\w*))")
_MAX_WORD = 1000
_HEREDOC_TAKERS = ("RUN", "COPY", "ADD")

Ends = tuple[dict[str, list[int]], dict[str, list[int]]]
"""Line numbers by what the lines hold: as they stand, and without the tabs that some begin with."""


class Instruction(NamedTuple):
    """One instruction, its continued lines joined; line and column (from 1) are where it starts.

    `bodies` are the texts of its here-documents, in order.
    """

    name: str
    rest: str
    line: int
    column: int
    bodies: tuple[str, ...] = ()


class Stage(NamedTuple):
    """What follows one FROM: the name that it gives, in lower case, and the image or the stage that it builds on."""

    name: str
    base: str
    instructions: list[Instruction]


def instructions_of(text: str) -> Iterator[Instruction]:
    """The instructions, without comments."""
    lines = text.removeprefix("\ufeff").split("\n")
    escape = _escape(lines)
    ends: Ends | None = None
    number = 0
    while number < len(lines):
        start, joined, number = _logical_line(lines, number, escape)
        if not joined:
            continue
        name, rest = _parted(joined)
        taker, inner = _parted(rest) if name == "ONBUILD" else (name, rest)
        bodies: list[str] = []
        if taker in _HEREDOC_TAKERS and "<<" in inner:
            ends = ends or _ends(lines)
            number = _after_heredocs(lines, ends, number, inner, bodies)
        indent = len(lines[start]) - len(lines[start].lstrip())
        yield Instruction(name, rest, start + 1, indent + 1, tuple(bodies))


def _parted(line: str) -> tuple[str, str]:
    name, *rest = line.split(None, 1)
    return name.upper(), rest[0] if rest else ""


def _logical_line(lines: list[str], number: int, escape: str) -> tuple[int, str, int]:
    """The instruction that begins at or after line `number`: its first line, its text, and the line after it."""
    start = -1
    joined: list[str] = []
    while number < len(lines):
        line, number = lines[number].rstrip(), number + 1
        if not line or line.lstrip().startswith("#"):
            continue
        if start < 0:
            start = number - 1
        if not line.endswith(escape) or line.endswith(escape * 2):
            joined.append(line)
            break
        joined.append(line[:-1])
    return start, "".join(joined).strip(), number


def _escape(lines: list[str]) -> str:
    """The character that continues a line: a directive in the first comments may choose the backtick."""
    for line in lines:
        directive = _DIRECTIVE.match(line.strip())
        if not directive:
            break
        if directive[1].lower() == "escape":
            return "`" if directive[2] == "`" else "\\"
    return "\\"


def _ends(lines: list[str]) -> Ends:
    """The numbers of the lines that hold a text, as they stand and without leading tabs."""
    plain: dict[str, list[int]] = {}
    tabbed: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        plain.setdefault(line.rstrip("\r"), []).append(number)
        if line.startswith("\t"):
            tabbed.setdefault(line.strip("\t").rstrip("\r"), []).append(number)
    return plain, tabbed


def _after_heredocs(lines: list[str], ends: Ends, number: int, rest: str, bodies: list[str]) -> int:
    """The line after the here-documents that an instruction before line `number` opens; their texts go to `bodies`.

    One without end has no body.
    """
    for strip, name in _heredocs(rest):
        lists = [index.get(name, []) for index in ends[: 1 + strip]]
        after = min(
            (found[at] + 1 for found in lists if (at := bisect_left(found, number)) < len(found)), default=number
        )
        if after > number:
            body = lines[number : after - 1]
            bodies.append("".join(f"{line.lstrip('\t') if strip else line}\n" for line in body))
        number = after
    return number


def _heredocs(rest: str) -> Iterator[tuple[bool, str]]:
    """The here-documents among the words of a line, as BuildKit sees them: whether tabs are stripped, and the name.

    A shell may see others, within quotes or arithmetic. A line with a quote that is never closed has none.
    """
    for word in _shell_words(rest):
        heredoc = _HEREDOC.fullmatch(word)
        if heredoc:
            yield heredoc[1] == "-", unquoted(heredoc[2])


def unquoted(word: str) -> str:
    """A word of a shell as the shell passes it on: without quotes and the backslashes that quote."""
    return _QUOTING.sub(lambda match: match[1] or "", word)


def _shell_words(rest: str) -> list[str]:
    words = []
    at = 0
    while at < len(rest):
        match = _SHELL_WORD.match(rest, at)
        if not match:
            return []
        words.append(match[1])
        at = match.end()
    return words


def stages_of(text: str) -> list[Stage]:
    """The build stages, with the variables of `ARG` before the first FROM put into their bases."""
    stages: list[Stage] = []
    defaults: dict[str, str] = {}
    for instruction in instructions_of(text):
        if instruction.name == "FROM":
            words = instruction.rest[after_flags(instruction.rest) :].split()
            named = len(words) > 2 and words[1].upper() == "AS"
            stages.append(Stage(words[2].lower() if named else "", expanded(words[0], defaults) if words else "", []))
        elif stages:
            stages[-1].instructions.append(instruction)
        elif instruction.name == "ARG":
            for pair in instruction.rest.split():
                key, _, value = pair.partition("=")
                defaults[key] = expanded(value.strip("\"'"), defaults)
    return stages


def expanded(word: str, defaults: dict[str, str]) -> str:
    """`word` with known variables filled in; an unknown one stays as it is. At most `_MAX_WORD` characters are kept."""
    word = word[:_MAX_WORD]
    return _VARIABLE.sub(lambda match: defaults.get(match[1] or match[3]) or match[2] or match[0], word)[:_MAX_WORD]


def flags(rest: str) -> list[tuple[str, str]]:
    """The `--flags` that an instruction begins with, each with its value."""
    return [(name, value) for name, value in _FLAG.findall(rest[: after_flags(rest)])]


def after_flags(rest: str) -> int:
    """Where the words after the `--flags` of an instruction begin."""
    start = 0
    while (flag := _FLAG.match(rest, start)) is not None:
        start = flag.end()
    return start


def words_of(rest: str) -> list[str]:
    """The words of a COPY or ADD after its flags: a JSON array of texts, or else what spaces part.

    Where a here-document is among the words the sources cannot be told from it, and only the target is left.
    """
    rest = rest[after_flags(rest) :]
    if rest.startswith("["):
        try:
            value = json.JSONDecoder().raw_decode(rest)[0]
        except (ValueError, RecursionError):
            value = [None]
        if all(isinstance(word, str) for word in value):
            return list(value)
    words = rest.split()
    if any(word.startswith("<<") for word in words):
        return words[-1:]
    return [_without_quotes(word) for word in words[words[:1] == ["--"] :]]


def _without_quotes(word: str) -> str:
    """A word without the quotes around it; one with a lone quote stays as it is."""
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word
