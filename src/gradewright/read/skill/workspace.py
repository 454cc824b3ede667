"""Find the grading files of evaluations: only where skill-creator and its readers put them, without a search.

A workspace holds iterations (`iteration-1/`), an iteration evaluations (`eval-0-name/`), an evaluation a folder for
each configuration (`with_skill/`), and that its runs (`run-1/`), or the files of its only run. Levels may be left out
at the top.
"""

import os
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from gradewright.contract import GRADING_CONFIGURATIONS, GRADING_FILE

_ITERATION = re.compile(r"iteration[-_]?\d+", re.I)
_EVALUATION = re.compile(r"eval[-_]?\w[^/]*", re.I)
_RUN = re.compile(r"run[-_]?\d+", re.I)
_ALL_RUNS = "runs"
_OUTPUTS = "outputs"
_ANYWHERE = f"with_skill/run-1/{GRADING_FILE}"
_MAX_ENTRIES = 10_000
_MAX_FILES = 5_000


class Place(NamedTuple):
    """A grading file, and where it should lie instead if its readers do not look there."""

    path: str
    belongs: str = ""


def gradings_of_skill(skill: str) -> list[Place]:
    """The grading files of the evaluations that lie in a skill's folder or in its `evals/`."""
    found: list[Place] = []
    for folder in (skill, os.path.join(skill, "evals")):
        names = _names(folder)
        if GRADING_FILE in names:
            found.append(Place(os.path.join(folder, GRADING_FILE), _ANYWHERE))
        if any(_EVALUATION.fullmatch(name) or _ITERATION.fullmatch(name) or name == _ALL_RUNS for name in names):
            found += islice(_workspace(folder), _MAX_FILES)
        for name in names:
            if name == "workspace" or name.endswith(("-workspace", "_workspace")):
                found += islice(_workspace(os.path.join(folder, name)), _MAX_FILES)
    return found


def gradings_below(path: str) -> list[Place]:
    """The grading files in a workspace or a part of one: whichever level `path` is. A file stands for itself."""
    if os.path.basename(path) == GRADING_FILE and not os.path.isdir(path):
        return [Place(path, _beside(path))]
    names = _names(path)
    if GRADING_FILE in names or any(_RUN.fullmatch(name) for name in names):
        found = _configuration(path)
    elif GRADING_CONFIGURATIONS & set(names):
        found = _evaluation(path)
    elif _ITERATION.fullmatch(os.path.basename(os.path.abspath(path))):
        found = _iteration(path, named=False)
    else:
        found = _workspace(path)
    return list(islice(found, _MAX_FILES))


def may_be_workspace(folder: str) -> bool:
    """Whether a folder that was come across has the form of a workspace or an evaluation, and grading files in it."""
    names = _names(folder)
    if not GRADING_CONFIGURATIONS.isdisjoint(names):
        return next(_evaluation(folder), None) is not None
    if not any(_EVALUATION.fullmatch(name) or _ITERATION.fullmatch(name) for name in names):
        return False
    return next(_workspace(folder), None) is not None


def _workspace(folder: str) -> Iterator[Place]:
    yield from _too_high(folder)
    for name in _folders(folder):
        if _ITERATION.fullmatch(name) or name == _ALL_RUNS:
            yield from _iteration(f"{folder}/{name}", named=False)
    yield from _iteration(folder, named=True)


def _iteration(folder: str, *, named: bool) -> Iterator[Place]:
    """The files of all evaluations in `folder`; if that may hold other things too, only of those `named` like one."""
    if not named:
        yield from _too_high(folder)
    for name in _folders(folder):
        if _EVALUATION.fullmatch(name) or not named:
            yield from _evaluation(f"{folder}/{name}")


def _evaluation(folder: str) -> Iterator[Place]:
    if os.path.lexists(f"{folder}/task.toml"):
        return
    names = _folders(folder)
    if _OUTPUTS in names:
        yield from _run(folder)
        return
    yield from _too_high(folder)
    for name in names:
        yield from _configuration(f"{folder}/{name}")


def _configuration(folder: str) -> Iterator[Place]:
    yield from _run(folder)
    for name in _folders(folder):
        if _RUN.fullmatch(name):
            yield from _run(f"{folder}/{name}")


def _run(folder: str) -> Iterator[Place]:
    path, inside = f"{folder}/{GRADING_FILE}", f"{folder}/{_OUTPUTS}/{GRADING_FILE}"
    if os.path.lexists(path):
        yield Place(path)
    elif os.path.lexists(inside):
        yield Place(inside, path)


def _too_high(folder: str) -> Iterator[Place]:
    """A grading file of a folder that holds the folders of several runs."""
    path = f"{folder}/{GRADING_FILE}"
    if os.path.lexists(path) and not os.path.lexists(f"{folder}/{_OUTPUTS}"):
        yield Place(path, _ANYWHERE)


def _beside(path: str) -> str:
    """Where a grading file that lies in an `outputs/` belongs."""
    folder = os.path.dirname(path) or "."
    beside = os.path.normpath(os.path.join(folder, os.pardir, GRADING_FILE))
    inside = os.path.basename(os.path.abspath(folder)) == _OUTPUTS
    return beside if inside and not os.path.lexists(beside) else ""


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _folders(folder: str) -> list[str]:
    """The names of the folders in `folder`, sorted; links are not followed."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in islice(entries, _MAX_ENTRIES) if _is_folder(entry))
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
