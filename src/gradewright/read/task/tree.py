"""List a task's files with one `os.scandir` for each folder."""

import os
from itertools import islice
from typing import NamedTuple

from gradewright.finding import Location
from gradewright.model import LINK_LOOP, UNREADABLE, Problem
from gradewright.read.files import leads_to_folder, link_problem

FOLDERS = ("environment", "tests", "solution", "steps")
"""The folders of a task that belong to its format; others are listed by name only."""

_MAX_ENTRIES = 5000
_MAX_LEVELS = 32


class Tree(NamedTuple):
    """Files and folders relative to the task, the links among them; `complete` if only `environment/` is cut short."""

    present: frozenset[str]
    links: tuple[str, ...]
    complete: bool


def list_task(folder: str, problems: list[Problem]) -> Tree:
    """What lies in the task; folders that cannot be listed and links that lead nowhere or out are added to `problems`.

    A linked folder is listed under its own name, once, as long as it stays within the task. At most `_MAX_ENTRIES`
    entries and `_MAX_LEVELS` levels are taken in, those of `environment/` last.
    """
    names: list[str] = []
    links: list[str] = []
    followed: set[str] = set()
    pending = [("", 0)]
    complete = True
    while pending:
        prefix, level = pending.pop()
        room = _MAX_ENTRIES - len(names)
        if room <= 0 or level > _MAX_LEVELS:
            complete = prefix.startswith("environment/")
            break
        for name, linked, is_folder in _entries(folder, prefix, room, problems):
            names.append(name)
            descend = is_folder and (prefix or name in FOLDERS)
            if linked:
                links.append(name)
                descend = descend and _may_follow(f"{folder}/{name}", folder, followed)
            if descend:
                last = name == "environment"
                pending.insert(0 if last else len(pending), (f"{name}/", level + 1))
    unlisted = [problem.at.path for problem in problems if problem.kind == UNREADABLE]
    complete = complete and all(path.startswith(f"{folder}/environment") for path in unlisted)
    return Tree(frozenset(names), tuple(sorted(links)), complete)


def _entries(folder: str, prefix: str, room: int, problems: list[Problem]) -> list[tuple[str, bool, bool]]:
    """Name, whether it is a link, and whether it is a folder, of everything in `prefix`. Dead links are no entries."""
    path = f"{folder}/{prefix}" if prefix else folder
    found = []
    try:
        with os.scandir(path) as entries:
            for entry in islice(entries, room):
                name, linked = prefix + entry.name, entry.is_symlink()
                problem = _link_problem(folder, name) if linked else None
                if problem:
                    problems.append(problem)
                if not linked or os.path.exists(entry.path):
                    found.append((name, linked, leads_to_folder(entry)))
    except OSError as error:
        if prefix or not isinstance(error, FileNotFoundError | NotADirectoryError):
            reason = (error.strerror or str(error)).lower()
            problems.append(Problem(UNREADABLE, "folder", Location(path.rstrip("/")), f"cannot be listed: {reason}"))
    return found


def _role(name: str) -> str:
    """`input` for what Harbor uploads, and requires to lie in the task."""
    return "input" if name.partition("/")[0] in ("tests", "solution") else "task"


def _link_problem(folder: str, name: str) -> Problem | None:
    """What is wrong with a link; Harbor takes no linked folder around the link itself among what it uploads."""
    link, role = f"{folder}/{name}", _role(name)
    if role == "input" and os.path.isdir(link) and _leads_up(link):
        return Problem(LINK_LOOP, role, Location(link), "is a link to a folder that it lies in")
    return link_problem(link, folder, role)


def _leads_up(link: str) -> bool:
    return f"{os.path.realpath(os.path.dirname(link))}/".startswith(f"{os.path.realpath(link)}/")


def _may_follow(link: str, folder: str, followed: set[str]) -> bool:
    """Whether the folder behind a link lies in the task, not around the link, and was not listed through one before."""
    target, home = os.path.realpath(link), os.path.realpath(folder)
    if _leads_up(link) or target in followed or not target.startswith(home + os.sep):
        return False
    followed.add(target)
    return True
