"""What an agent finds when it begins, as far as the Dockerfile alone tells: its folder, and the files copied in."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from gradewright.read.files import Text, read_text
from gradewright.read.task.layers import arrivals
from gradewright.read.task.plan import read_plan

_MAX_FILES = 10_000


class Start(NamedTuple):
    """The last WORKDIR, and pairs of a file's path on this machine and its place in the image.

    What RUN lines make is not among them.
    """

    folder: str
    files: tuple[tuple[str, str], ...]


def read_start(task: str, default: str) -> Start:
    """The start of the native task in the folder `task`; its folder is `default` where no Dockerfile says another."""
    environment = f"{task}/environment"
    text = read_text(f"{environment}/Dockerfile", "dockerfile")
    stages = read_plan(text.text).stages if isinstance(text, Text) else ()
    if not stages:
        return Start(default, ())
    folder = stages[-1].folder if stages[-1].folder != "/" else default
    files = [
        (f"{environment}/{inner}", place)
        for inner in _below(environment)
        for place in arrivals(stages, "", "", inner)
        if _is_own(place)
    ]
    return Start(folder, tuple(files))


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
