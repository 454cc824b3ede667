"""What every sandbox offers, and the records it is asked with."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from gradewright.model import Outcome

LIMITS = ("time", "output", "memory", "processes", "file size", "network")
"""What a sandbox may be able to hold a script to, by the names that reports use."""


class Limits(NamedTuple):
    """What a script may use: seconds of the clock, and bytes of memory, of one file, and of each output stream."""

    seconds: float = 60.0
    memory: int = 1 << 30
    file_size: int = 256 << 20
    processes: int = 256
    output: int = 4 << 20
    network: bool = False


class Mount(NamedTuple):
    """The folder or file `source` of this machine, seen at `place` (an absolute path) in the sandbox."""

    source: str
    place: str
    writable: bool = False


class Command(NamedTuple):
    """A program with its arguments, the folder it starts in, and all of its environment."""

    words: tuple[str, ...]
    folder: str
    environment: Mapping[str, str] = {}


class Health(NamedTuple):
    """Whether a sandbox works here; if not, `reason` says why and `remedy` how to get it.

    `missing` are the names of `LIMITS` that it cannot hold a script to on this machine.
    """

    works: bool
    missing: tuple[str, ...] = ()
    reason: str = ""
    remedy: str = ""


class Sandbox(Protocol):
    """A way to run scripts. `boundary` tells whether it keeps a hostile script from this machine's files."""

    name: str
    boundary: bool

    def health_check(self) -> Health:
        """Try it out, once; the answer is kept."""

    def prepare(self, image: str) -> None:
        """Make ready what all later runs share: for containers their image.

        `image` is a folder with a Dockerfile, the name of an image, or nothing for a plain one. Raises `SandboxError`
        if that cannot be done.
        """

    def contents(self, places: tuple[str, ...], folder: str) -> tuple[tuple[str, str], ...] | None:
        """Copies below `folder` of what the image has at `places`, each with its place; None without an image."""

    def run(self, command: Command, mounts: tuple[Mount, ...], limits: Limits) -> Outcome:
        """Run `command` and wait for its end, within `limits`; nothing that it started is left afterwards.

        Raises `SandboxError` if it could not be started at all.
        """


class SandboxError(Exception):
    """A sandbox could not do its part; the message says why and what to do."""
