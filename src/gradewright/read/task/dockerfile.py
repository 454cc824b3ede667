"""Take a Dockerfile apart as BuildKit does: its stages, the base of the image, and the local paths it copies.

BuildKit's grammar is one of lines, so it is read by lines. tree-sitter-containerfile 0.9 reports errors in valid files
(`COPY [ab].txt`, `COPY a#b`, `RUN cat <<< x`, `$((1<<2))`, `WORKDIR /x y`, a comment inside a JSON array), which would
accuse working images, and takes twice as long.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

_SHELL_WORD = re.compile(r"""\s*+((?:[^\s"'\\]++|\\.|\\\Z|"(?:[^"\\]++|\\.)*+"|'[^']*+')++)\s*+""", re.DOTALL)
_HEREDOC = re.compile(r"\d*+<<(-?)([^<]+)")
_QUOTING = re.compile(r"""["']|\\(.)""", re.DOTALL)
_DIRECTIVE = re.compile(r"#[ \t]*([A-Za-z][A-Za-z0-9]*)[ \t]*=[ \t]*(\S.*)")
_FLAG = re.compile(r"--([a-z-]+)(?:=(\S*))?\s*")
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)(?::-([^}]*))?\}|([A-Za-z_]\w*))")
_REMOTE = re.compile(r"[a-z][a-z0-9+.-]*://|git@|github\.com/|\S+\.git(?:#|\Z)", re.IGNORECASE)
_NOT_LITERAL = re.compile(r"""[*?\[\]$\\"'`]|<<""")
_PYTHON_TAG = re.compile(r"(?:\A|[^\d.])([23]\.\d+)(?!\d)")
_PYTHON_NAMED = re.compile(r"python-?(3\.\d+)(?!\d)")
_OTHER_PYTHON = re.compile(
    r"conda|mamba|pyenv|deadsnakes|virtualenv|-m venv|\buv\b|\bPATH\b|python3\.\d", re.IGNORECASE
)
_MAX_PATHS = 200
_MAX_WORD = 1000
_HEREDOC_TAKERS = ("RUN", "COPY", "ADD")

Ends = tuple[dict[str, list[int]], dict[str, list[int]]]
"""Line numbers by what the lines hold: as they stand, and without the tabs that some begin with."""


class Instruction(NamedTuple):
    """One instruction, its continued lines joined; line and column (from 1) are where it starts."""

    name: str
    rest: str
    line: int
    column: int


class Stage(NamedTuple):
    """What follows one FROM."""

    name: str
    base: str
    instructions: list[Instruction]


class Plan(NamedTuple):
    """What a Dockerfile says by itself, wherever it lies.

    `base` is the reference that the last stage goes back to, `python` the version of its `python3` if that is beyond
    doubt. `paths` are plain local paths that the stages which are really built copy, each with line and column, at
    most `_MAX_PATHS`. `based` is False if there are instructions and no FROM.
    """

    base: str | None
    python: str | None
    paths: tuple[tuple[str, int, int], ...]
    based: bool


@lru_cache(maxsize=64)
def read_plan(text: str) -> Plan:
    """The plan of a Dockerfile. Thousands of tasks often share a handful of them, so the last ones are kept."""
    stages = _stages(text)
    if not stages:
        return Plan(None, None, (), not any(_instructions(text)))
    base = _base(stages)
    return Plan(base, _python(base, text), tuple(islice(_paths(stages), _MAX_PATHS)), True)


def _instructions(text: str) -> Iterator[Instruction]:
    """The instructions, without comments and the bodies of here-documents."""
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
        if taker in _HEREDOC_TAKERS and "<<" in inner:
            ends = ends or _ends(lines)
            number = _after_heredocs(ends, number, inner)
        indent = len(lines[start]) - len(lines[start].lstrip())
        yield Instruction(name, rest, start + 1, indent + 1)


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


def _after_heredocs(ends: Ends, number: int, rest: str) -> int:
    """The line after the here-documents that an instruction before line `number` opens. One without end has no body."""
    for strip, name in _heredocs(rest):
        lists = [index.get(name, []) for index in ends[: 1 + strip]]
        number = min(
            (found[at] + 1 for found in lists if (at := bisect_left(found, number)) < len(found)), default=number
        )
    return number


def _heredocs(rest: str) -> Iterator[tuple[bool, str]]:
    """The here-documents among the words of a line, as BuildKit sees them: whether tabs are stripped, and the name.

    A shell may see others, within quotes or arithmetic. A line with a quote that is never closed has none.
    """
    for word in _shell_words(rest):
        heredoc = _HEREDOC.fullmatch(word)
        if heredoc:
            yield heredoc[1] == "-", _QUOTING.sub(lambda match: match[1] or "", heredoc[2])


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


def _stages(text: str) -> list[Stage]:
    """The build stages, with the variables of `ARG` before the first FROM put into their bases."""
    stages: list[Stage] = []
    defaults: dict[str, str] = {}
    for instruction in _instructions(text):
        if instruction.name == "FROM":
            words = instruction.rest[_after_flags(instruction.rest) :].split()
            named = len(words) > 2 and words[1].upper() == "AS"
            stages.append(Stage(words[2].lower() if named else "", _expanded(words[0], defaults) if words else "", []))
        elif stages:
            stages[-1].instructions.append(instruction)
        elif instruction.name == "ARG":
            for pair in instruction.rest.split():
                key, _, value = pair.partition("=")
                defaults[key] = _expanded(value.strip("\"'"), defaults)
    return stages


def _expanded(word: str, defaults: dict[str, str]) -> str:
    """`word` with known variables filled in; an unknown one stays as it is. At most `_MAX_WORD` characters are kept."""
    word = word[:_MAX_WORD]
    return _VARIABLE.sub(lambda match: defaults.get(match[1] or match[3]) or match[2] or match[0], word)[:_MAX_WORD]


def _base(stages: list[Stage]) -> str:
    base = stages[-1].base
    for stage in reversed(stages[:-1]):
        if stage.name and stage.name == base.lower():
            base = stage.base
    return base


def _python(base: str, text: str) -> str | None:
    others = "\n".join(line for line in text.split("\n") if line.split(None, 1)[:1] not in (["FROM"], ["from"]))
    if "$" in base or _OTHER_PYTHON.search(others):
        return None
    name, _, tag = base.rpartition("/")[2].partition("@")[0].partition(":")
    if name == "python":
        match = _PYTHON_TAG.search(tag)
        return match[1] if match else None
    named = _PYTHON_NAMED.search(f"{name}:{tag}")
    return named[1] if named and "pypy" not in name else None


def _paths(stages: list[Stage]) -> Iterator[tuple[str, int, int]]:
    needed = _needed(stages)
    for index, stage in enumerate(stages):
        for instruction in stage.instructions if index in needed else ():
            if instruction.name in ("COPY", "ADD"):
                for word in _local_words(instruction.rest):
                    yield word, instruction.line, instruction.column


def _needed(stages: list[Stage]) -> set[int]:
    """The stages that are really built: BuildKit leaves out the ones that the last one does not need."""
    names = {stage.name: index for index, stage in enumerate(stages) if stage.name}
    names |= {str(index): index for index in range(len(stages))}
    needed: set[int] = set()
    pending = [len(stages) - 1]
    while pending:
        index = pending.pop()
        if index not in needed:
            needed.add(index)
            pending += [names[name] for name in _used(stages[index]) if names.get(name, index) < index]
    return needed


def _used(stage: Stage) -> set[str]:
    """What the stage may take from other stages, by name or number."""
    used = {stage.base.lower()}
    for _, rest, _, _ in stage.instructions:
        if "from=" in rest:
            used |= {value.lower() for flag, value in _FLAG.findall(rest) if flag == "from"}
            mounts = [word.split(",") for word in rest.split() if word.startswith("--mount=")]
            used |= {part.partition("from=")[2].lower() for parts in mounts for part in parts}
    return used


def _after_flags(rest: str) -> int:
    """Where the words after the `--flags` of an instruction begin."""
    start = 0
    while (flag := _FLAG.match(rest, start)) is not None:
        start = flag.end()
    return start


def _local_words(rest: str) -> list[str]:
    """The sources of a COPY or ADD that are plain paths of the build context."""
    start = _after_flags(rest)
    if any(flag in ("from", "exclude") for flag, _ in _FLAG.findall(rest[:start])):
        return []
    words = _words(rest[start:])
    return [word for word in words[:-1] if word and not _NOT_LITERAL.search(word) and not _REMOTE.match(word)]


def _words(rest: str) -> list[str]:
    """The words of a COPY or ADD: a JSON array of texts, or else what spaces part."""
    if rest.startswith("["):
        try:
            value = json.JSONDecoder().raw_decode(rest)[0]
        except (ValueError, RecursionError):
            value = [None]
        if all(isinstance(word, str) for word in value):
            return list(value)
    words = rest.split()
    if any(word.startswith("<<") for word in words):
        return []
    return [_unquoted(word) for word in words[words[:1] == ["--"] :]]


def _unquoted(word: str) -> str:
    """A word without the quotes around it; one with a lone quote stays as it is."""
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word
