"""Take a Dockerfile apart as BuildKit does: its stages, the base of the image, and the local paths it copies.

BuildKit's grammar is one of lines, so it is read by lines. The tree-sitter grammar for Containerfiles reports errors in
valid files (a JSON array over two lines) and splits paths in quotes, which would accuse working images.
"""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

_HEREDOC = re.compile(r"""<<(-?)(["']?)([A-Za-z0-9_.]+)\2""")
_DIRECTIVE = re.compile(r"#\s*([A-Za-z]+)\s*=\s*(\S+)\s*\Z")
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
    number = 0
    while number < len(lines):
        start, joined, number = _logical_line(lines, number, escape)
        name, _, rest = joined.replace("\t", " ", 1).partition(" ")
        name = name.upper()
        if name in _HEREDOC_TAKERS and "<<" in rest:
            number = _after_heredocs(lines, number, rest)
        if name:
            indent = len(lines[start]) - len(lines[start].lstrip())
            yield Instruction(name, rest.strip(), start + 1, indent + 1)


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
        if not line.endswith(escape):
            joined.append(line)
            break
        joined.append(line[:-1])
    return start, "".join(joined).strip(), number


def _escape(lines: list[str]) -> str:
    for line in lines:
        directive = _DIRECTIVE.match(line.strip())
        if not directive:
            break
        if directive[1].lower() == "escape":
            return directive[2]
    return "\\"


def _after_heredocs(lines: list[str], number: int, rest: str) -> int:
    for strip, _, word in _HEREDOC.findall(rest):
        for end in range(number, len(lines)):
            if (lines[end].lstrip("\t") if strip else lines[end]).rstrip("\r") == word:
                number = end + 1
                break
        else:
            return len(lines)
    return number


def _stages(text: str) -> list[Stage]:
    """The build stages, with the variables of `ARG` before the first FROM put into their bases."""
    stages: list[Stage] = []
    defaults: dict[str, str] = {}
    for instruction in _instructions(text):
        if instruction.name == "FROM":
            words = _FLAG.sub("", instruction.rest).split()
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


def _local_words(rest: str) -> list[str]:
    """The sources of a COPY or ADD that are plain paths of the build context."""
    start = 0
    while (flag := _FLAG.match(rest, start)) is not None:
        if flag[1] in ("from", "exclude"):
            return []
        start = flag.end()
    words = _words(rest[start:])
    return [word for word in words[:-1] if word and not _NOT_LITERAL.search(word) and not _REMOTE.match(word)]


def _words(rest: str) -> list[str]:
    if rest.startswith("["):
        try:
            value = json.loads(rest)
        except (ValueError, RecursionError):
            return []
        return value if all(isinstance(word, str) for word in value) else []
    words = rest.split()
    return [] if any(word.startswith("<<") for word in words) else [word.strip("\"'") for word in words]
