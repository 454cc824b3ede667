"""A container of docker or podman per run: the task's own image, thrown away with all that ran in it."""

import contextlib
import functools
import os
import sys
import uuid
from collections.abc import Iterable, Iterator

from gradewright.model import Outcome
from gradewright.sandbox.containers import Engine, copied, find_engine, last_line, ready, some_image
from gradewright.sandbox.protocol import Command, Health, Limits, Mount, SandboxError
from gradewright.sandbox.supervise import Ended, supervise

_START_SECONDS = 2.0
"""What a container may take to start, beside the time that its script has."""

_INIT = """\
printf '%s\\n' {mark}start >&2
read -r begin rest < /proc/uptime
"$@"
code=$?
read -r end rest < /proc/uptime
count() {{
  left=-1
  for entry in /proc/[0-9]*; do
    {{ read -r status < "$entry/stat"; }} 2>/dev/null || continue
    case ${{status##*) }} in Z*) ;; *) left=$((left + 1)) ;; esac
  done
}}
count
if [ "$left" -gt 0 ]; then sleep 0.05; count; fi
killed=0
for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
  [ -r "$file" ] || continue
  while read -r key value; do [ "$key" = oom_kill ] && killed=$value; done < "$file"
done
printf '\\n%s %s %s %s %s\\n' {mark} "$left" "$killed" "$begin" "$end" >&2
exit "$code"
"""
"""Runs the script as the first process of the container, then tells what only can be seen from inside."""


class Container:
    """Runs scripts in containers: no network, the image's own system, every limit that the engine can set."""

    name = "container"
    boundary = True

    def __init__(self) -> None:
        self._image = ""

    def health_check(self) -> Health:
        return _health()

    def prepare(self, image: str) -> None:
        """All runs after this one use `image`: a folder to build, the name of an image, or nothing for a plain one."""
        self._image = ready(_engine(), image)

    def contents(self, places: tuple[str, ...], folder: str) -> tuple[tuple[str, str], ...]:
        """What the image has at `places`, copied below `folder` as it is; what is not there is left out."""
        return tuple(copied(_engine(), self._image, places, folder))

    def run(self, command: Command, mounts: tuple[Mount, ...], limits: Limits) -> Outcome:
        engine = _engine()
        if not self._image:
            self.prepare("")
        try:
            return _run(engine, self._image, command, mounts, limits)
        finally:
            _reclaim(engine, self._image, mounts)


def _engine() -> Engine:
    try:
        return find_engine()
    except SandboxError as error:
        raise SandboxError(f"containers do not work here: {error}; {_REMEDY}") from error


def _run(engine: Engine, image: str, command: Command, mounts: tuple[Mount, ...], limits: Limits) -> Outcome:
    mark = uuid.uuid4().hex
    name = f"gradewright-{mark}"
    words = [*_options(engine, mounts, limits), "--name", name, "--workdir", command.folder]
    for variable, value in command.environment.items():
        words += ["--env", f"{variable}={value}"]
    words += ["--entrypoint", "/bin/sh", image, "-c", _INIT.format(mark=mark), "sh", *command.words]
    told = False
    try:
        ended = supervise(
            [engine.program, "run", *words],
            seconds=limits.seconds + _START_SECONDS,
            output=limits.output,
            environment=dict(os.environ),
        )
        told = f"\n{mark} ".encode() in ended.stderr
    finally:
        if not told:
            _discard(engine, name)
    return _outcome(ended, mark, limits, engine)


def _options(engine: Engine, mounts: Iterable[Mount], limits: Limits) -> list[str]:
    """The system can be written to, as scripts expect that install what they need; it goes with the container."""
    words = ["--rm", "--pull", "never", "--log-driver", "none", "--hostname", "sandbox", "--user", "0:0"]
    words += ["--security-opt", "no-new-privileges", "--cap-drop", "MKNOD", "--cap-drop", "NET_RAW"]
    words += ["--security-opt", "label=disable", *engine.limits()]
    words += ["--ulimit", f"fsize={limits.file_size}:{limits.file_size}", "--ulimit", "core=0:0"]
    if _limited(engine):
        words += ["--memory", str(limits.memory), "--memory-swap", str(limits.memory)]
        words += ["--pids-limit", str(limits.processes)]
    if not limits.network:
        words += ["--network", "none", *(["--http-proxy=false"] if engine.name == "podman" else [])]
    for mount in sorted(mounts, key=lambda mount: mount.place):
        fields = ["type=bind", f"source={mount.source}", f"target={mount.place}"]
        words += ["--mount", ",".join(_quoted(fields + ([] if mount.writable else ["readonly"])))]
    return words


def _quoted(fields: Iterable[str]) -> Iterator[str]:
    """Fields of an option that is read as a line of CSV."""
    for field in fields:
        yield '"' + field.replace('"', '""') + '"' if set(field) & set(',"\n') else field


def _outcome(ended: Ended, mark: str, limits: Limits, engine: Engine) -> Outcome:
    _, started, stderr = ended.stderr.decode("utf-8", "replace").partition(f"{mark}start\n")
    if not started and not ended.flooded:
        said = last_line(ended.stderr.decode("utf-8", "replace")) or "it did not start in time"
        raise SandboxError(f"`{engine.name} run` could not start the container: {said}")
    stderr, _, rest = stderr.partition(f"\n{mark} ")
    told = rest.split()
    left, killed = (int(told[0]), int(told[1])) if len(told) == 4 else (0, 0)
    seconds = float(told[3]) - float(told[2]) if len(told) == 4 else ended.seconds
    timed_out = ended.timed_out or seconds > limits.seconds
    return Outcome(
        exit_code=None if timed_out or ended.flooded else ended.exit_code,
        stdout=ended.stdout.decode("utf-8", "replace"),
        stderr=stderr,
        seconds=seconds,
        timed_out=timed_out,
        flooded=ended.flooded,
        out_of_memory=killed > 0,
        left_processes=left,
    )


def _discard(engine: Engine, name: str) -> None:
    """Kill and remove a container; the client of an engine can be killed without it."""
    at_once = ["--time", "0"] if engine.name == "podman" else []
    with contextlib.suppress(SandboxError):
        engine.ask("rm", "--force", *at_once, name)


def _reclaim(engine: Engine, image: str, mounts: Iterable[Mount]) -> None:
    """What root made in a container of root's daemon becomes the caller's, who could not even remove it."""
    me, group = os.geteuid(), os.getegid()
    if me == 0:
        return
    places = [mount for mount in mounts if mount.writable and _has_foreign(mount.source, me)]
    if places:
        words = ["run", *_options(engine, places, Limits()), "--entrypoint", "chown", image]
        engine.ask(*words, "-R", f"{me}:{group}", *(mount.place for mount in places))


def _has_foreign(path: str, me: int) -> bool:
    inner = (os.path.join(folder, name) for folder, folders, names in os.walk(path) for name in (*folders, *names))
    return any(os.lstat(found).st_uid != me for found in (path, *inner))


_REMEDY = (
    "install podman (Debian, Ubuntu: `apt-get install podman`; Fedora: `dnf install podman`) or docker, start its"
    " service and let this user use it"
)


@functools.cache
def _health() -> Health:
    if sys.platform == "win32":
        return Health(works=False, reason="it needs Linux or macOS", remedy="run in WSL")
    try:
        engine = find_engine()
        image = some_image(engine)
        if not image:
            remedy = f"get one with `{engine.name} pull python:3.12-slim`"
            return Health(works=False, reason=f"`{engine.name}` has no image to try", remedy=remedy)
        _run(engine, image, Command(("/bin/sh", "-c", "echo works"), "/"), (), Limits(seconds=20))
        missing = tuple(name for name in _HOGS if not _holds(engine, image, name))
    except SandboxError as error:
        return Health(works=False, reason=str(error), remedy=_REMEDY)
    return Health(works=True, missing=missing)


@functools.cache
def _limited(engine: Engine) -> bool:
    """Whether the engine can set limits on memory and processes: without privileges it may not even try."""
    image = some_image(engine)
    start = ("--entrypoint", "/bin/sh", image, "-c", "exit 0")
    words = ("run", "--rm", "--pull", "never", "--network", "none", *engine.limits())
    return engine.ask(*words, "--memory", "64m", "--pids-limit", "64", *start).returncode == 0


_HOGS = {
    "memory": "x=aaaaaaaaaaaaaaaa; while [ ${#x} -lt 100000000 ]; do x=$x$x; done; echo all",
    "processes": "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 1 & done 2>/dev/null; echo all",
}
"""Scripts that end with `all` unless they are held to 12 processes and to 32 MiB."""


def _holds(engine: Engine, image: str, name: str) -> bool:
    """Whether a limit really holds, found by a script that goes beyond it."""
    limits = Limits(seconds=20, memory=32 << 20, processes=12)
    return _run(engine, image, Command(("/bin/sh", "-c", _HOGS[name]), "/"), (), limits).stdout != "all\n"
