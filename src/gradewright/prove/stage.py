"""The folders of one trial, copies all of them: nothing of the user's is ever written to."""

import contextlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

from gradewright.model import Sample
from gradewright.prove.subject import Subject
from gradewright.sandbox.protocol import Mount

PLACES = ("/app", "/logs", "/tests", "/workspace")
"""The folders that every trial has, as absolute places in the sandbox."""

LOGS = ("agent", "artifacts", "verifier")


class Stage(NamedTuple):
    """The private folder `root` of a trial, in which `/logs` stands for the place of that name."""

    root: str
    mounts: tuple[Mount, ...]

    def path(self, place: str) -> str:
        """Where a place of the sandbox lies on this machine."""
        return self.root + place


@contextlib.contextmanager
def staged(subject: Subject, sample: Sample) -> Iterator[Stage]:
    """The stage for one grading of `sample`; gone afterwards, whatever the grader made of it."""
    root = tempfile.mkdtemp(prefix="gradewright-trial-")
    try:
        places = places_of(subject)
        for place in (*places, subject.folder):
            os.makedirs(root + place, exist_ok=True)
        _fill(root, subject, sample)
        yield Stage(root, tuple(Mount(root + place, place, writable=True) for place in places))
    finally:
        remove(root)


def places_of(subject: Subject) -> list[str]:
    """The folders, none inside another, that a trial has of its own."""
    found = [*(place for _, place in subject.start), *subject.folders]
    started = {"/" + place.split("/", 2)[1] for place in found}
    places = sorted({*PLACES, *started, subject.folder})
    return [place for place in places if not any(place.startswith(f"{other}/") for other in places)]


def _fill(root: str, subject: Subject, sample: Sample) -> None:
    for folder in subject.folders:
        os.makedirs(root + folder, exist_ok=True)
    for source, place in (*subject.start, *subject.tests):
        copy(source, root + place)
    if subject.entry is not None:
        with open(f"{root}/tests/entry.json", "w", encoding="utf-8") as stream:
            json.dump(subject.entry, stream, indent=2)
    if sample.workspace:
        copy(sample.workspace, root + subject.folder)
    if sample.logs:
        copy(sample.logs, f"{root}/logs")
    for name in LOGS:
        os.makedirs(f"{root}/logs/{name}", exist_ok=True)
    if sample.trajectory:
        copy(sample.trajectory, f"{root}/logs/agent/trajectory.json")


def copy(source: str, target: str) -> None:
    """Copy a file, or a folder into another one; links stay links, pipes, sockets and devices are left out."""
    mode = os.lstat(source).st_mode
    if stat.S_ISDIR(mode):
        os.makedirs(target, exist_ok=True)
        with os.scandir(source) as entries:
            for entry in entries:
                copy(entry.path, os.path.join(target, entry.name))
    elif stat.S_ISLNK(mode) or stat.S_ISREG(mode):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(target)
        shutil.copy2(source, target, follow_symlinks=False)


def remove(folder: str) -> None:
    """Remove a folder, also one that a script has made hard to remove; what cannot be removed is left.

    Inner folders are moved beside it first: a tree may be deeper than paths are long and than functions nest.
    """
    pending = [folder]
    moved = 0
    while pending:
        path = pending.pop()
        for entry in _entries(path):
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    moved += 1
                    beside = f"{folder}.{os.getpid()}-{moved}"
                    os.chmod(entry.path, stat.S_IRWXU)
                    os.rename(entry.path, beside)
                    pending.append(beside)
                else:
                    os.unlink(entry.path)
        with contextlib.suppress(OSError):
            os.rmdir(path)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder that may not let itself be opened yet."""
    with contextlib.suppress(OSError):
        os.chmod(folder, stat.S_IRWXU)
        with os.scandir(folder) as entries:
            return list(entries)
    return []


Listing = dict[str, tuple[int, int, int]]


def listing(folder: str) -> Listing:
    """Every file below `folder`, relative to it, with its type and mode, size and time of change in nanoseconds."""
    found: Listing = {}
    pending = [""]
    while pending:
        inner = pending.pop()
        try:
            entries = os.scandir(os.path.join(folder, inner))
        except OSError:
            continue
        with entries:
            for entry in entries:
                name = os.path.join(inner, entry.name)
                if entry.is_dir(follow_symlinks=False):
                    pending.append(name)
                else:
                    status = entry.stat(follow_symlinks=False)
                    found[name] = (status.st_mode, status.st_size, status.st_mtime_ns)
    return found
