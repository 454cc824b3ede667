"""Where the paths of an entry's `files` lead, decided as SkillEvaluator's staging does, from `evals/`."""

import os
import re
import stat
from typing import Any

from gradewright.finding import Location
from gradewright.model import Fixture
from gradewright.read.skill.folder import list_fixtures

_URI = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://|(?:file|data|https?):)")
_DRIVE = re.compile(r"[A-Za-z]:/")
_EVALUATOR_FILE = re.compile(r"(?:evals|config|grader)\..+|EVAL\.md|SKILL\.md")
_EVALUATOR_FOLDERS = frozenset({"environment", "harbor", "results", "tests"})
_MAX_PATH = 4096


class Resolver:
    """Resolves fixture paths of one dataset; many entries name the same file, so answers are kept."""

    def __init__(self, evals: str) -> None:
        self._evals = evals
        self._known: dict[str, tuple[str, str]] = {}
        self._pool: dict[str, str] | None = None

    def fixture(self, path: Any, at: Location) -> Fixture:
        """The fixture that `path`, a value of `files`, stands for."""
        if not isinstance(path, str):
            return Fixture("", "not-text", at)
        answer = self._known.get(path)
        if answer is None:
            answer = self._known[path] = self._resolve(path)
        return Fixture(path, answer[0], at, answer[1])

    def _resolve(self, path: str) -> tuple[str, str]:
        form = _form(path)
        if form or len(path) > _MAX_PATH:
            return form or "missing", ""
        parts = [part for part in path.split("/") if part not in ("", ".")]
        readings = [parts[1:], parts] if parts[:1] == ["evals"] else [parts]
        if any(_is_evaluator(reading) for reading in readings):
            return "evaluator", ""
        for reading in readings:
            state = self._state(reading)
            if state != "missing":
                return state, ""
        return "missing", self._elsewhere(parts)

    def _state(self, parts: list[str]) -> str:
        current = self._evals
        for part in parts:
            current = os.path.join(current, part)
            try:
                mode = os.lstat(current).st_mode
            except PermissionError:
                return "unknown"
            except (OSError, ValueError):
                return "missing"
            if stat.S_ISLNK(mode):
                return "link"
        return "found"

    def _elsewhere(self, parts: list[str]) -> str:
        """The file that was probably meant, seen from `evals/`; `../` leads to the skill's root."""
        for base in ("files", os.pardir):
            if self._state([base, *parts]) == "found":
                return "/".join([base, *parts])
        if self._pool is None:
            self._pool = _by_name(list_fixtures(self._evals, []))
        return self._pool.get(parts[-1].casefold(), "")


def _by_name(paths: tuple[str, ...]) -> dict[str, str]:
    """The paths by their last part, in lower case; empty where several files have the same name."""
    found: dict[str, str] = {}
    for path in paths:
        name = path.rpartition("/")[2].casefold()
        found[name] = "" if name in found else path
    return found


def _form(path: str) -> str:
    """What is wrong with the spelling of `path`, whether or not anything is there; empty if nothing is."""
    if "\\" in path:
        return "backslash"
    if _URI.match(path):
        return "uri"
    if path.startswith("/") or _DRIVE.match(path):
        return "absolute"
    if os.pardir in path.split("/"):
        return "escapes"
    return "" if path.strip() else "blank"


def _is_evaluator(parts: list[str]) -> bool:
    if not parts:
        return True
    return parts[0] in _EVALUATOR_FOLDERS or (len(parts) == 1 and bool(_EVALUATOR_FILE.fullmatch(parts[0])))
