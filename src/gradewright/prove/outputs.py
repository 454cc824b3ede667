"""Which files of a sample the agent made, and which it found."""

import filecmp
import os
import stat
from typing import NamedTuple

from gradewright.prove.stage import Stage, listing
from gradewright.prove.subject import Subject

_NOISE = frozenset({".git", "node_modules", "__pycache__", ".venv", ".cache", ".pytest_cache", ".mypy_cache"})
"""Folders that tools fill, where nobody looks for the result of work."""


class File(NamedTuple):
    """A regular file where the agent works: its place in the container, and its name relative to that folder.

    `source` is the file of this machine that lay at this place at the start, None if there was none.
    """

    place: str
    name: str
    size: int
    source: str | None


def files(subject: Subject, stage: Stage) -> tuple[list[File], list[File]]:
    """The files that the agent made or changed, and those that are as it found them."""
    made: list[File] = []
    found: list[File] = []
    for name, (mode, size, _) in sorted(listing(stage.path(subject.folder)).items()):
        if not stat.S_ISREG(mode) or _NOISE.intersection(name.split("/")):
            continue
        place = f"{subject.folder}/{name}"
        source = _start(subject, place)
        same = source is not None and _is_same(source, stage.path(place))
        (found if same else made).append(File(place, name, size, source))
    return made, found


def _start(subject: Subject, place: str) -> str | None:
    """The file of this machine that the agent found at `place`; of several, the last was put there."""
    for source, start in reversed(subject.start):
        path = source if place == start else source + place[len(start) :] if place.startswith(f"{start}/") else ""
        if path and os.path.isfile(path):
            return path
    return None


def _is_same(one: str, other: str) -> bool:
    try:
        return filecmp.cmp(one, other, shallow=False)
    except OSError:
        return False
