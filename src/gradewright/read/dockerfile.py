"""Read a Dockerfile as BuildKit does: what the image is built from, and which files of the build context it takes in.

BuildKit's grammar is one of lines, so it is read by lines. The tree-sitter grammar for Containerfiles reports errors in
valid files (a JSON array over two lines) and splits paths in quotes, which would accuse working images.
"""

import json
import os
import re
from collections.abc import Iterator
from itertools import islice
from posixpath import normpath
from typing import Any, NamedTuple

from gradewright.finding import Location
from gradewright.model import Image, Problem, Source
from gradewright.read.files import Text, read_text

_HEREDOC = re.compile(r"""<<(-?)(["']?)([A-Za-z0-9_.]+)\2""")
_DIRECTIVE = re.compile(r"#\s*([A-Za-z]+)\s*=\s*(\S+)\s*\Z")
_FLAG = re.compile(r"--([a-z-]+)(?:=(\S*))?\s*")
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)(?::-([^}]*))?\}|([A-Za-z_]\w*))")
_REMOTE = re.compile(r"[a-z][a-z0-9+.-]*://|git@|github\.com/|\S+\.git(?:#|\Z)", re.IGNORECASE)
_NOT_LITERAL = re.compile(r"""[*?\[\]$\\"'`]|<<""")
_PYTHON_TAG = re.compile(r"(?:\A|[^\d.])(3\.\d+)(?![\d])")
_PYTHON_NAMED = re.compile(r"python-?(3\.\d+)(?!\d)")
_OTHER_PYTHON = re.compile(
    r"conda|mamba|pyenv|deadsnakes|virtualenv|-m venv|\buv\b|\bPATH\b|python3\.\d", re.IGNORECASE
)
_MAX_SOURCES = 200
_HEREDOC_TAKERS = ("RUN", "COPY", "ADD")


class Instruction(NamedTuple):
    """One instruction of a Dockerfile, its continued lines joined; `line` is where it starts, counted from 1."""

    name: str
    rest: str
    line: int
    column: int


class Stage(NamedTuple):
    """What follows one FROM."""

    name: str
    base: str
    instructions: list[Instruction]


def read_image(environment: str, config: dict[str, Any], problems: list[Problem]) -> Image:
    """What the folder `environment` (also the build context) and the table `[environment]` make an image from.

    Facts that depend on what only a build knows (variables, patterns, `.dockerignore`, other contexts) are left out.
    """
    path = f"{environment}/Dockerfile"
    at = Location(path)
    text = read_text(path, "dockerfile")
    if isinstance(text, Problem):
        problems.append(text)
        text = None
    built = _kind(environment, config, found=text is not None)
    stages = read_stages(text.text) if text else []
    final = _final(stages)
    if text is None or built in ("docker_image", "none"):
        return Image(built, None, None, (), Location(environment) if text is None else at)
    return Image(
        kind=built,
        base=final.base if final else None,
        python=_python(final.base, text) if final and built == "dockerfile" else None,
        sources=tuple(islice(_sources(environment, path, stages), _MAX_SOURCES)) if built == "dockerfile" else (),
        at=at,
        based=bool(stages) or built != "dockerfile" or not any(instructions(text.text)),
    )


def _kind(environment: str, config: dict[str, Any], *, found: bool) -> str:
    if config.get("docker_image"):
        return "docker_image"
    if os.path.lexists(f"{environment}/docker-compose.yaml") and not _builds_default(environment):
        return "compose"
    return "dockerfile" if found else "none"


def _builds_default(environment: str) -> bool:
    """Whether the compose file leaves the service `main` to Harbor, which builds the Dockerfile beside it."""
    from gradewright.read.document import parse

    text = read_text(f"{environment}/docker-compose.yaml", "compose")
    if not isinstance(text, Text):
        return False
    value, _ = parse(text, "yaml", "compose")
    services = value.get("services") if isinstance(value, dict) else None
    if (
        not isinstance(value, dict)
        or not isinstance(services, dict)
        or "include" in value
        or not os.path.lexists(f"{environment}/Dockerfile")
    ):
        return False
    main = services.get("main")
    return main is None or (isinstance(main, dict) and not {"build", "image", "extends"} & set(main))


def instructions(text: str) -> Iterator[Instruction]:
    """The instructions of a Dockerfile, without comments and the bodies of here-documents."""
    lines = text.removeprefix("\ufeff").split("\n")
    escape = _escape(lines)
    number = 0
    while number < len(lines):
        first = number
        joined: list[str] = []
        while number < len(lines):
            line, number = lines[number], number + 1
            bare = line.strip()
            if bare.startswith("#") or (joined and not bare):
                continue
            continued = line.rstrip().endswith(escape)
            joined.append(line.rstrip()[:-1] if continued else line)
            if not continued:
                break
        whole = "".join(joined).strip()
        name, _, rest = whole.replace("\t", " ", 1).partition(" ")
        while first < number - 1 and (not lines[first].strip() or lines[first].lstrip().startswith("#")):
            first += 1
        name = name.upper()
        if name in _HEREDOC_TAKERS and "<<" in rest:
            number = _after_heredocs(lines, number, rest)
        if name:
            yield Instruction(name, rest.strip(), first + 1, len(lines[first]) - len(lines[first].lstrip()) + 1)


def read_stages(text: str) -> list[Stage]:
    """The build stages, with the variables of `ARG` before the first FROM put into their bases."""
    stages: list[Stage] = []
    defaults: dict[str, str] = {}
    for instruction in instructions(text):
        if instruction.name == "FROM":
            words = _FLAG.sub("", instruction.rest).split()
            named = len(words) > 2 and words[1].upper() == "AS"
            stages.append(Stage(words[2].lower() if named else "", _expanded(words[0], defaults) if words else "", []))
        elif stages:
            stages[-1].instructions.append(instruction)
        elif instruction.name == "ARG":
            for pair in instruction.rest.split():
                key, _, value = pair.partition("=")
                defaults[key] = _expanded(value.strip("\"'"), defaults)
    return stages


def _escape(lines: list[str]) -> str:
    for line in lines:
        directive = _DIRECTIVE.match(line.strip())
        if not directive:
            break
        if directive[1].lower() == "escape":
            return directive[2]
    return "\\"


def _after_heredocs(lines: list[str], number: int, rest: str) -> int:
    for strip, _, word in _HEREDOC.findall(rest):
        for end in range(number, len(lines)):
            if (lines[end].lstrip("\t") if strip else lines[end]).rstrip("\r") == word:
                number = end + 1
                break
        else:
            return len(lines)
    return number


def _expanded(word: str, defaults: dict[str, str]) -> str:
    """`word` with known variables filled in; an unknown one stays as it is. At most 1,000 characters are kept."""
    return _VARIABLE.sub(lambda match: defaults.get(match[1] or match[3]) or match[2] or match[0], word[:1000])[:1000]


def _final(stages: list[Stage]) -> Stage | None:
    """The last stage, with the base that it goes back to through earlier stages."""
    if not stages:
        return None
    base = stages[-1].base
    for stage in reversed(stages[:-1]):
        if stage.name and stage.name == base.lower():
            base = stage.base
    return stages[-1]._replace(base=base)


def _python(base: str, text: Text) -> str | None:
    """The version of the image's `python3`, as far as the name of the base image tells it beyond doubt."""
    if "$" in base or _OTHER_PYTHON.search(text.text.partition("FROM")[2].replace(base, "")):
        return None
    name, _, tag = base.rpartition("/")[2].partition("@")[0].partition(":")
    if name in ("python", "python-slim", "python3"):
        match = _PYTHON_TAG.search(tag)
        return match[1] if match else None
    named = _PYTHON_NAMED.search(f"{name}:{tag}")
    return named[1] if named and "pypy" not in name else None


def _sources(environment: str, path: str, stages: list[Stage]) -> Iterator[Source]:
    """The local paths that the final stage, and the stages it needs, copy from the build context."""
    needed = _needed(stages)
    for index, stage in enumerate(stages):
        for instruction in stage.instructions if index in needed else ():
            if instruction.name in ("COPY", "ADD"):
                for word in _local_words(instruction):
                    yield _source(environment, word, Location(path, instruction.line, instruction.column))


def _needed(stages: list[Stage]) -> set[int]:
    """The stages that are really built: BuildKit leaves out the ones that the last one does not need."""
    names = {stage.name: index for index, stage in enumerate(stages) if stage.name}
    names |= {str(index): index for index in range(len(stages))}
    needed: set[int] = set()
    pending = [len(stages) - 1] if stages else []
    while pending:
        index = pending.pop()
        if index in needed:
            continue
        needed.add(index)
        used = [stages[index].base.lower()]
        for instruction in stages[index].instructions:
            used += [value.lower() for flag, value in _FLAG.findall(instruction.rest) if flag == "from"]
            mounts = [word.split(",") for word in instruction.rest.split() if word.startswith("--mount=")]
            used += [part.partition("from=")[2].lower() for parts in mounts for part in parts]
        pending += [names[name] for name in used if names.get(name, index) < index]
    return needed


def _local_words(instruction: Instruction) -> list[str]:
    """The sources of a COPY or ADD that are plain paths of the build context."""
    rest = instruction.rest
    while (flag := _FLAG.match(rest)) is not None:
        if flag[1] in ("from", "exclude"):
            return []
        rest = rest[flag.end() :]
    words = _words(rest)
    return [word for word in words[:-1] if word and not _NOT_LITERAL.search(word) and not _REMOTE.match(word)]


def _words(rest: str) -> list[str]:
    if rest.startswith("["):
        try:
            value = json.loads(rest)
        except (ValueError, RecursionError):
            return []
        return value if all(isinstance(word, str) for word in value) else []
    words = rest.split()
    return [] if any(word.startswith("<<") for word in words) else [word.strip("\"'") for word in words]


def _source(environment: str, word: str, at: Location) -> Source:
    inside = normpath("/" + word).lstrip("/")
    if not inside or _exists(f"{environment}/{inside}"):
        return Source(word, at)
    parts = inside.split("/")
    shorter = ("/".join(parts[start:]) for start in range(1, min(len(parts), 9)))
    elsewhere = next((rest for rest in shorter if _exists(f"{environment}/{rest}")), "")
    return Source(word, at, found=False, elsewhere=elsewhere)


def _exists(path: str) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return True
    return True
