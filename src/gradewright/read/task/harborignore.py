"""Which files of `tests/` and `solution/` a `.harborignore` keeps from being sent.

Harbor 0.26 reads them as Git reads `.gitignore`: in `tests/`, `solution/` and the same folders of a step, and in
folders below those; nowhere else.
"""

import re
from collections.abc import Iterable
from fnmatch import translate
from functools import lru_cache
from typing import NamedTuple

from gradewright.finding import Location
from gradewright.model import Withheld
from gradewright.read.files import Text, read_text

NAME = ".harborignore"
_HOMES = re.compile(r"(?:steps/[^/]++/)?(?:tests|solution)(?=/|\Z)")
_MAX_PATTERNS = 500
_MAX_WITHHELD = 200


class _Pattern(NamedTuple):
    """A line of an ignore file; one without `anchored` holds for a name at any depth."""

    segments: tuple[str, ...]
    anchored: bool
    folders_only: bool
    hides: bool
    at: Location


def withheld(folder: str, present: Iterable[str]) -> tuple[Withheld, ...]:
    """The files among `present` (relative to the task in `folder`) that are not sent, sorted.

    Nothing is told below an ignore file that cannot be read or that holds a backslash.
    """
    names = frozenset(present)
    homes = [name.rpartition("/")[0] for name in names if name.endswith(f"/{NAME}") and _HOMES.match(name)]
    rules = {home: _patterns(f"{folder}/{home}/{NAME}") for home in homes}
    if not any(rules.values()):
        return ()
    folders = {name.rpartition("/")[0] for name in names}
    found: list[Withheld] = []
    for name in sorted(names):
        uploaded = name not in folders and not name.endswith(f"/{NAME}")
        at = _hidden_by(name, rules, folders) if uploaded else None
        if at and len(found) < _MAX_WITHHELD:
            found.append(Withheld(name, at))
    return tuple(found)


def _patterns(path: str) -> list[_Pattern]:
    text = read_text(path, "input")
    if not isinstance(text, Text) or "\\" in text.text:
        return []
    lines = enumerate(text.text.splitlines()[:_MAX_PATTERNS], 1)
    patterns = (_pattern(line.rstrip(), Location(path, number, 1)) for number, line in lines)
    return [pattern for pattern in patterns if pattern]


def _pattern(line: str, at: Location) -> _Pattern | None:
    if not line or line.startswith("#"):
        return None
    hides = not line.startswith("!")
    line = line.removeprefix("!")
    path = line.strip("/")
    if not path:
        return None
    anchored = "/" in line.rstrip("/")
    return _Pattern(tuple(path.split("/")), anchored, line.endswith("/"), hides, at)


def _hidden_by(name: str, rules: dict[str, list[_Pattern]], folders: set[str]) -> Location | None:
    """The pattern that hides the file `name`, or a folder that it lies in."""
    parts = name.split("/")
    for end in range(1, len(parts) + 1):
        path = "/".join(parts[:end])
        decisive = None
        for start in range(1, end):
            home = "/".join(parts[:start])
            for pattern in rules.get(home, ()):
                if _matches(pattern, parts[start:end], is_folder=path in folders):
                    decisive = pattern
        if decisive and decisive.hides:
            return decisive.at
    return None


def _matches(pattern: _Pattern, parts: list[str], *, is_folder: bool) -> bool:
    if pattern.folders_only and not is_folder:
        return False
    if not pattern.anchored:
        return _fits(pattern.segments[0], parts[-1])
    reached = {0}
    last = len(pattern.segments) - 1
    for number, segment in enumerate(pattern.segments):
        if segment == "**":
            first = min(reached, default=len(parts)) + (number == last)
            reached = set(range(first, len(parts) + 1))
        else:
            reached = {index + 1 for index in reached if index < len(parts) and _fits(segment, parts[index])}
    return len(parts) in reached


def _fits(segment: str, name: str) -> bool:
    return _compiled(segment).match(name) is not None


@lru_cache(maxsize=256)
def _compiled(segment: str) -> re.Pattern[str]:
    return re.compile(translate(segment))
