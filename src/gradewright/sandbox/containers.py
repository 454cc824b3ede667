"""The program that makes containers, docker or podman, and the images that it has."""

import functools
import hashlib
import os
import shutil
import stat
import subprocess
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gradewright.read.files import Text, read_text
from gradewright.read.task.dockerfile import stages_of
from gradewright.sandbox.protocol import SandboxError

CHOICE = "GRADEWRIGHT_CONTAINER"
"""The variable that names the engine to use, in place of the first that answers."""

ENGINES = ("podman", "docker")
DEFAULT_IMAGE = "docker.io/library/python:3.12-slim"
"""Where a case names no image of its own."""

_REPOSITORY = "gradewright.invalid/task"
"""A name that no registry has; Harbor deletes every image called `localhost/...` when it cleans up."""

_ANSWER_SECONDS, _BUILD_SECONDS = 30, 600
"""What an engine may take to answer, and what Harbor allows a build."""

_HANDLES, _PROCESSES = 16_384, 32_768
"""Engines ask for more open files and processes than a process without privileges may pass on."""


class Engine(NamedTuple):
    """A program that makes containers, by its name and its place on this machine."""

    name: str
    program: str

    def ask(self, *words: str, seconds: float = _ANSWER_SECONDS) -> subprocess.CompletedProcess[str]:
        """The finished answer to a command; raises `SandboxError` if none comes in time."""
        try:
            return subprocess.run(
                [self.program, *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SandboxError(f"`{self.name} {words[0]}` gave no answer: {error}") from error

    def limits(self) -> list[str]:
        """Options without which a container cannot start where privileges are lacking."""
        import resource

        wanted = {"nofile": (resource.RLIMIT_NOFILE, _HANDLES), "nproc": (resource.RLIMIT_NPROC, _PROCESSES)}
        words = []
        for name, (number, most) in wanted.items():
            hard = resource.getrlimit(number)[1]
            value = most if hard == resource.RLIM_INFINITY else min(hard, most)
            words += ["--ulimit", f"{name}={value}:{value}"]
        return words


@functools.cache
def find_engine() -> Engine:
    """The engine that is wanted, or the first that answers; raises `SandboxError` if none does, with the reasons."""
    wanted = os.environ.get(CHOICE, "")
    if wanted and wanted not in ENGINES:
        raise SandboxError(f"`{CHOICE}` is `{wanted}`: it has to be one of {', '.join(ENGINES)}")
    reasons = []
    for name in (wanted,) if wanted else ENGINES:
        program = shutil.which(name)
        if program is None:
            reasons.append(f"`{name}` is not installed")
            continue
        engine = Engine(name, program)
        try:
            answer = engine.ask("images", "--quiet")
        except SandboxError as error:
            reasons.append(str(error))
            continue
        if answer.returncode == 0:
            return engine
        reasons.append(f"`{name}` does not answer: {last_line(answer.stderr)}")
    raise SandboxError(", ".join(reasons))


def is_here(engine: Engine, image: str) -> bool:
    """Whether an image can be used without asking a registry for it."""
    return engine.ask("image", "inspect", "--format", "{{.Id}}", image).returncode == 0


def some_image(engine: Engine) -> str:
    """An image to try containers with: the default one, or any; nothing if there is none."""
    if is_here(engine, DEFAULT_IMAGE):
        return DEFAULT_IMAGE
    return next(iter(engine.ask("images", "--quiet").stdout.split()), "")


def ready(engine: Engine, image: str) -> str:
    """The name of an image that is here: built from the folder `image` once per content, or `image` itself.

    An empty `image` means the default one. Nothing is pulled: raises `SandboxError` that says what to do.
    """
    if os.path.isdir(image):
        return _built(engine, image)
    name = image or DEFAULT_IMAGE
    if not is_here(engine, name):
        raise SandboxError(f"the image `{name}` is not on this machine; get it with `{engine.name} pull {name}`")
    return name


def _built(engine: Engine, folder: str) -> str:
    dockerfile = os.path.join(folder, "Dockerfile")
    text = read_text(dockerfile, "dockerfile")
    if not isinstance(text, Text):
        raise SandboxError(f"{dockerfile}: there is no Dockerfile that can be read, so no image can be built")
    tag = f"{_REPOSITORY}:{_digest(folder)}"
    if is_here(engine, tag):
        return tag
    lacking = [base for base in _bases(text.text) if not is_here(engine, base)]
    if lacking:
        pulls = " && ".join(f"{engine.name} pull {base}" for base in lacking)
        names = ", ".join(f"`{base}`" for base in lacking)
        raise SandboxError(f"{dockerfile}: its base {names} is not on this machine; get it with `{pulls}`")
    words = ["build", *(["--pull=never", "--format=docker"] if engine.name == "podman" else []), *engine.limits()]
    answer = engine.ask(*words, "--tag", tag, "--file", dockerfile, folder, seconds=_BUILD_SECONDS)
    if answer.returncode:
        again = f"{engine.name} build --tag {tag} {folder}"
        said = last_line(answer.stderr) or last_line(answer.stdout)
        raise SandboxError(f"{dockerfile}: the image cannot be built: {said}; see `{again}`")
    return tag


def _bases(text: str) -> list[str]:
    """The images that a Dockerfile starts from, its own stages left out, as far as it tells without a build."""
    found: list[str] = []
    known = {"scratch"}
    for stage in stages_of(text):
        if stage.base.lower() not in known and "$" not in stage.base:
            found.append(stage.base)
        known.add(stage.name.lower())
    return list(dict.fromkeys(found))


def _digest(folder: str) -> str:
    """Stands for names, modes and contents of all below a folder."""
    total = hashlib.sha256()
    for name, path in _below(folder):
        mode = os.lstat(path).st_mode
        if stat.S_ISREG(mode):
            with open(path, "rb") as stream:
                content = hashlib.file_digest(stream, "sha256").digest()
        else:
            content = os.fsencode(os.readlink(path)) if stat.S_ISLNK(mode) else b""
        total.update(repr((name, mode, content)).encode("utf-8", "surrogateescape"))
    return total.hexdigest()[:24]


def _below(folder: str) -> Iterator[tuple[str, str]]:
    for current, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted([*folders, *names]):
            path = os.path.join(current, name)
            yield os.path.relpath(path, folder), path


def copied(engine: Engine, image: str, places: Iterable[str], folder: str) -> Iterator[tuple[str, str]]:
    """Copies of what an image has at `places`, each in a folder of its own below `folder`, with its place."""
    name = f"gradewright-{uuid.uuid4().hex}"
    made = engine.ask("create", "--pull", "never", "--name", name, "--network", "none", image, "true")
    if made.returncode:
        raise SandboxError(f"`{engine.name} create` failed for `{image}`: {last_line(made.stderr)}")
    try:
        for place in places:
            target = tempfile.mkdtemp(prefix="image-", dir=folder)
            if engine.ask("cp", f"{name}:{place}/.", target, seconds=_BUILD_SECONDS).returncode == 0:
                yield target, place
    finally:
        engine.ask("rm", "--force", name)


def last_line(text: str) -> str:
    """What a program said at last, which is why it failed."""
    lines = text.strip().splitlines()
    return lines[-1][:300] if lines else ""
