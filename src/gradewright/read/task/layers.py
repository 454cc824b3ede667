"""Which files of the build context an image ends up with, and where: through stages, targets, and deletions."""

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import islice
from posixpath import join, normpath
from typing import NamedTuple

from gradewright.read.task.commands import UNREADABLE, commands_of
from gradewright.read.task.dockerfile import Instruction, Stage, expanded, flags, words_of

_REMOTE = re.compile(r"[a-z][a-z0-9+.-]*://|git@|github\.com/|\S+\.git(?:#|\Z)", re.IGNORECASE)
_HIDING_MODE = re.compile(r"[0-7]*[0-7]00\Z|[ugo]*[go][ugo]*[-=]")
_PAIR = re.compile(r"""(?<!\w)([A-Za-z_]\w*+)=("(?:[^"\\]++|\\.)*+"|'[^']*+'|\S*)""")
_COPIERS = frozenset(["cp", "mv", "tar", "rsync", "install", "cat", "tee", "dd", "ln"])
_DELETERS = frozenset(["rm", "rmdir", "unlink", "shred"])
_MAX_STAGES = 64
_MAX_STEPS = 500
_MAX_PLACES = 8
_MAX_WORDS = 100
_MAX_PATH = 4096

ANYWHERE = ("**",)
"""Stands for a deletion that may concern any file."""


class Copy(NamedTuple):
    """Files brought in from the build context (`origin` is empty), from another stage or from another context.

    `target` is an absolute path in the image; a folder if `folder`. `certain` is False for a mount whose command may
    or may not keep what it sees. `texts` are files spelt out in here-documents.
    """

    sources: tuple[str, ...]
    target: str
    folder: bool
    origin: str
    line: int
    column: int
    excludes: tuple[str, ...] = ()
    parents: bool = False
    texts: tuple[str, ...] = ()
    certain: bool = True

    def place(self, path: str) -> tuple[str, str] | None:
        """The source that takes in `path` (relative to the origin) and where it is put; None if it is left out."""
        parts = path.split("/")
        for source in self.sources:
            wanted = [part for part in normpath("/" + source).split("/") if part]
            if len(wanted) > len(parts) or not matches(parts[: len(wanted)], wanted):
                continue
            below = parts if self.parents else parts[len(wanted) :]
            if any(matches(parts[-length:], exclude.strip("/").split("/"))
                   for exclude in self.excludes for length in range(1, len(parts) + 1)):  # fmt: skip
                return None
            return source, join(self.target, *(below or (parts[-1:] if self.folder else [])))
        return None


class Removal(NamedTuple):
    """Paths, perhaps with wildcards, that a command deletes or closes to the agent; a relative one may lie anywhere."""

    paths: tuple[str, ...]

    def concerns(self, path: str) -> bool:
        parts = path.strip("/").split("/")
        for removed in self.paths:
            wanted = [part for part in normpath(removed).split("/") if part]
            starts = [0] if removed.startswith("/") else range(len(parts) - len(wanted) + 1)
            if removed == "**" or any(matches(parts[start : start + len(wanted)], wanted) for start in starts):
                return True
        return False


class Layers(NamedTuple):
    """What one stage does to files; `parent` is the stage that it builds on, or -1. `folder` is its last WORKDIR."""

    name: str
    parent: int
    steps: tuple[Copy | Removal, ...]
    folder: str = "/"


def matches(parts: list[str], patterns: list[str]) -> bool:
    """Whether each part of a path fits the pattern at its place, as Go's `filepath.Match` has it."""
    return len(parts) == len(patterns) and all(map(_matches, parts, patterns))


def _matches(part: str, pattern: str) -> bool:
    return pattern == part or fnmatchcase(part, pattern.replace("[^", "[!"))


def layers_of(stages: list[Stage]) -> tuple[Layers, ...]:
    """The layers of all stages; none if there are more of them, or of their steps, than anybody writes."""
    if len(stages) > _MAX_STAGES:
        return ()
    found: list[Layers] = []
    room = _MAX_STEPS
    states: list[tuple[str, dict[str, str]]] = []
    for stage in stages:
        parent = stage_number(found, stage.base.lower())
        folder, variables = states[parent] if parent >= 0 else ("/", {})
        reader = _Reader(folder, dict(variables))
        steps = tuple(islice((step for instruction in stage.instructions for step in reader.read(instruction)), room))
        room -= len(steps)
        if not room:
            return ()
        found.append(Layers(stage.name, parent, steps, reader.folder))
        states.append((reader.folder, reader.variables))
    return tuple(found)


def stage_number(stages: Iterable[Layers], name: str) -> int:
    """The last of `stages` with that name, else the one with that number; -1 if there is none."""
    names = [stage.name for stage in stages]
    if name and name in names:
        return len(names) - 1 - names[::-1].index(name)
    return int(name) if name.isdecimal() and len(name) < 4 and int(name) < len(names) else -1


def arrivals(stages: tuple[Layers, ...], target: str, origin: str, path: str) -> dict[str, tuple[Copy, str]]:
    """Where `path` of the context called `origin` is in the finished image: by place, the copy and the source in it."""
    last = stage_number(stages, target.lower()) if target else len(stages) - 1
    held: list[dict[str, tuple[Copy, str]]] = []
    for stage in stages[: last + 1]:
        here = dict(held[stage.parent]) if stage.parent >= 0 else {}
        for step in stage.steps:
            if isinstance(step, Removal):
                here = {place: by for place, by in here.items() if not step.concerns(place)}
            else:
                here = dict(islice((here | _brought(step, held, stages, origin, path)).items(), _MAX_PLACES))
        held.append(here)
    return held[last] if held else {}


def _brought(
    step: Copy, held: list[dict[str, tuple[Copy, str]]], stages: tuple[Layers, ...], origin: str, path: str
) -> dict[str, tuple[Copy, str]]:
    if step.origin == origin:
        placed = step.place(path)
        return {placed[1]: (step, placed[0])} if placed else {}
    other = stage_number(stages[: len(held)], step.origin)
    if other < 0:
        return {}
    moved = ((step.place(place.strip("/")), by) for place, by in held[other].items())
    return dict(islice(((placed[1], by) for placed, by in moved if placed), _MAX_PLACES))


class _Reader:
    """Reads the instructions of one stage in order; keeps its folder and its variables."""

    def __init__(self, folder: str, variables: dict[str, str]) -> None:
        self.folder, self.variables = folder, variables

    def read(self, instruction: Instruction) -> Iterator[Copy | Removal]:
        if instruction.name in ("COPY", "ADD"):
            yield from self._copy(instruction)
        elif instruction.name == "RUN":
            yield from self._mounts(instruction)
            yield from _removals(instruction)
        elif instruction.name == "WORKDIR":
            self.folder = normpath(join(self.folder, self._filled(instruction.rest.strip("\"'"))))[:_MAX_PATH]
        elif instruction.name in ("ENV", "ARG"):
            for name, value in _PAIR.findall(instruction.rest):
                self.variables[name] = self._filled(value.strip("\"'"))

    def _filled(self, word: str) -> str:
        return expanded(word, self.variables) if "$" in word else word

    def _copy(self, instruction: Instruction) -> Iterator[Copy]:
        options = flags(instruction.rest)
        words = [self._filled(word) for word in words_of(instruction.rest)]
        if not words or (len(words) < 2 and not instruction.bodies) or len(words) + len(options) > _MAX_WORDS:
            return
        local = (word for word in words[:-1] if len(word) <= _MAX_PATH and not _REMOTE.match(word))
        sources = tuple(word for word in local if "\\" not in word and "$" not in word)
        closed = any(name == "chmod" and _HIDING_MODE.match(value) for name, value in options)
        if closed:
            return
        yield Copy(
            sources=sources,
            target=normpath(join(self.folder, words[-1])),
            folder=words[-1].endswith(("/", ".")) or len(sources) > 1 or any("*" in source for source in sources),
            origin=next((self._filled(value).lower() for name, value in options if name == "from"), ""),
            line=instruction.line,
            column=instruction.column,
            excludes=tuple(value for name, value in options if name == "exclude"),
            parents=any(name == "parents" and value != "false" for name, value in options),
            texts=instruction.bodies,
        )

    def _mounts(self, instruction: Instruction) -> Iterator[Copy]:
        mounts = [value for name, value in flags(instruction.rest) if name == "mount" and "type=bind" in value]
        if not mounts or not any(_COPIERS & set(words) for words in commands_of(instruction)):
            return
        for mount in mounts:
            source, origin = bind_source(mount)
            if "$" not in source:
                folder = normpath(join("/", self.folder))
                yield Copy((source,), folder, True, origin.lower(), instruction.line, instruction.column, certain=False)


def bind_source(mount: str) -> tuple[str, str]:
    """The path that `--mount=type=bind,...` shows to a command, and the stage or context that it is taken from."""
    options = dict(part.partition("=")[::2] for part in mount.split(","))
    return options.get("source") or options.get("src") or "/", options.get("from", "")


def _removals(instruction: Instruction) -> Iterator[Removal]:
    if not any(word in instruction.rest or any(word in body for body in instruction.bodies)
               for word in ("rm", "chmod", "-delete", "clean", "unlink", "shred")):  # fmt: skip
        return
    for words in commands_of(instruction):
        removed = _removed(words)
        if removed:
            yield Removal(removed)


def _removed(words: list[str]) -> tuple[str, ...]:
    while words and words[0] in ("sudo", "then", "do", "else", "exec", "{", "!"):
        words = words[1:]
    if words == UNREADABLE:
        return ANYWHERE
    program = words[0].rpartition("/")[2] if words else ""
    plain = [word for word in words[1:] if not word.startswith("-")]
    if program == "chmod":
        return _named(plain[1:]) if plain and _HIDING_MODE.match(plain[0]) else ()
    if program in _DELETERS:
        return _named(plain)
    deletes = program == "find" and ("-delete" in words or "rm" in words)
    deletes = deletes or (program == "git" and "clean" in words) or (program == "xargs" and "rm" in words)
    return ANYWHERE if deletes else ()


def _named(words: list[str]) -> tuple[str, ...]:
    if len(words) > _MAX_WORDS:
        return ANYWHERE
    return tuple("**" if "$" in word or "`" in word or "{" in word else word.removesuffix("/*") for word in words)
