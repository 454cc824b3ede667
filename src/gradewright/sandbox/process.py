"""No sandbox at all: for graders that take every path from the documented variables."""

import os

from gradewright.contract import ENVIRONMENT
from gradewright.model import Outcome
from gradewright.sandbox.protocol import Command, Health, Limits, Mount
from gradewright.sandbox.supervise import supervise


class Process:
    """Runs scripts as they are, in folders of this machine: no security boundary, and few limits."""

    name = "process"
    boundary = False

    def health_check(self) -> Health:
        if os.name != "posix":
            return Health(works=False, reason="it needs a POSIX system", remedy="use `--sandbox container`")
        return Health(works=True, missing=("memory", "processes", "network"))

    def prepare(self, image: str) -> None:
        """There is no image: scripts run on this machine's own programs."""

    def contents(self, places: tuple[str, ...], folder: str) -> None:
        """There is no image that could have any."""

    def run(self, command: Command, mounts: tuple[Mount, ...], limits: Limits) -> Outcome:
        """Like every sandbox; places are told by the variables, and by what stands in the command itself."""
        variables = {name: located(place, mounts) for name, place in ENVIRONMENT.items()}
        own = {name: located(value, mounts) for name, value in command.environment.items()}
        inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
        ended = supervise(
            ["/bin/sh", "-c", f'ulimit -c 0; ulimit -f {limits.file_size >> 9}; exec "$@"', "sh"]
            + [located(word, mounts) for word in command.words],
            seconds=limits.seconds,
            output=limits.output,
            environment=inherited | variables | own,
            folder=located(command.folder, mounts),
        )
        return Outcome(
            exit_code=None if ended.timed_out or ended.flooded else ended.exit_code,
            stdout=ended.stdout.decode("utf-8", "replace"),
            stderr=ended.stderr.decode("utf-8", "replace"),
            seconds=ended.seconds,
            timed_out=ended.timed_out,
            flooded=ended.flooded,
        )


def located(place: str, mounts: tuple[Mount, ...]) -> str:
    """Where on this machine a place of the sandbox lies; anything else is returned as it is."""
    for mount in sorted(mounts, key=lambda mount: len(mount.place), reverse=True):
        if place == mount.place or place.startswith(f"{mount.place}/"):
            return mount.source + place[len(mount.place) :]
    return place
