"""Read `evals/config.yml`: how tasks are made and how they are graded."""

import os
from typing import Any

from gradewright.contract import CONFIG_FILES, PASS_THRESHOLD
from gradewright.finding import Location
from gradewright.model import Policy, Problem
from gradewright.read.data.document import parse
from gradewright.read.data.schema import mismatches
from gradewright.read.files import read_text

_DEFAULT_MODE = "default"
_DEFAULT_SOURCE = "auto"


def read_policy(evals: str, problems: list[Problem]) -> Policy:
    """The policy in the folder `evals`, the platform's defaults where there is no file or it is silent.

    What cannot be taken in, and what does not fit the schema, is added to `problems`.
    """
    present = [name for name in CONFIG_FILES if os.path.lexists(os.path.join(evals, name))]
    at = Location(os.path.join(evals, present[0] if present else CONFIG_FILES[0]))
    ignored = tuple(Location(os.path.join(evals, name)) for name in present[1:])
    text = read_text(at.path, "config") if present else None
    if text is None:
        return _policy({}, (), at, exists=False)
    unreadable = Policy(None, None, None, frozenset(), ignored, True, at)
    if isinstance(text, Problem):
        problems.append(text)
        return unreadable
    value, found = parse(text, "yaml", "config")
    problems += found
    if value is None:
        if found:
            return unreadable
        value = {}
    problems += mismatches(value, "config", "config", at)
    return _policy(value, ignored, at, exists=True) if isinstance(value, dict) else unreadable


def _policy(value: dict[Any, Any], ignored: tuple[Location, ...], at: Location, *, exists: bool) -> Policy:
    return Policy(
        mode=_setting(value, "grading", "mode", _DEFAULT_MODE),
        task_source=_setting(value, "harbor", "task_source", _DEFAULT_SOURCE),
        pass_threshold=_setting(value, "harbor", "pass_threshold", PASS_THRESHOLD),
        written=frozenset(_keys(value)),
        ignored=ignored,
        exists=exists,
        at=at,
    )


def _setting(value: dict[Any, Any], table: str, key: str, default: Any) -> Any:
    """The value of `table.key`; None where the table is not one, so that nothing is concluded from it."""
    inner = value.get(table, {})
    return inner.get(key, default) if isinstance(inner, dict) else None


def _keys(value: dict[Any, Any]) -> list[str]:
    keys = []
    for name, inner in value.items():
        keys.append(str(name)) if isinstance(name, str) else None
        if isinstance(name, str) and isinstance(inner, dict):
            keys += [f"{name}.{key}" for key in inner if isinstance(key, str)]
    return keys
