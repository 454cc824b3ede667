"""Find the skills and Harbor tasks that a path stands for."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from gradewright.contract import CONFIG_FILES, DATASET_FILES, GRADER_FILES, GRADING_FILE
from gradewright.finding import Location
from gradewright.model import UNREADABLE, Problem
from gradewright.read.skill.workspace import gradings_below, gradings_of_skill, may_be_workspace

SKILL = "skill"
TASK = "task"
WORKSPACE = "workspace"
_PARTS = frozenset({"evals", "environment", "tests", "solution", "steps"})
_PART_FILES = frozenset({"SKILL.md", "task.toml", "instruction.md"})
_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages", "venv"})
_MAX_DEPTH = 64


class Root(NamedTuple):
    """A skill, a bare Harbor task, or a workspace of graded runs; `only` restricts a skill to these native cases.

    A skill that was come across, not `named`, need not have an `evals/` folder. A workspace may be a part of one, down
    to a single grading file; those that lie in a skill's own folders are read with the skill.
    """

    kind: str
    path: str
    only: frozenset[str] | None = None
    named: bool = True


def discover(path: str) -> Iterator[Root | Problem]:
    """The roots at, around or below `path`.

    A file, or a folder inside a skill's `evals/`, stands for the skill or task it belongs to; a folder for itself or
    for everything below it. Nothing is yielded where there is neither.
    """
    path = os.path.normpath(path)
    if not os.path.isdir(path):
        owner = owner_of(os.path.dirname(path) or ".")
        if owner is None and os.path.basename(path) == GRADING_FILE:
            yield Root(WORKSPACE, path)
        if owner:
            only_head = owner.kind == SKILL and os.path.basename(path) in GRADER_FILES and owner.only is None
            yield owner._replace(only=frozenset()) if only_head else owner
        return
    own = _root_at(path)
    inside = None if own and own.kind == SKILL and _has_evals(path) else owner_of(path, evals_only=True)
    if inside:
        yield inside
    elif own and (own.kind == TASK or _has_evals(path)):
        yield own
    else:
        below = list(_below(path, 0))
        graded = own is None and next(iter(gradings_below(path)), None)
        if own or graded:
            below = [item for item in below if not _is_workspace(item)]
        yield from below
        if own and not any(isinstance(item, Root) for item in below):
            yield own
        elif graded:
            yield Root(WORKSPACE, path)


def _is_workspace(item: Root | Problem) -> bool:
    return isinstance(item, Root) and item.kind == WORKSPACE


def merged(found: Iterator[Root | Problem]) -> list[Root | Problem]:
    """The same roots, each once and by its first name, whichever links lead there.

    The cases of a skill are joined, and the whole skill wins over parts of it.
    """
    roots: dict[tuple[str, str], Root] = {}
    problems: list[Root | Problem] = []
    for item in found:
        if isinstance(item, Problem):
            problems.append(item)
            continue
        key = item.kind, os.path.realpath(item.path)
        known = roots.get(key)
        if known is None:
            roots[key] = item
        elif known.only is not None:
            roots[key] = known._replace(only=None if item.only is None else known.only | item.only)
    return [*problems, *_without_repeats(list(roots.values()))]


def _without_repeats(roots: list[Root]) -> list[Root]:
    """The roots without workspaces, or parts of them, all of whose files are read with another one."""
    if not any(root.kind == WORKSPACE for root in roots):
        return roots
    read: set[str] = set()
    for root in roots:
        read.update(os.path.abspath(place.path) for place in gradings_of_skill(root.path) if root.kind == SKILL)
    kept = set()
    for root in sorted(roots, key=lambda root: len(os.path.abspath(root.path))):
        files = (
            {os.path.abspath(place.path) for place in gradings_below(root.path)} if root.kind == WORKSPACE else set()
        )
        if root.kind != WORKSPACE or not files or not files <= read:
            kept.add(root)
        read |= files
    return [root for root in roots if root in kept]


def owner_of(folder: str, *, evals_only: bool = False) -> Root | None:
    """The skill or task that `folder` lies in; with `evals_only` just a skill whose `evals/` it lies in."""
    below: list[str] = []
    current = folder
    for _ in range(_MAX_DEPTH):
        name = os.path.basename(os.path.abspath(current))
        skill = os.path.normpath(os.path.join(current, os.pardir))
        if name == "evals" and _is_skill(skill):
            case = below[-2] if len(below) > 1 and below[-1] == "harbor" else None
            return Root(SKILL, skill, _only(below, case))
        if not evals_only and _has_evals(current) and not below:
            return Root(SKILL, current, frozenset())
        if not evals_only and _is_file(current, "task.toml") and not _case_of_a_skill(current):
            return Root(TASK, current)
        if os.path.abspath(skill) == os.path.abspath(current):
            return None
        below.append(name)
        current = skill
    return None


def owner_of_file(path: str) -> str | None:
    """The skill, task or graded run that the file `path` is a part of, not just kept beside; None if there is none."""
    path = os.path.realpath(path)
    if os.path.basename(path) == GRADING_FILE:
        return os.path.dirname(path)
    owner = owner_of(os.path.dirname(path)) if os.path.isfile(path) else None
    if owner is None:
        return None
    inside = os.path.relpath(path, owner.path).split(os.sep)
    return owner.path if inside[0] in _PARTS or (len(inside) == 1 and inside[0] in _PART_FILES) else None


def _only(below: list[str], case: str | None) -> frozenset[str] | None:
    if case is not None:
        return frozenset({case})
    return None if below == [] or below == ["harbor"] else frozenset()


def _case_of_a_skill(folder: str) -> bool:
    parts = os.path.abspath(folder).split(os.sep)
    return parts[-3:-1] == ["evals", "harbor"]


def _root_at(folder: str) -> Root | None:
    if _is_skill(folder):
        return Root(SKILL, folder)
    return Root(TASK, folder) if _is_task(folder) else None


def _is_skill(folder: str) -> bool:
    names = _names(folder)
    return any(name.lower() == "skill.md" for name in names) or _has_evals(folder)


def _has_evals(folder: str) -> bool:
    names = _names(os.path.join(folder, "evals"))
    return bool(names) and any(name in names for name in (*DATASET_FILES, *CONFIG_FILES, *GRADER_FILES, "harbor"))


def _is_task(folder: str) -> bool:
    names = _names(folder)
    return "task.toml" in names or ("instruction.md" in names and bool(names & {"tests", "environment"}))


def _below(folder: str, depth: int) -> Iterator[Root | Problem]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Problem(UNREADABLE, "folder", Location(folder), error.strerror or str(error))
        return
    for entry in entries:
        if depth > _MAX_DEPTH or entry.name in _SKIPPED or entry.name.startswith(".") or not _is_folder(entry):
            continue
        own = _root_at(entry.path)
        if own:
            yield own._replace(named=own.kind == TASK or _has_evals(entry.path))
        graded = own is None and may_be_workspace(entry.path)
        if graded:
            yield Root(WORKSPACE, entry.path)
        if own is None or own.kind == SKILL:
            below = _below(entry.path, depth + 1)
            yield from (item for item in below if not (graded and _is_workspace(item)) and not _is_of(own, item))


def _is_of(skill: Root | None, item: Root | Problem) -> bool:
    """Whether what was found below a skill is a part of it: it lies in its `evals/`, or grades its runs."""
    return skill is not None and (_is_workspace(item) or _within_evals(item, skill.path))


def _within_evals(item: Root | Problem, skill: str) -> bool:
    path = item.path if isinstance(item, Root) else item.at.path
    return path.startswith(os.path.join(skill, "evals") + os.sep)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _names(folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def _is_file(folder: str, name: str) -> bool:
    return os.path.isfile(os.path.join(folder, name))
