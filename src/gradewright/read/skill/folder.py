"""Read the root of a skill: the front matter of SKILL.md, the pool of fixtures, and what lies where."""

import errno
import os
import stat
from collections.abc import Iterator
from itertools import islice

from gradewright.contract import CONFIG_FILES, DATASET_FILES, GRADER_FILES
from gradewright.finding import Location
from gradewright.model import (
    BOM,
    IRREGULAR,
    LINKED,
    MISSING_KEY,
    NOT_CLOSED,
    UNREADABLE,
    WRONG_TYPE,
    FrontMatter,
    Problem,
    type_name,
)
from gradewright.read.data.document import parse
from gradewright.read.files import Text, leads_to_folder, link_problem, read_text

_FENCE = "---"
_MAX_LISTED = 10_000
"""Files of the pool that are looked at: enough for every finding, and bounded."""
_MAX_DEPTH = 64
_READ_ELSEWHERE = frozenset({"SKILL.md", *DATASET_FILES, *CONFIG_FILES, *GRADER_FILES})
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "site-packages", "venv"})
"""Folders that tools fill; nothing in them is written by the author of a skill."""


def read_front_matter(path: str, problems: list[Problem]) -> FrontMatter | None:
    """The YAML head of the SKILL.md at `path`; None, and a problem, where there is none that can be read."""
    text = read_text(path, "skill")
    if text is None or isinstance(text, Problem):
        problems += [text] if text else []
        return None
    content = text.text
    if content.startswith("\ufeff"):
        problems.append(Problem(BOM, "skill", Location(path, 1, 1)))
        content = content[1:]
    lines = content.split("\n")
    if lines[0].rstrip() != _FENCE:
        problems.append(Problem(MISSING_KEY, "skill", Location(path, 1), subject="front matter"))
        return None
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip("\r") == _FENCE), 0)
    if not end:
        problems.append(Problem(NOT_CLOSED, "skill", Location(path, 1), subject="front matter"))
        return None
    return _parsed(path, [line.rstrip("\r") for line in lines[1:end]], problems)


def _parsed(path: str, lines: list[str], problems: list[Problem]) -> FrontMatter | None:
    # the opening fence is replaced by an empty line, so that line numbers are those of the file
    head = "\n" + "\n".join(lines) + "\n"
    value, found = parse(Text(path, head, head.encode("utf-8", "surrogatepass")), "yaml", "skill")
    problems += found
    if value is None and found:
        return None
    if value is not None and not isinstance(value, dict):
        problems.append(Problem(WRONG_TYPE, "skill", Location(path, 2), type_name(value), "front matter"))
        return None
    table = value or {}
    places = (_place(path, lines, "name"), _place(path, lines, "description"))
    return FrontMatter(table.get("name"), table.get("description"), Location(path, 1), *places)


def _place(path: str, lines: list[str], key: str) -> Location:
    for number, line in enumerate(lines, 2):
        if line.startswith(f"{key}:"):
            return Location(path, number, 1)
    return Location(path, 1, 1)


def layout(root: str) -> frozenset[str]:
    """What lies in the skill's root, in `evals/` and (files only) in `evals/harbor/`, relative to `root`."""
    names = {name for name, _ in _entries(root)}
    names.update(f"evals/{name}" for name, _ in _entries(os.path.join(root, "evals")))
    harbor = os.path.join(root, "evals", "harbor")
    names.update(f"evals/harbor/{name}" for name, is_folder in _entries(harbor) if not is_folder)
    if os.path.isfile(os.path.join(harbor, "results", "task.toml")):
        names.add("evals/harbor/results/task.toml")
    return frozenset(names)


def _entries(folder: str) -> Iterator[tuple[str, bool]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                yield entry.name, leads_to_folder(entry)
    except OSError:
        return


def unreadable_evals(skill: str) -> Problem | None:
    """Why nothing can be told of `evals/`: this user may not list or enter it, or the folder it lies in."""
    evals = os.path.join(skill, "evals")
    try:
        folder = stat.S_ISDIR(os.stat(evals).st_mode)
    except PermissionError:
        folder = True
    except OSError:
        folder = False
    if not folder or os.access(evals, os.R_OK | os.X_OK):
        return None
    return Problem(UNREADABLE, "folder", Location(evals), os.strerror(errno.EACCES))


def linked_graders(evals: str) -> list[Problem]:
    """The graders in `evals` that are symbolic links to a file that is there."""
    paths = [os.path.join(evals, name) for name in GRADER_FILES]
    linked = [path for path in paths if os.path.islink(path) and os.path.isfile(path)]
    return [Problem(LINKED, "grader", Location(path)) for path in linked]


def skill_links(skill: str) -> list[Problem]:
    """Links of the skill that lead nowhere, back to themselves or out of it, but for those that others look at.

    These are SKILL.md, the files of `evals/` that are read, the fixtures and the native cases.
    """
    found: list[Problem] = []
    pending = [(skill, 0)]
    room = _MAX_LISTED
    while pending and room > 0:
        folder, depth = pending.pop()
        for entry in _listed(folder, room):
            room -= 1
            if entry.is_symlink():
                problem = None if entry.name in _READ_ELSEWHERE else link_problem(entry.path, skill, "resource")
                found += [problem] if problem else []
            elif depth < _MAX_DEPTH and not _is_skipped(entry, skill) and leads_to_folder(entry):
                pending.append((entry.path, depth + 1))
    return sorted(found)


def _is_skipped(entry: os.DirEntry[str], skill: str) -> bool:
    name = entry.name
    own = name in ("files", "harbor") and os.path.dirname(entry.path) == os.path.join(skill, "evals")
    return own or name.startswith(".") or name in SKIPPED_FOLDERS


def _listed(folder: str, room: int) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(islice(entries, room))
    except OSError:
        return []


def list_fixtures(evals: str, problems: list[Problem]) -> tuple[str, ...]:
    """The files below `evals/files/`, sorted, relative to `evals`; what cannot be staged is added to `problems`."""
    pool = os.path.join(evals, "files")
    found: list[str] = []
    for path in _walk(pool, os.path.join(evals, os.pardir), problems):
        found.append(path[len(evals) :].replace(os.sep, "/").lstrip("/"))
        if len(found) >= _MAX_LISTED:
            break
    return tuple(sorted(found))


def _walk(folder: str, root: str, problems: list[Problem], depth: int = 0) -> Iterator[str]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        problems.append(Problem(UNREADABLE, "fixture", Location(folder), error.strerror or str(error)))
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if depth < _MAX_DEPTH:
                yield from _walk(entry.path, root, problems, depth + 1)
            continue
        problem = _fixture_problem(entry, root)
        if problem:
            problems.append(problem)
        yield entry.path


def _fixture_problem(entry: os.DirEntry[str], root: str) -> Problem | None:
    if entry.is_symlink():
        return link_problem(entry.path, root, "fixture")
    if not entry.is_file():
        return Problem(IRREGULAR, "fixture", Location(entry.path), "is not a regular file")
    if not os.access(entry.path, os.R_OK):
        return Problem(UNREADABLE, "fixture", Location(entry.path), os.strerror(errno.EACCES))
    return None
