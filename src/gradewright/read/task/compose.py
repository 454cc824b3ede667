"""What a task's compose file makes of the service `main`, in which the agent works, and what the other services build.

Harbor 0.26 puts `environment/docker-compose.yaml` over a file of its own, in which `main` is built from `environment/`;
so what the task's file does not say of `main` is as it would be without that file.
"""

import os
import re
from collections.abc import Iterator
from posixpath import isabs, join, normpath
from typing import Any, NamedTuple

from gradewright.contract import COMPOSE_FILE
from gradewright.finding import Location
from gradewright.model import DUPLICATE_KEY, SYNTAX, Problem
from gradewright.read.data.document import parse
from gradewright.read.files import Text, read_text

_CONTEXT_DIR = re.compile(r"\$(?:CONTEXT_DIR\b|\{CONTEXT_DIR\})")
_HOST_PATH = re.compile(r"[./~]|\$(?:CONTEXT_DIR\b|\{CONTEXT_DIR\})")
_OTHER_NAMES = ("docker-compose.yml", "compose.yaml", "compose.yml")
_READ_OTHERWISE = ("a tag that means nothing here", " is no ", "a second document", "`<<` merges", "where a key is due")
"""Of what is wrong for PyYAML: what compose, which reads YAML 1.2 and has tags of its own, may take."""

_MAX_SERVICES = 50
_MAX_MOUNTS = 200


class Building(NamedTuple):
    """How a service is built: folders and files as paths, the Dockerfile's text where it is spelt out (`inline`).

    `known` is False if a part depends on what only a run knows.
    """

    context: str
    dockerfile: str
    at: Location
    inline: str | None = None
    target: str = ""
    contexts: tuple[tuple[str, str], ...] = ()
    known: bool = True


class Mount(NamedTuple):
    """A file or folder of the host that the container of `main` gets to see: as it is written, and its path."""

    written: str
    path: str
    at: Location


class Compose(NamedTuple):
    """A compose file: how `main` is built if it says so itself, its mounts, how the others are built.

    `image` tells that `main` names an image. `known` is False if the file cannot be read or takes `main` from elsewhere
    as well.
    """

    main: Building | None = None
    mounts: tuple[Mount, ...] = ()
    others: tuple[Building, ...] = ()
    image: bool = False
    known: bool = True


def read_compose(environment: str, problems: list[Problem]) -> Compose | None:
    """The compose file in the folder `environment`; None if there is none."""
    path = f"{environment}/{COMPOSE_FILE}"
    if not os.path.lexists(path):
        return None
    text = read_text(path, "compose")
    if not isinstance(text, Text):
        if text:
            problems.append(text)
        return Compose(known=False)
    value, found = parse(text, "yaml", "compose")
    problems += [problem for problem in found if _is_refused(problem)]
    services = value.get("services") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(services, dict):
        return Compose(known=False)
    at = Location(path)
    main = services.get("main")
    table = main if isinstance(main, dict) else {}
    others = [(name, table) for name, table in services.items() if name != "main" and isinstance(table, dict)]
    return Compose(
        main=_building(environment, table, at.within("services", "main")),
        mounts=_mounts(environment, value, services, at),
        others=tuple(
            building
            for name, other in others[:_MAX_SERVICES]
            if not other.get("profiles") and (building := _building(environment, other, at.within("services", name)))
        ),
        image="image" in table,
        known="include" not in value and "extends" not in table and (main is None or isinstance(main, dict)),
    )


def _is_refused(problem: Problem) -> bool:
    otherwise = any(words in problem.detail for words in _READ_OTHERWISE)
    return problem.kind == DUPLICATE_KEY or (problem.kind == SYNTAX and not otherwise)


def overlooked_compose(environment: str) -> Location | None:
    """A compose file with a service `main` under a name that Harbor does not look for."""
    for name in _OTHER_NAMES:
        text = read_text(f"{environment}/{name}", "compose")
        value = parse(text, "yaml", "compose")[0] if isinstance(text, Text) else None
        services = value.get("services") if isinstance(value, dict) else None
        if isinstance(services, dict) and "main" in services:
            return Location(f"{environment}/{name}")
    return None


def _building(environment: str, service: dict[str, Any], at: Location) -> Building | None:
    build = service.get("build")
    if isinstance(build, str):
        build = {"context": build}
    if not isinstance(build, dict):
        return None
    at = at.within("build")
    context = _path(environment, build.get("context", "."), environment)
    dockerfile = _path(environment, build.get("dockerfile", "Dockerfile"), context or environment)
    inline, target = build.get("dockerfile_inline"), build.get("target", "")
    named = build.get("additional_contexts") or {}
    pairs = named.items() if isinstance(named, dict) else [str(pair).partition("=")[::2] for pair in named]
    contexts = [(str(name).lower(), _path(environment, where, environment)) for name, where in pairs]
    fixed = isinstance(target, str) and "$" not in f"{target}{inline or ''}"
    return Building(
        context=context or environment,
        dockerfile=dockerfile or "",
        at=at,
        inline=inline if isinstance(inline, str) else None,
        target=target if isinstance(target, str) else "",
        contexts=tuple((name, where) for name, where in contexts if where),
        known=bool(context and dockerfile) and fixed,
    )


def _path(environment: str, written: Any, base: str) -> str | None:
    """A path of the host, as the working folder sees it; None for an address, and where a variable decides."""
    if not isinstance(written, str) or not written or "://" in written or written.startswith(("git@", "~", "service:")):
        return None
    plain = _CONTEXT_DIR.sub(os.path.abspath(environment), written)
    if "$" in plain:
        return None
    home = os.path.abspath(environment)
    path = plain if isabs(plain) else join(os.path.abspath(base), plain)
    return _as_given(normpath(path), home, environment)


def _as_given(path: str, home: str, environment: str) -> str:
    """`path` in terms of the folder as the user gave it, wherever that is possible."""
    for _ in range(8):
        if path == home or path.startswith(home + "/"):
            return environment + path[len(home) :]
        home, environment = os.path.dirname(home), normpath(join(environment, ".."))
    return path


def _mounts(environment: str, value: dict[str, Any], services: dict[str, Any], at: Location) -> tuple[Mount, ...]:
    found: list[Mount] = []
    pending, seen = ["main"], {"main"}
    while pending and len(found) < _MAX_MOUNTS:
        name = pending.pop()
        service = services.get(name)
        if isinstance(service, dict):
            place = at.within("services", name)
            found += _of_service(environment, value, service, place)
            borrowed = {str(other).partition(":")[0] for other in _list(service.get("volumes_from"))} - seen
            pending += sorted(borrowed)
            seen |= borrowed
    return tuple(found[:_MAX_MOUNTS])


def _of_service(environment: str, value: dict[str, Any], service: dict[str, Any], at: Location) -> Iterator[Mount]:
    for number, volume in enumerate(_list(service.get("volumes"))):
        written = _host_path(volume, value.get("volumes"))
        path = _path(environment, written, environment)
        if path:
            yield Mount(str(written), path, at.within("volumes", number))
    for kind in ("configs", "secrets"):
        tables = value.get(kind)
        for number, used in enumerate(_list(service.get(kind))):
            name = used.get("source") if isinstance(used, dict) else used
            table = tables.get(name) if isinstance(tables, dict) and isinstance(name, str) else None
            path = _path(environment, table.get("file"), environment) if isinstance(table, dict) else None
            if path and isinstance(table, dict):
                yield Mount(str(table["file"]), path, at.within(kind, number))


def _host_path(volume: Any, named: Any) -> Any:
    """What a volume takes from the host: the path of a bind mount, or the device behind a volume with a name."""
    if isinstance(volume, dict):
        source, bind = volume.get("source"), volume.get("type") == "bind"
    else:
        source = str(volume).partition(":")[0]
        bind = ":" in str(volume) and _HOST_PATH.match(source) is not None
    if bind:
        return source
    table = named.get(source) if isinstance(named, dict) and isinstance(source, str) else None
    options = table.get("driver_opts") if isinstance(table, dict) else None
    return options.get("device") if isinstance(options, dict) and "bind" in str(options.get("o")) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
