"""The files of a task that say how it is solved or graded, and how to know them again under another name."""

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from gradewright.model import (
    LEAKS_ANSWER,
    LEAKS_GRADING,
    LEAKS_SKILL,
    LEAKS_SOLUTION,
    LEAKS_SOLUTION_PART,
    LEAKS_TESTS,
)
from gradewright.read.files import read_bytes

_HOME = re.compile(r"(?:steps/[^/]+/)?(tests|solution)/(.+)")
_SOLVE = re.compile(r"solve\.(?:sh|bat|py)\Z")
_GRADING = re.compile(r"(?:test\.(?:sh|bat)|grader\.(?:py|sh))\Z")
_TEST = re.compile(r"(?:test_[^/]*|[^/]*_test)\.py\Z")
_ANSWER = re.compile(
    r"(?:.*[._-])?(?:expected|answers?|answer_key|golden|ground_truth|oracle|solution)(?:[._-][^/]*)?\.[a-z0-9]+\Z"
)
_ANSWER_FOLDER = re.compile(r"(?:\A|/)(?:expected(?:[_-]outputs?)?|answers|golden|ground_truth|oracle)/")
_KEY = re.compile(r"(?:.*[._-])?(?:answer[_-]?keys?|ground[_-]?truth)(?:[._-][^/]*)?\.[a-z0-9]+\Z")
_REMARKS = ("#", "REM ", "::")
_CODE = (".sh", ".bat", ".py")
_SETTLED = 8
"""Bytes by which equal texts may differ beside their line endings: a mark at the start, blank lines at the end."""

_MAX_SECRETS = 60
_MAX_BYTES = 1 << 20
_LEAST_NAMED = 3
_LEAST_DATA = 32
_LEAST_CODE = 40


class Secret(NamedTuple):
    """A file that the agent must not see: its path relative to the task, what it is, and its content."""

    path: str
    kind: str
    content: str
    size: int
    lines: int

    @property
    def code(self) -> bool:
        return self.path.endswith(_CODE)

    def may_be(self, size: int) -> bool:
        """Whether a file of `size` bytes may have this content: of code, comments and blank lines do not count."""
        if self.code:
            return len(self.content) // 2 <= size <= 2 * self.size + 400
        return self.size - _SETTLED <= size <= self.size + self.lines + _SETTLED

    def equals(self, path: str, content: str) -> bool:
        """Whether the file `path` with this `content` is a copy: one of another name has to be longer for that."""
        if content != self.content:
            return False
        least = _LEAST_CODE if self.code else _LEAST_DATA
        return len(content) >= (_LEAST_NAMED if os.path.basename(path) == os.path.basename(self.path) else least)


def kind_of(name: str) -> str:
    """What the file `name` (relative to the task) tells by where it lies; empty if it may tell nothing."""
    match = _HOME.match(name)
    if not match:
        return ""
    home, base = match[1], os.path.basename(name)
    if home == "solution":
        if _SOLVE.match(base):
            return LEAKS_SOLUTION
        return LEAKS_SOLUTION_PART if base.endswith(_CODE) else LEAKS_ANSWER if tells_answer(name) else ""
    if _GRADING.match(match[2]):
        return LEAKS_GRADING
    if _TEST.match(base):
        return LEAKS_TESTS
    return LEAKS_ANSWER if tells_answer(match[2]) and not base.endswith(_CODE) else ""


def tells_answer(name: str) -> bool:
    """Whether a file is called like an expected result, or lies in a folder of them."""
    return bool(_ANSWER.match(os.path.basename(name)) or _ANSWER_FOLDER.search(name))


def is_answer_key(name: str) -> bool:
    """Whether a file is called so plainly the right answer that no agent is meant to have it."""
    return bool(_KEY.match(os.path.basename(name)))


def secrets_of(folder: str, present: Iterable[str], skill_md: str) -> list[Secret]:
    """The secrets of the task in `folder`; `skill_md` is the path of the evaluated skill's text, or empty."""
    named = sorted((kind, name) for name in present if (kind := kind_of(name)))
    order = [LEAKS_SOLUTION, LEAKS_GRADING, LEAKS_TESTS, LEAKS_ANSWER, LEAKS_SOLUTION_PART]
    named.sort(key=lambda item: order.index(item[0]))
    found = list(_read(folder, named[:_MAX_SECRETS]))
    data = read_bytes(skill_md, "input", limit=_MAX_BYTES) if skill_md else None
    if isinstance(data, bytes):
        found.append(_secret("SKILL.md", LEAKS_SKILL, data))
    return found


def _read(folder: str, named: list[tuple[str, str]]) -> Iterator[Secret]:
    for kind, name in named:
        data = read_bytes(f"{folder}/{name}", "input", limit=_MAX_BYTES)
        if isinstance(data, bytes):
            yield _secret(name, kind, data)


def _secret(name: str, kind: str, data: bytes) -> Secret:
    content = content_of(data, code=name.endswith(_CODE))
    return Secret(name, kind, content, len(data), data.count(b"\n"))


@lru_cache(maxsize=16)
def content_of(data: bytes, *, code: bool) -> str:
    """What counts in a file: line endings do not, nor do comments and blank lines of code.

    The last ones are kept: tasks often share their scripts.
    """
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff").replace("\r\n", "\n")
    if not code:
        return text.strip()
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join([line for line in lines if line and not line.lstrip().startswith(_REMARKS)])
