"""Where a task is graded: the image that its scripts run in, the scripts that this asks for, and its network."""

from typing import Any

from gradewright.contract import COMPOSE_FILE
from gradewright.finding import Location
from gradewright.model import Image, Problem
from gradewright.read.task.image import read_environment
from gradewright.read.task.tables import list_in, step_names, table_at
from gradewright.read.task.tree import Tree

_BUNDLES = ("Dockerfile", COMPOSE_FILE)


def missing_files(config: dict[str, Any], tree: Tree) -> tuple[str, ...]:
    """The instructions and test scripts that Harbor 0.26 asks for and that are not there."""
    steps = list_in(config.get("steps"))
    if not steps:
        wanted: list[tuple[str, ...]] = [("instruction.md",)]
        if not _bundled(config, {}, "", tree):
            wanted.append((f"tests/{_script_name(config, {})}",))
    else:
        wanted = []
        for number, name in step_names(config):
            home = f"steps/{name}/"
            wanted.append((f"{home}instruction.md",))
            if not _bundled(config, steps[number], home, tree):
                script = _script_name(config, steps[number])
                wanted.append((f"{home}tests/{script}", f"tests/{script}"))
    return tuple(names[0] for names in wanted if not any(name in tree.present for name in names))


def is_separate(config: dict[str, Any], step: dict[str, Any]) -> bool:
    """Whether the verifier runs in an image of its own, where Harbor does not look for a test script."""
    for verifier in (table_at(step, "verifier"), table_at(config, "verifier")):
        if "environment_mode" in verifier:
            return bool(verifier["environment_mode"] == "separate")
        if "environment" in verifier:
            return True
    return False


def _bundled(config: dict[str, Any], step: dict[str, Any], home: str, tree: Tree) -> bool:
    """Whether an own image of the verifier brings its test script itself."""
    if not is_separate(config, step):
        return False
    for tests, table in ((f"{home}tests/", step), ("tests/", config)):
        if table_at(table, "verifier", "environment").get("docker_image"):
            return True
        if any(tests + name in tree.present for name in _BUNDLES):
            return True
    return False


def _script_name(config: dict[str, Any], step: dict[str, Any]) -> str:
    """`test.bat` for a verifier on Windows, else `test.sh`."""
    system = table_at(config, "environment").get("os")
    if is_separate(config, step):
        own = (table_at(step, "verifier", "environment"), table_at(config, "verifier", "environment"))
        system = next((table["os"] for table in own if "os" in table), system)
    return "test.bat" if isinstance(system, str) and system.lower() == "windows" else "test.sh"


def verifier_image(
    folder: str, config: dict[str, Any], tree: Tree, image: Image, problems: list[Problem]
) -> Image | None:
    """The image that the scripts of `tests/` run in; None if that cannot be told."""
    if any(is_separate(config, step) for step in list_in(config.get("steps")) if isinstance(step, dict)):
        return None
    if not is_separate(config, {}):
        return image
    own = table_at(config, "verifier", "environment")
    if own.get("docker_image") or any(f"tests/{name}" in tree.present for name in _BUNDLES):
        return read_environment(f"{folder}/tests", own, problems).image
    return None if own else image


def network_off(config: dict[str, Any], step: dict[str, Any], root: Location, step_at: Location) -> Location | None:
    """Where the network of the verifier is turned off; None if it is not, or only in part.

    `root` is the place of `config`, `step_at` that of `step`, which is empty for the task itself.
    """
    phases = ((step, step_at.within("verifier")), (config, root.within("verifier")))
    for table, at in phases:
        phase = table_at(table, "verifier")
        if "network_mode" in phase:
            return at.within("network_mode") if phase["network_mode"] == "no-network" else None
    if is_separate(config, step):
        for table, at in phases:
            if "environment" in table_at(table, "verifier"):
                return _closed(table_at(table, "verifier", "environment"), at.within("environment"))
    return _closed(table_at(config, "environment"), root.within("environment"))


def _closed(environment: dict[str, Any], at: Location) -> Location | None:
    if "network_mode" in environment:
        return at.within("network_mode") if environment["network_mode"] == "no-network" else None
    if "allowed_hosts" not in environment and environment.get("allow_internet") is False:
        return at.within("allow_internet")
    return None
