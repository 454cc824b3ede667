"""Read what a task's environment is built from, and whether the build finds what it copies."""

import os
from posixpath import normpath
from typing import Any

from gradewright.finding import Location
from gradewright.model import Image, Problem, Source
from gradewright.read.files import Text, read_text
from gradewright.read.task.packages import packages_of
from gradewright.read.task.plan import read_plan

_MAX_PARTS = 8
_DEFAULT_MAIN = {"build", "image", "extends"}


def read_image(environment: str, config: dict[str, Any], problems: list[Problem]) -> Image:
    """What the folder `environment` (also the build context) and the table `[environment]` make an image from.

    Facts that depend on what only a build knows (variables, patterns, `.dockerignore`, other contexts) are left out.
    """
    path = f"{environment}/Dockerfile"
    text = read_text(path, "dockerfile")
    if isinstance(text, Problem):
        problems.append(text)
        text = None
    kind = _kind(environment, config, found=text is not None)
    if text is None or kind in ("docker_image", "none"):
        image = Image(kind, None, None, (), Location(environment if text is None else path))
        name = config.get("docker_image")
        return image._replace(packages=packages_of(name, ())) if isinstance(name, str) else image
    plan = read_plan(text.text)
    if kind == "compose":
        return Image(kind, plan.base, None, (), Location(path))
    sources = tuple(_source(environment, word, Location(path, line, column)) for word, line, column in plan.paths)
    return Image(kind, plan.base, plan.python, sources, Location(path), plan.based, plan.packages)


def _kind(environment: str, config: dict[str, Any], *, found: bool) -> str:
    if config.get("docker_image"):
        return "docker_image"
    if os.path.lexists(f"{environment}/docker-compose.yaml") and not (found and _builds_default(environment)):
        return "compose"
    return "dockerfile" if found else "none"


def _builds_default(environment: str) -> bool:
    """Whether the compose file leaves the service `main` to Harbor, which builds the Dockerfile beside it."""
    from gradewright.read.data.document import parse

    text = read_text(f"{environment}/docker-compose.yaml", "compose")
    value = parse(text, "yaml", "compose")[0] if isinstance(text, Text) else None
    services = value.get("services") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(services, dict) or "include" in value:
        return False
    main = services.get("main")
    return main is None or (isinstance(main, dict) and not _DEFAULT_MAIN & set(main))


def _source(environment: str, word: str, at: Location) -> Source:
    inside = normpath("/" + word).lstrip("/")
    if not inside or _exists(f"{environment}/{inside}"):
        return Source(word, at)
    parts = inside.split("/")
    shorter = ("/".join(parts[start:]) for start in range(1, min(len(parts), _MAX_PARTS + 1)))
    elsewhere = next((rest for rest in shorter if _exists(f"{environment}/{rest}")), "")
    return Source(word, at, found=False, elsewhere=elsewhere)


def _exists(path: str) -> bool:
    """Whether `path` is there, or may be: only a clear answer of the system counts as absence."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return True
    return True
