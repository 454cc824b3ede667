"""What a Dockerfile says by itself: the base of the image, the local paths it copies, the packages it installs."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from gradewright.model import Packages
from gradewright.read.task.dockerfile import Instruction, Stage, flags, stages_of, words_of
from gradewright.read.task.layers import Layers, bind_source, layers_of
from gradewright.read.task.packages import packages_of

_REMOTE = re.compile(r"[a-z][a-z0-9+.-]*://|git@|github\.com/|\S+\.git(?:#|\Z)", re.IGNORECASE)
_NOT_LITERAL = re.compile(r"""[*?\[\]$\\"'`]|<<""")
_PYTHON_TAG = re.compile(r"(?:\A|[^\d.])([23]\.\d+)(?!\d)")
_PYTHON_NAMED = re.compile(r"python-?(3\.\d+)(?!\d)")
_OTHER_PYTHON = re.compile(
    r"conda|mamba|pyenv|deadsnakes|virtualenv|-m venv|\buv\b|\bPATH\b|python3\.\d", re.IGNORECASE
)
_FROM = re.compile(r"--from=(\S*)")
_MAX_PATHS = 200
_MAX_PATH = 4096


class Plan(NamedTuple):
    """What a Dockerfile says by itself, wherever it lies.

    `base` is the reference that the last stage goes back to, `python` the version of its `python3` if that is beyond
    doubt. `paths` are plain local paths that the stages which are really built copy, each with line and column, at
    most `_MAX_PATHS`. `stages` are what is done to files, `based` is False if there is no FROM.
    """

    base: str | None
    python: str | None
    paths: tuple[tuple[str, int, int], ...]
    based: bool
    packages: Packages = Packages()
    stages: tuple[Layers, ...] = ()


@lru_cache(maxsize=64)
def read_plan(text: str) -> Plan:
    """The plan of a Dockerfile. Thousands of tasks often share a handful of them, so the last ones are kept."""
    stages = stages_of(text)
    if not stages:
        return Plan(None, None, (), based=False)
    base = _base(stages)
    paths = tuple(islice(_paths(stages), _MAX_PATHS))
    return Plan(base, _python(base, text), paths, True, packages_of(base, _lineage(stages)), layers_of(stages))


def _base(stages: list[Stage]) -> str:
    base = stages[-1].base
    for stage in reversed(stages[:-1]):
        if stage.name and stage.name == base.lower():
            base = stage.base
    return base


def _lineage(stages: list[Stage]) -> Iterator[Instruction]:
    """The instructions that the last stage runs, those of the stages it builds on first."""
    chain = [stages[-1]]
    for stage in reversed(stages[:-1]):
        if stage.name and stage.name == chain[-1].base.lower():
            chain.append(stage)
    for stage in reversed(chain):
        yield from stage.instructions


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
            words = _local_words(instruction.rest) if instruction.name in ("COPY", "ADD") else []
            for word in words or _mounted(instruction):
                if 0 < len(word) <= _MAX_PATH and not _NOT_LITERAL.search(word) and not _REMOTE.match(word):
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
    for instruction in stage.instructions:
        rest = instruction.rest
        if "from=" in rest:
            used |= {value.lower() for value in _FROM.findall(rest)}
            mounts = [word.split(",") for word in rest.split() if word.startswith("--mount=")]
            used |= {part.partition("from=")[2].lower() for parts in mounts for part in parts}
    return used


def _local_words(rest: str) -> list[str]:
    """The sources of a COPY or ADD that are plain paths of the build context."""
    if any(flag in ("from", "exclude") for flag, _ in flags(rest)):
        return []
    return words_of(rest)[:-1]


def _mounted(instruction: Instruction) -> list[str]:
    """What a RUN mounts from the build context for its command; the build fails if it is not there."""
    if instruction.name != "RUN":
        return []
    mounts = [value for name, value in flags(instruction.rest) if name == "mount"]
    sources = [bind_source(mount) for mount in mounts if "type=bind" in mount.split(",")]
    return [source for source, origin in sources if not origin and source.strip("/")]
