"""Read `grading.json`, the verdicts that a grader agent leaves beside the outputs of a run.

Models write these files, so every part may be missing or named otherwise; what can be taken in is taken in.
"""

import math
import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from gradewright.contract import (
    COUNTER_SYNONYMS,
    GRADING_COUNTERS,
    GRADING_METADATA,
    GRADING_SYNONYMS,
    MAX_DATASET,
)
from gradewright.finding import Location
from gradewright.model import (
    DUPLICATE_KEY,
    MISSING_KEY,
    SYNTAX,
    UNKNOWN_KEY,
    WRONG_TYPE,
    Counter,
    Grading,
    Problem,
    Verdict,
    nearest,
    quoted,
    type_name,
)
from gradewright.read.data.document import parse
from gradewright.read.files import Text, read_text

_ROLE = "grading"
_MAX_PROBLEMS = 50
"""Faults of form that are listed for one file."""

_MAX_KEYS = 50
_MAX_NAME = 40
"""Keys of one object that may be another name of a key, and characters of them that are compared."""

_LIKENESS = 0.8
_UP = 3
"""How many folders are looked at for `eval_metadata.json`: of the run, of its configuration, of the evaluation."""


def read_grading(path: str, problems: list[Problem], *, belongs: str = "") -> Grading | None:
    """The verdicts in `path`; None if there is no such file or it is no object. What is wrong joins `problems`.

    `belongs` is where the file should lie instead; one without verdicts is then another's file, and nothing is said.
    """
    found: list[Problem] = []
    value = _value(path, found)
    if value is None:
        problems += [] if belongs else found
        return None
    at = Location(path)
    key, misnamed = _named("expectations", value, (), list)
    if belongs and not key:
        return None
    found += _misnamed(misnamed, at)
    verdicts, complete = _verdicts(value.get(key) if key else None, at.within(key), found)
    counters = tuple(_counters(value, at, found))
    if not key and "expectations" in value:
        detail = f"`expectations` is {type_name(value['expectations'])}, not a list"
        found.append(Problem(WRONG_TYPE, _ROLE, at.within("expectations"), detail, "expectations"))
    elif not key:
        found.append(_without_verdicts(at, bool(counters)))
    problems += found[:_MAX_PROBLEMS]
    return Grading(verdicts, counters, _declared(path), at, complete and bool(key), belongs)


def _without_verdicts(at: Location, counted: bool) -> Problem:
    if counted:
        return Problem(MISSING_KEY, _ROLE, at, "there are counters, but no `expectations`", "verdicts")
    return Problem(MISSING_KEY, _ROLE, at, "`expectations` is missing", "expectations")


def _value(path: str, problems: list[Problem]) -> dict[str, Any] | None:
    """The object in the file; None where that is anything else."""
    text = read_text(path, _ROLE, limit=MAX_DATASET)
    if not isinstance(text, Text):
        problems += [text] if text else []
        return None
    if text.text[:200].lstrip().startswith("```"):
        cure = "write the JSON without the fence"
        problems.append(Problem(SYNTAX, _ROLE, Location(path), "a Markdown fence stands around the JSON", cure=cure))
        return None
    value, found = parse(text, "json", _ROLE)
    problems += found
    if isinstance(value, dict):
        return value
    if all(problem.kind == DUPLICATE_KEY for problem in found):
        problems.append(Problem(WRONG_TYPE, _ROLE, Location(path), f"the file holds {type_name(value)}, not an object"))
    return None


def _named(wanted: str, table: dict[str, Any], others: tuple[str, ...], kind: type) -> tuple[str, tuple[str, str]]:
    """The key under which `table` has what `wanted` names, and with its right name if that is another."""
    if wanted in table:
        return wanted if isinstance(table[wanted], kind) else "", ("", "")
    known = GRADING_SYNONYMS.get(wanted, frozenset())
    free = [key for key in islice(table, _MAX_KEYS) if key not in others and isinstance(table[key], kind)]
    for key in free:
        if key.casefold().replace("-", "_").replace(" ", "_") in known:
            return key, (key, wanted)
    for key in free:
        if _is_near(key[:_MAX_NAME], wanted):
            return key, (key, wanted)
    return "", ("", "")


@lru_cache(maxsize=256)
def _is_near(key: str, wanted: str) -> bool:
    return bool(nearest(key, (wanted,), _LIKENESS))


def _misnamed(pair: tuple[str, str], at: Location) -> list[Problem]:
    found, wanted = pair
    if not found:
        return []
    return [Problem(UNKNOWN_KEY, _ROLE, at.within(found), f"{quoted(found)} is not read", found, wanted)]


def _verdicts(items: Any, at: Location, problems: list[Problem]) -> tuple[tuple[Verdict, ...], bool]:
    """The items of the list, and whether each of them is a verdict."""
    verdicts = []
    for number, item in enumerate(items if isinstance(items, list) else ()):
        place = at.within(number)
        if isinstance(item, dict):
            verdicts.append(_verdict(item, place, problems))
            continue
        detail = f"item {number + 1} of `expectations` is {type_name(item)}, not an object"
        problems.append(Problem(WRONG_TYPE, _ROLE, place, detail, "expectations"))
    return tuple(verdicts), isinstance(items, list) and len(verdicts) == len(items)


def _verdict(item: dict[str, Any], at: Location, problems: list[Problem]) -> Verdict:
    taken: tuple[str, ...] = ("text", "passed", "evidence")
    values = []
    for wanted in ("passed", "text", "evidence"):
        key, misnamed = _named(wanted, item, taken, object)
        problems += _misnamed(misnamed, at)
        taken += (key,)
        values.append(item.get(key) if key else None)
        if not key and wanted != "evidence":
            problems.append(Problem(MISSING_KEY, _ROLE, at, f"`{wanted}` is missing", wanted))
    passed, text, evidence = values
    judged = any(key in item for key in taken[3:4])
    return Verdict(text, passed, evidence, frozenset(item), at, judged)


def _counters(value: dict[str, Any], at: Location, problems: list[Problem]) -> Iterator[Counter]:
    """The counters of `summary`, and those that stand at the top level of the file."""
    summary = value.get("summary")
    if isinstance(summary, dict):
        yield from _numbers(summary, at.within("summary"), problems)
        for wanted in GRADING_COUNTERS:
            if wanted not in summary:
                names = COUNTER_SYNONYMS[wanted]
                key = next((key for key in islice(summary, _MAX_KEYS) if key.casefold() in names), "")
                problems += _misnamed((key, wanted), at.within("summary"))
    elif summary is not None:
        detail = f"`summary` is {type_name(summary)}, not an object"
        problems.append(Problem(WRONG_TYPE, _ROLE, at.within("summary"), detail, "summary"))
    yield from _numbers({key: number for key, number in value.items() if _number(number) is not None}, at, problems)


def _numbers(table: dict[str, Any], at: Location, problems: list[Problem]) -> Iterator[Counter]:
    for name in GRADING_COUNTERS:
        if name not in table:
            continue
        number = _number(table[name])
        if number is not None:
            yield Counter(name, number, at.within(name))
        else:
            value = table[name]
            what = f"{quoted(value)}, not a finite" if isinstance(value, float) else f"{type_name(value)}, not a"
            detail = f"`{name}` is {what} number"
            problems.append(Problem(WRONG_TYPE, _ROLE, at.within(name), detail, "counter"))


def _number(value: Any) -> float | None:
    """The finite number that `value` is; None for everything else, a boolean included."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:
        return None


def _declared(path: str) -> tuple[str, ...]:
    """The expectations that the evaluation announces for each of its runs; what is wrong with that file is not ours."""
    folder = os.path.dirname(path)
    for _ in range(_UP):
        text = read_text(os.path.join(folder, GRADING_METADATA), _ROLE)
        if isinstance(text, Text):
            value = parse(text, "json", _ROLE)[0]
            return tuple(_texts(value)) if isinstance(value, dict) else ()
        folder = os.path.join(folder, os.pardir)
    return ()


def _texts(metadata: dict[str, Any]) -> Iterator[str]:
    """The texts of the announced expectations, which may be objects with a text."""
    listed = metadata.get("expectations") or metadata.get("assertions")
    for item in listed if isinstance(listed, list) else ():
        text = item.get("text", item.get("description", item.get("name"))) if isinstance(item, dict) else item
        if isinstance(text, str):
            yield text
