"""What the agent must not see and gets with its image or its mounts: the solution, the tests, the expected answer."""

import os
from collections.abc import Iterable, Iterator
from posixpath import normpath
from typing import Any, NamedTuple

from gradewright.finding import Location
from gradewright.model import LEAKS_ANSWER, LEAKS_SKILL, LEAKS_SOLUTION, Image, Leak, Problem
from gradewright.read.files import read_bytes
from gradewright.read.task.compose import Mount
from gradewright.read.task.image import Build, Environment, read_environment
from gradewright.read.task.layers import Copy, Layers, Removal, arrivals, stage_number
from gradewright.read.task.secrets import Secret, content_of, is_answer_key, kind_of, secrets_of, tells_answer
from gradewright.read.task.tree import Tree

_MAX_COMPARED = 100
_MAX_BYTES = 1 << 20
_MAX_LEAKS = 50
_OWN = ("solution/solve.sh", "solution/solve.bat")


class _Way(NamedTuple):
    """How a file reaches the agent."""

    via: str
    at: Location
    certain: bool = True


def agent_image(folder: str, config: dict[str, Any], tree: Tree, problems: list[Problem], *, in_skill: bool) -> Image:
    """The image that the agent works in, with what it must not see there."""
    environment = read_environment(f"{folder}/environment", config, problems)
    if not (environment.mounts or (environment.build and _brings(environment.build))):
        return environment.image
    skill_md = normpath(f"{folder}/../../../SKILL.md") if in_skill else ""
    found = _Search(folder, tree, environment, skill_md).leaks()
    return environment.image._replace(leaks=tuple(found))


def _lineage(stages: tuple[Layers, ...], target: str) -> Iterator[Copy | Removal]:
    """The steps of the stage that becomes the image, and of those it builds on."""
    number = stage_number(stages, target.lower()) if target else len(stages) - 1
    while number >= 0:
        yield from stages[number].steps
        number = stages[number].parent


def _brings(build: Build) -> bool:
    return any(isinstance(step, Copy) for stage in build.stages for step in stage.steps)


class _Search:
    def __init__(self, folder: str, tree: Tree, environment: Environment, skill_md: str) -> None:
        self._folder, self._tree, self._build, self._mounts = folder, tree, environment.build, environment.mounts
        self._skill_md = skill_md
        self._links = tuple(f"{link}/" for link in tree.links)
        self._secrets = secrets_of(folder, tree.present, skill_md)

    def leaks(self) -> list[Leak]:
        """One leak for each file of the grading that reaches the agent, sorted by path."""
        found = list(self._texts())
        for name, of, kind in [*self._named(), *self._copies()]:
            if len(found) >= _MAX_LEAKS:
                break
            way = self._way(name)
            if way and (of != name or kind != LEAKS_ANSWER or _asked_for(way) or is_answer_key(name)):
                found.append(Leak(name, of, kind, way.via, way.at, way.certain))
        way = self._way_of(self._skill_md) if self._skill_md else None
        return [*found, Leak("SKILL.md", "SKILL.md", LEAKS_SKILL, way.via, way.at)] if way else found

    def _files(self) -> list[str]:
        """What there is, without links and what lies behind them: a build context takes in a link, not its target."""
        return sorted(name for name in self._tree.present if not f"{name}/".startswith(self._links))

    def _named(self) -> Iterator[tuple[str, str, str]]:
        """Files that tell by their path alone what they are."""
        for name in self._files():
            if not name.startswith("environment/"):
                kind = kind_of(name)
                if kind:
                    yield name, name, kind
            elif name.endswith(_OWN) and os.path.dirname(os.path.dirname(name)) == "environment":
                yield name, name.removeprefix("environment/"), LEAKS_SOLUTION
            elif is_answer_key(name) or (
                name.startswith("environment/tests/") and tells_answer(os.path.basename(name))
            ):
                yield name, name, LEAKS_ANSWER

    def _copies(self) -> Iterator[tuple[str, str, str]]:
        """Files of `environment/` that have the content of a secret, each with the secret."""
        room = _MAX_COMPARED
        for name in self._files():
            if not name.startswith("environment/") or name.endswith(_OWN):
                continue
            try:
                size = os.stat(f"{self._folder}/{name}").st_size
            except (OSError, ValueError):
                continue
            likely = [secret for secret in self._secrets if secret.may_be(size)]
            if not likely or room <= 0 or size > _MAX_BYTES:
                continue
            room -= 1
            data = read_bytes(f"{self._folder}/{name}", "input", limit=_MAX_BYTES)
            secret = _same(name, data, likely) if isinstance(data, bytes) else None
            if secret:
                yield name, secret.path, secret.kind

    def _texts(self) -> Iterator[Leak]:
        """Files that a COPY spells out in a here-document."""
        build = self._build
        steps = [step for step in _lineage(build.stages, build.target) if isinstance(step, Copy)] if build else []
        for step in steps:
            for text in step.texts:
                secret = _same(os.path.basename(step.target), text.encode("utf-8", "surrogateescape"), self._secrets)
                if secret and build:
                    at = build.place(step.line, step.column)
                    yield Leak(secret.path, secret.path, secret.kind, "<<", at)

    def _way(self, name: str) -> _Way | None:
        return self._way_of(f"{self._folder}/{name}")

    def _way_of(self, path: str) -> _Way | None:
        for mount in self._mounts:
            way = _mounted(mount, path)
            if way:
                return way
        return _built_in(self._build, path) if self._build else None


def _is_test_file(name: str) -> bool:
    return name.startswith("environment/tests/")


def _asked_for(way: _Way) -> bool:
    """Whether a folder `tests` is brought in by its name, and not with everything that there is."""
    return os.path.basename(normpath("/" + way.via)) == "tests"


def _same(name: str, data: bytes, secrets: Iterable[Secret]) -> Secret | None:
    contents = {code: content_of(data, code=code) for code in (False, True)}
    return next((secret for secret in secrets if secret.equals(name, contents[secret.code])), None)


def _mounted(mount: Mount, path: str) -> _Way | None:
    return _Way(mount.written, mount.at) if _below(path, mount.path) is not None else None


def _below(path: str, folder: str) -> str | None:
    """`path` as seen from `folder`, both as the working folder sees them; None if it does not lie there."""
    path, folder = normpath(path), normpath(folder)
    if path == folder:
        return ""
    if folder == ".":
        return None if path.startswith(("/", "../")) else path
    return path.removeprefix(f"{folder}/") if path.startswith(f"{folder}/") else None


def _built_in(build: Build, path: str) -> _Way | None:
    for name, context in build.contexts:
        inside = _below(path, context)
        if not inside or (not name and inside in build.ignored):
            continue
        places = arrivals(build.stages, build.target, name, inside)
        for copy, source in places.values():
            return _Way(source, build.place(copy.line, copy.column), copy.certain)
    return None
