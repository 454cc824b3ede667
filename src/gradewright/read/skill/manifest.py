"""Read `dataset.toml`, the list of the tasks in a dataset."""

from typing import Any

from gradewright.finding import Location
from gradewright.model import WRONG_TYPE, Listed, Manifest, Problem, type_name
from gradewright.read.data.document import parse
from gradewright.read.files import read_text


def read_manifest(path: str, problems: list[Problem]) -> Manifest | None:
    """The manifest at `path`; None if there is none. What cannot be taken in is added to `problems`."""
    text = read_text(path, "manifest")
    if text is None:
        return None
    at = Location(path)
    if isinstance(text, Problem):
        problems.append(text)
        return Manifest(None, (), at, readable=False)
    value, found = parse(text, "toml", "manifest")
    problems += found
    if not isinstance(value, dict):
        return Manifest(None, (), at, readable=False)
    wrong: list[Problem] = []
    dataset = _table(value.get("dataset", {}), at.within("dataset"), wrong)
    tasks = _listed(value.get("tasks", []), at.within("tasks"), wrong)
    problems += wrong
    return Manifest(dataset.get("name"), tasks, at, readable=not wrong)


def _table(value: Any, at: Location, wrong: list[Problem]) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    name = f"`{at.keys[0]}`" if len(at.keys) == 1 else f"entry {int(at.keys[1]) + 1} of `tasks`"
    wrong.append(Problem(WRONG_TYPE, "manifest", at, f"{name} is {type_name(value)}, not a table"))
    return {}


def _listed(value: Any, at: Location, wrong: list[Problem]) -> tuple[Listed, ...]:
    if not isinstance(value, list):
        wrong.append(
            Problem(WRONG_TYPE, "manifest", at, f"`tasks` is {type_name(value)}, not a list of tables", "tasks")
        )
        return ()
    listed = []
    for number, entry in enumerate(value):
        place = at.within(number)
        table = _table(entry, place, wrong)
        listed.append(Listed(table.get("name"), table.get("digest"), place))
    return tuple(listed)
