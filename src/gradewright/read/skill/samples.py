"""Read the samples of a skill: `evals/samples/<case>/<name>/`."""

import os
import stat
from collections.abc import Iterator
from typing import Any

from gradewright.finding import Location
from gradewright.model import IRREGULAR, UNREADABLE, WRONG_VALUE, Bounds, Problem, Sample
from gradewright.read.data.document import parse
from gradewright.read.data.schema import mismatches
from gradewright.read.files import Text, read_text

FOLDER = "samples"
"""Where samples lie, in `evals/` of a skill and in a bare Harbor task."""

MAX_SAMPLES = 10_000
"""Samples of one case that are read."""


def read_samples(folder: str, problems: list[Problem]) -> Iterator[Sample]:
    """The samples of all cases below `folder`, in order; what is wrong with one joins `problems`."""
    for case in _folders(folder, problems):
        for name in _folders(os.path.join(folder, case), problems)[:MAX_SAMPLES]:
            yield read_sample(os.path.join(folder, case, name), case, problems)


def read_sample(folder: str, case: str, problems: list[Problem]) -> Sample:
    """The sample in `folder`, whose name tells its verdict where `expect.toml` does not: `good...` or `bad...`."""
    name = os.path.basename(os.path.abspath(folder))
    expected = _expectation(os.path.join(folder, "expect.toml"), problems)
    told = {"pass": True, "fail": False}.get(str(expected.get("verdict")))
    named = True if name.startswith("good") else False if name.startswith("bad") else None
    if told is not None and named is not None and told != named:
        detail = f"`verdict` contradicts the sample's name, `{name}`"
        at = Location(os.path.join(folder, "expect.toml")).within("verdict")
        problems.append(Problem(WRONG_VALUE, "expectation", at, detail, "verdict"))
    return Sample(
        case=case,
        name=name,
        passes=named if told is None else told,
        at=Location(folder),
        overall=_bounds(expected["overall"]) if "overall" in expected else None,
        metrics={metric: _bounds(value) for metric, value in expected.get("metrics", {}).items()},
        workspace=_part(folder, "workspace", stat.S_IFDIR, problems),
        trajectory=_part(folder, "trajectory.json", stat.S_IFREG, problems),
        logs=_part(folder, "logs", stat.S_IFDIR, problems),
    )


def _expectation(path: str, problems: list[Problem]) -> dict[str, Any]:
    """What `expect.toml` says; nothing if it does not parse or does not fit its schema."""
    text = read_text(path, "expectation")
    if not isinstance(text, Text):
        problems += [text] if text else []
        return {}
    value, found = parse(text, "toml", "expectation")
    if isinstance(value, dict):
        found = [*found, *mismatches(value, "expectation", "expectation", Location(path))]
    problems += found
    return value if isinstance(value, dict) and not found else {}


def _bounds(value: Any) -> Bounds:
    low, high = value if isinstance(value, list) else (value, value)
    return float(low), float(high)


def _part(folder: str, name: str, kind: int, problems: list[Problem]) -> str | None:
    """The path of a part of the sample; None if it is not there or is of another kind, such as a link."""
    path = os.path.join(folder, name)
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return None
    if stat.S_IFMT(mode) == kind:
        return path
    what = "a folder" if kind == stat.S_IFDIR else "a file"
    problems.append(Problem(IRREGULAR, "sample", Location(path), f"is not {what}"))
    return None


def _folders(folder: str, problems: list[Problem]) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            folders = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except FileNotFoundError:
        return []
    except OSError as error:
        problems.append(Problem(UNREADABLE, "folder", Location(folder), error.strerror or str(error)))
        return []
    return sorted(name for name in folders if not name.startswith("."))
