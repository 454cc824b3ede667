"""What an agent finds when it begins, as far as the Dockerfile alone tells: its folder, and the files copied in."""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from gradewright.read.files import Text, read_text
from gradewright.read.task.dockerfile import Instruction, instructions_of
from gradewright.read.task.layers import arrivals
from gradewright.read.task.plan import read_plan

_MAX_FILES = 10_000
_COMPOSE = ("docker-compose.yaml", "docker-compose.yml")
_HARMLESS = frozenset({"mkdir", "chmod", "chown", "true", ":"})
_SHELL = re.compile(r"[<>|;&`$*{}\[\]]")
_IDLE = re.compile(r"(?:DEBIAN_FRONTEND|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|LANG|LC_ALL|TZ)[= ]\S*+\Z")


class Start(NamedTuple):
    """The last WORKDIR, and pairs of a file's path on this machine and its place in the image.

    `folders` are made by `RUN mkdir`; nothing else that RUN lines make is known. `whole` tells that there is nothing
    more to know: a plain Python or system, with these files and folders in it.
    """

    folder: str
    files: tuple[tuple[str, str], ...]
    folders: tuple[str, ...] = ()
    whole: bool = False


def read_start(task: str, default: str) -> Start:
    """The start of the native task in the folder `task`; its folder is `default` where no Dockerfile says another."""
    environment = f"{task}/environment"
    text = read_text(f"{environment}/Dockerfile", "dockerfile")
    stages = read_plan(text.text).stages if isinstance(text, Text) else ()
    if not stages or not isinstance(text, Text):
        return Start(default, ())
    folder = stages[-1].folder if stages[-1].folder != "/" else default
    files = [
        (f"{environment}/{inner}", place)
        for inner in _below(environment)
        for place in arrivals(stages, "", "", inner)
        if _is_own(place)
    ]
    runs = [command for instruction in instructions_of(text.text) for command in _commands(instruction)]
    made = [folder for run in runs if run[0] == "mkdir" for folder in run[1:] if folder.startswith("/")]
    whole = _is_whole(text.text, runs) and not any(os.path.exists(f"{environment}/{name}") for name in _COMPOSE)
    return Start(folder, tuple(files), tuple(filter(_is_own, made)), whole)


def _commands(instruction: Instruction) -> Iterator[list[str]]:
    """The commands of a RUN line, each in words."""
    if instruction.name == "RUN":
        for command in instruction.rest.split("&&"):
            yield command.split() or [""]


def _is_whole(text: str, runs: list[list[str]]) -> bool:
    """Whether the image is a plain system in which nothing was made but folders, and no variable set that matters."""
    settings = (instruction.rest for instruction in instructions_of(text) if instruction.name == "ENV")
    plain = all(run[0] in _HARMLESS and not _SHELL.search(" ".join(run)) for run in runs)
    return read_plan(text).packages.complete and plain and all(_IDLE.match(setting) for setting in settings)


def _is_own(place: str) -> bool:
    """Whether a place is not one of the system's, which no sandbox lets a trial write to."""
    return place.split("/", 2)[1] not in ("bin", "boot", "dev", "etc", "lib", "lib64", "proc", "sbin", "sys", "usr")


def _below(folder: str) -> Iterator[str]:
    """Regular files below `folder`, relative to it."""
    count = 0
    for current, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(current, name)
            if count < _MAX_FILES and os.path.isfile(path) and not os.path.islink(path):
                count += 1
                yield os.path.relpath(path, folder).replace(os.sep, "/")
