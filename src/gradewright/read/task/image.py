"""Read what a task's environment is built from, and whether the build finds what it copies."""

import os
from posixpath import normpath
from typing import Any, NamedTuple

from gradewright.finding import Location
from gradewright.model import Image, Packages, Problem, Source
from gradewright.read.files import read_text
from gradewright.read.task.compose import Building, Compose, Mount, overlooked_compose, read_compose
from gradewright.read.task.ignorefile import Ignored
from gradewright.read.task.layers import Layers
from gradewright.read.task.packages import packages_of
from gradewright.read.task.plan import read_plan

_MAX_PARTS = 8


class Build(NamedTuple):
    """How the agent's image is built: what each stage does to files, and the folders that they come from.

    `contexts` are pairs of a name (empty for the build context itself) and a folder.
    """

    stages: tuple[Layers, ...]
    target: str
    contexts: tuple[tuple[str, str], ...]
    ignored: Ignored
    dockerfile: str
    at: Location | None = None

    def place(self, line: int, column: int) -> Location:
        """Where an instruction stands; the compose file's `dockerfile_inline` as a whole if it is spelt out there."""
        return self.at or Location(self.dockerfile, line, column)


class Environment(NamedTuple):
    """An image, how it is built (None if it is not, or if that cannot be told), and what it sees of the host."""

    image: Image
    build: Build | None
    mounts: tuple[Mount, ...] = ()


def read_environment(environment: str, config: dict[str, Any], problems: list[Problem]) -> Environment:
    """What the folder `environment` (also the build context) and the table `[environment]` make an image from.

    Facts that depend on what only a build knows (variables, patterns, remote contexts) are left out.
    """
    compose = read_compose(environment, problems)
    mounts = compose.mounts if compose else ()
    prebuilt = config.get("docker_image")
    own = compose.main if compose else None
    kind = "compose" if own or (compose and not compose.known) else "dockerfile"
    building = own or Building(environment, f"{environment}/Dockerfile", Location(environment))
    text = building.inline if building.inline is not None else _dockerfile(building, problems)
    if prebuilt:
        packages = packages_of(prebuilt, ()) if isinstance(prebuilt, str) and not compose else Packages()
        at = Location(environment if text is None else building.dockerfile)
        return Environment(Image("docker_image", None, None, (), at, packages=packages), None, mounts)
    missing = _without_dockerfile(building, text, compose)
    if text is None:
        kind = "compose" if compose else "dockerfile" if _exists(building.dockerfile) else "none"
        return Environment(Image(kind, None, None, (), Location(environment), missing=missing), None, mounts)
    built = _built(kind, building, text, compose)
    overlooked = None if compose else overlooked_compose(environment)
    return built._replace(mounts=mounts, image=built.image._replace(overlooked=overlooked))


def _dockerfile(building: Building, problems: list[Problem]) -> str | None:
    text = read_text(building.dockerfile, "dockerfile") if building.known else None
    if isinstance(text, Problem):
        problems.append(text)
        return None
    return text.text if text else None


def _built(kind: str, building: Building, text: str, compose: Compose | None) -> Environment:
    plan = read_plan(text)
    inline = building.at.within("dockerfile_inline") if building.inline is not None else None
    at = inline or Location(building.dockerfile)
    missing = _without_dockerfile(building, text, compose)
    if (compose and not compose.known) or not building.known:
        return Environment(Image(kind, plan.base, None, (), at, missing=missing), None)
    ignored = Ignored(f"{building.dockerfile}.dockerignore", f"{building.context}/.dockerignore")
    contexts = (("", building.context), *building.contexts)
    build = Build(plan.stages, building.target, contexts, ignored, building.dockerfile, inline)
    sources = () if building.target else tuple(_source(build, *path) for path in plan.paths)
    python, packages = (None, Packages()) if building.target else (plan.python, plan.packages)
    image = Image(kind, plan.base, python, sources, at, plan.based, packages, missing=missing)
    return Environment(image, build)


def _without_dockerfile(building: Building, text: str | None, compose: Compose | None) -> tuple[Source, ...]:
    """The Dockerfiles that a compose file builds services from and that are not there."""
    if not compose or not compose.known:
        return ()
    wanted = [other for other in compose.others if other.known and other.inline is None]
    if text is None and building.known and not compose.image:
        wanted.insert(0, building)
    absent = [other for other in wanted if not _exists(other.dockerfile)]
    return tuple(Source(_below(other), other.at, found=False) for other in absent)


def _below(building: Building) -> str:
    """The path of a Dockerfile, as seen from the folder that the compose file is in."""
    home = os.path.dirname(building.at.path)
    return os.path.relpath(building.dockerfile, home).replace(os.sep, "/")


def _source(build: Build, word: str, line: int, column: int) -> Source:
    context, at = dict(build.contexts)[""], build.place(line, column)
    shown = os.path.basename(os.path.abspath(context))
    inside = normpath("/" + word).lstrip("/")
    if inside and build.ignored.surely(inside) and _exists(f"{context}/{inside}"):
        return Source(word, at, found=False, ignored=True, context=shown)
    if not inside or _exists(f"{context}/{inside}"):
        return Source(word, at)
    parts = inside.split("/")
    shorter = ("/".join(parts[start:]) for start in range(1, min(len(parts), _MAX_PARTS + 1)))
    elsewhere = next((rest for rest in shorter if _exists(f"{context}/{rest}")), "")
    return Source(word, at, found=False, elsewhere=elsewhere, context=shown)


def _exists(path: str) -> bool:
    """Whether `path` is there, or may be: only a clear answer of the system counts as absence."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return True
    return True
