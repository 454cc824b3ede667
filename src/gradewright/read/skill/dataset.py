"""Read the dataset, `evals/evals.{json,jsonl,yaml,yml}`, in every shape that SkillEvaluator takes."""

import os
from typing import Any

from gradewright.contract import DATASET_FILES, MAX_DATASET
from gradewright.finding import Location
from gradewright.model import (
    OVERSIZED,
    UNKNOWN_KEY,
    WRONG_TYPE,
    Case,
    Dataset,
    Fixture,
    Problem,
    meant,
    nearest,
    type_name,
)
from gradewright.read.data.document import parse
from gradewright.read.files import read_text
from gradewright.read.skill.fixtures import Resolver

_SYNTAX = {"evals.json": "json", "evals.jsonl": "jsonl", "evals.yaml": "yaml", "evals.yml": "yaml"}
_PLATFORM_KEYS = (
    "id", "prompt", "expected_output", "assertions", "files",
    "question", "ground_truth", "expected_behavior", "expected_skill", "expected_script",
)  # fmt: skip
_HARMLESS_KEYS = frozenset(
    {"expectations", "eval_name", "notes", "fixture_root", "runs_root", "acceptable_skills", "should_trigger", "slug"}
)
"""Keys seen in working datasets that SkillEvaluator does not read."""
_SYNONYMS = {"prompt": "question", "expected_output": "ground_truth", "assertions": "expected_behavior"}
_MAX_KEY = 40
_MAX_UNKNOWN = 500
"""Different unknown keys of one dataset that are compared with the known ones."""
MAX_ENTRIES = 20_000
_MAX_FIXTURES = 50_000
"""Paths of all `files` together that are looked up; a bound for hostile input only."""


def read_dataset(evals: str, problems: list[Problem]) -> Dataset | None:
    """The dataset in the folder `evals`; None if there is none. What cannot be taken in is added to `problems`."""
    present = [name for name in DATASET_FILES if os.path.lexists(os.path.join(evals, name))]
    if not present:
        return None
    path = os.path.join(evals, present[0])
    ignored = tuple(Location(os.path.join(evals, name)) for name in present[1:])
    unreadable = Dataset("unreadable", None, (), ignored, Location(path))
    text = read_text(path, "dataset", limit=MAX_DATASET)
    if text is None:
        return None
    if isinstance(text, Problem):
        problems.append(text)
        return unreadable
    value, found = parse(text, _SYNTAX[present[0]], "dataset")
    problems += found
    if value is None and found:
        return unreadable
    return _interpret(value, evals, unreadable, problems)


def _interpret(value: Any, evals: str, unreadable: Dataset, problems: list[Problem]) -> Dataset:
    at = unreadable.at
    shape, place, entries = _shape(value, at)
    if shape == "unreadable":
        problems.append(_no_entries(value, place))
        return unreadable
    if len(entries) > MAX_ENTRIES:
        problems.append(
            Problem(OVERSIZED, "dataset", place, f"holds {len(entries):,} entries, more than {MAX_ENTRIES:,}")
        )
        return unreadable
    skill_name = None
    if isinstance(value, dict) and shape != "single":
        name_key = "skill" if shape == "cases" else "skill_name"
        skill_name = value.get(name_key)
        problems += _misspelled(value, (name_key,), "dataset", at, {})
    reader = _Entries(evals, problems)
    cases = tuple(
        case
        for number, entry in enumerate(entries)
        if (case := reader.case(entry, at if shape == "single" else place.within(number)))
    )
    if entries and not cases:
        return unreadable
    return unreadable._replace(shape=shape, skill_name=skill_name, cases=cases)


def _shape(value: Any, at: Location) -> tuple[str, Location, list[Any]]:
    if isinstance(value, list):
        return ("lines" if at.path.endswith(".jsonl") else "legacy"), at, value
    if not isinstance(value, dict):
        return "unreadable", at, []
    for key, shape in (("evals", "agentskills"), ("cases", "cases")):
        if key in value:
            entries = value[key]
            found = isinstance(entries, list)
            return (shape if found else "unreadable"), at.within(key), entries if found else []
    if "prompt" in value or "question" in value:
        return "single", at, [value]
    return "unreadable", at, []


def _no_entries(value: Any, place: Location) -> Problem:
    if not isinstance(value, dict):
        return Problem(WRONG_TYPE, "dataset", place, f"the dataset is {type_name(value)}")
    if place.keys:
        key = str(place.keys[-1])
        return Problem(WRONG_TYPE, "dataset", place, f"`{key}` is {type_name(value[key])}, not a list", key)
    names = [key for key in value if isinstance(key, str) and len(key) <= _MAX_KEY]
    near = next((name for name in names if nearest(name, ("evals", "cases"), 0.7)), "")
    return Problem(WRONG_TYPE, "dataset", place, "there is no list `evals`", "evals", near)


class _Entries:
    """Turn the entries of one dataset into cases; remembers what it has already looked up."""

    def __init__(self, evals: str, problems: list[Problem]) -> None:
        self._problems = problems
        self._resolver = Resolver(evals)
        self._near: dict[str, tuple[str, str]] = {}
        self._room = _MAX_FIXTURES

    def case(self, entry: Any, at: Location) -> Case | None:
        if not isinstance(entry, dict):
            self._problems.append(Problem(WRONG_TYPE, "entry", at, f"the entry is {type_name(entry)}"))
            return None
        fields = frozenset(key for key in entry if isinstance(key, str))
        self._problems += _misspelled(entry, _PLATFORM_KEYS, "entry", at, self._near)
        return Case(
            id=entry.get("id"),
            prompt=entry.get("prompt", entry.get("question")),
            expected_output=entry.get("expected_output", entry.get("ground_truth")),
            assertions=entry.get("assertions", entry.get("expected_behavior")),
            expected_skill=entry.get("expected_skill"),
            fixtures=self._fixtures(entry.get("files"), at.within("files")),
            fields=fields,
            at=at,
            expectations=entry.get("expectations"),
            entry=entry,
        )

    def _fixtures(self, files: Any, at: Location) -> tuple[Fixture, ...] | None:
        if files is None:
            return None
        if not isinstance(files, list):
            return (self._resolver.fixture(files, at),)
        taken = files[: self._room]
        self._room -= len(taken)
        return tuple(self._resolver.fixture(item, at.within(number)) for number, item in enumerate(taken))


def _misspelled(
    table: dict[Any, Any], known: tuple[str, ...], role: str, at: Location, memory: dict[str, tuple[str, str]]
) -> list[Problem]:
    """Keys that the platform does not know and that look like one it knows, which is not there under its own name."""
    found = []
    for key in table:
        if not isinstance(key, str) or key in known or key in _HARMLESS_KEYS:
            continue
        found_before = memory.get(key)
        if found_before is None:
            found_before = memory[key] = _near_miss(key, known) if len(memory) < _MAX_UNKNOWN else ("", "")
        near, sure = found_before
        if near and near not in table and _SYNONYMS.get(near) not in table:
            found.append(Problem(UNKNOWN_KEY, role, at.within(key), "", key, near, meant=sure))
    return found


def _near_miss(key: str, known: tuple[str, ...]) -> tuple[str, str]:
    """The known key that `key` looks like, and again if it can be no other; empty texts if there is none."""
    near = nearest(key, known, 0.82) if len(key) <= _MAX_KEY else ""
    if not near or not -2 <= len(key) - len(near) <= 1:
        return "", ""
    return near, meant(key, known)
