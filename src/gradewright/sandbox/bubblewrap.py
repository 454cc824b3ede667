"""Bubblewrap: places as in a container, on this machine's own programs, in about 10 ms."""

import functools
import os
import shutil
import sys
import tempfile
import uuid

from gradewright.model import Outcome
from gradewright.sandbox import cgroup
from gradewright.sandbox.launcher import launcher
from gradewright.sandbox.protocol import Command, Health, Limits, Mount, SandboxError
from gradewright.sandbox.supervise import Ended, supervise

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime")
_NETWORK = ("/etc/ssl", "/etc/ca-certificates", "/etc/resolv.conf", "/etc/pki")
_FILES = {
    "/etc/passwd": "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    "/etc/group": "root:x:0:\nnogroup:x:65534:\n",
    "/etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}
_TEMPORARY = 512 << 20
"""Bytes that fit into each of the folders in memory, such as /tmp."""

_INIT = """\
ulimit -c 0; ulimit -f {blocks}
{more}
"$@"
code=$?
left() {{ set -- /proc/[0-9]*; left=$(($# - 2)); }}
left
if [ "$left" -gt 0 ]; then sleep 0.05; left; fi
printf '\\n%s %s\\n' {mark} "$left" >&2
exit "$code"
"""
"""Sets limits, runs the script, and counts what it left running, beside this shell and the sandbox's own process."""


class Bubblewrap:
    """Runs scripts below `bwrap`: no network, a read-only system, processes of their own, nothing left afterwards."""

    name = "bubblewrap"
    boundary = True

    def health_check(self) -> Health:
        return _health()

    def prepare(self, image: str) -> None:
        """There is no image: scripts run on this machine's own programs."""

    def contents(self, places: tuple[str, ...], folder: str) -> None:
        """There is no image that could have any."""

    def run(self, command: Command, mounts: tuple[Mount, ...], limits: Limits) -> Outcome:
        health = self.health_check()
        if not health.works:
            raise SandboxError(f"bubblewrap does not work here: {health.reason}; {health.remedy}")
        return _run(command, mounts, limits, _grouped())


def _run(command: Command, mounts: tuple[Mount, ...], limits: Limits, grouped: tuple[str, ...]) -> Outcome:
    mark = uuid.uuid4().hex
    amounts = {"memory": limits.memory, "processes": limits.processes}
    words = [*arguments(command, mounts, limits), "/bin/sh", "-c", _init(limits, grouped, mark), "sh", *command.words]
    environment = {"PATH": PATH}
    if not grouped:
        ended = supervise(words, seconds=limits.seconds, output=limits.output, environment=environment)
        return _outcome(ended, mark, out_of_memory=False)
    with launcher({name: amounts[name] for name in grouped}, environment) as shell:
        ended, out_of_memory = shell.run(words, seconds=limits.seconds, output=limits.output)
    return _outcome(ended, mark, out_of_memory=out_of_memory)


def arguments(command: Command, mounts: tuple[Mount, ...], limits: Limits) -> list[str]:
    """The program and its options, to be followed by the words of a command."""
    words = [_program(), "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    words += ["--share-net"] if limits.network else []
    words += ["--hostname", "sandbox", "--clearenv", "--ro-bind", "/usr", "/usr"]
    for folder in _SYSTEM:
        if os.path.islink(folder):
            words += ["--symlink", os.readlink(folder), folder]
        else:
            words += ["--ro-bind-try", folder, folder]
    for path in _SETTINGS + (_NETWORK if limits.network else ()):
        words += ["--ro-bind-try", path, path]
    for path in _FILES:
        words += ["--ro-bind", f"{_settings()}/{os.path.basename(path)}", path]
    prefix = _interpreter()
    words += ["--ro-bind", prefix, prefix] if prefix else []
    words += ["--proc", "/proc", "--dev", "/dev"]
    for folder in ("/tmp", "/root", "/var/tmp", "/run"):  # noqa: S108 - places in the sandbox
        words += ["--size", str(_TEMPORARY), "--tmpfs", folder]
    for mount in sorted(mounts, key=lambda mount: mount.place):
        words += ["--bind" if mount.writable else "--ro-bind", mount.source, mount.place]
    words += ["--remount-ro", "/"]
    path = f"{PATH}:{prefix}/bin" if prefix else PATH
    for name, value in ({"PATH": path, "HOME": "/root", "LANG": "C.UTF-8"} | dict(command.environment)).items():
        words += ["--setenv", name, value]
    return [*words, "--chdir", command.folder, "--"]


def _init(limits: Limits, grouped: tuple[str, ...], mark: str) -> str:
    more = ""
    if "memory" not in grouped:
        more += f"ulimit -d {limits.memory >> 10}\n"
    if "processes" not in grouped:
        more += f"ulimit -u {limits.processes} 2>/dev/null || ulimit -p {limits.processes}\n"
    return _INIT.format(blocks=limits.file_size >> 9, more=more, mark=mark)


def _outcome(ended: Ended, mark: str, *, out_of_memory: bool) -> Outcome:
    stderr, _, count = ended.stderr.decode("utf-8", "replace").partition(f"\n{mark} ")
    left = int(count) if count.strip().isdigit() else 0
    return Outcome(
        exit_code=None if ended.timed_out or ended.flooded else ended.exit_code,
        stdout=ended.stdout.decode("utf-8", "replace"),
        stderr=stderr,
        seconds=ended.seconds,
        timed_out=ended.timed_out,
        flooded=ended.flooded,
        out_of_memory=out_of_memory,
        left_processes=left,
    )


@functools.cache
def _settings() -> str:
    """A folder with the few files of /etc that programs ask for, kept as long as this process lives."""
    import atexit

    folder = tempfile.mkdtemp(prefix="gradewright-etc-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for path, text in _FILES.items():
        with open(os.path.join(folder, os.path.basename(path)), "w", encoding="utf-8") as stream:
            stream.write(text)
    return folder


@functools.cache
def _program() -> str:
    return shutil.which("bwrap") or "bwrap"


@functools.cache
def _interpreter() -> str:
    """Where this Python lives, if the system has none of its own that scripts could run on."""
    if shutil.which("python3", path=PATH):
        return ""
    return os.path.realpath(sys.base_prefix)


@functools.cache
def _grouped() -> tuple[str, ...]:
    return cgroup.available()


@functools.cache
def _health() -> Health:
    if sys.platform != "linux":
        return Health(works=False, reason="it needs Linux", remedy="use `--sandbox container`")
    if not shutil.which("bwrap"):
        remedy = "install it (Debian, Ubuntu: `apt-get install bubblewrap`; Fedora: `dnf install bubblewrap`)"
        return Health(works=False, reason="`bwrap` is not installed", remedy=remedy)
    limits = Limits(seconds=10)
    outcome = _run(Command(("/bin/sh", "-c", "echo works"), "/"), (), limits, _grouped())
    if outcome.stdout != "works\n":
        said = outcome.stderr.strip().splitlines() or [f"it ended with {outcome.exit_code}"]
        return Health(works=False, reason=said[-1], remedy=_remedy())
    return Health(works=True, missing=tuple(name for name in ("memory", "processes") if not _holds(name)))


def _remedy() -> str:
    if os.geteuid() == 0:
        return "allow user namespaces; root without capabilities cannot make one, so run as an ordinary user there"
    return "allow user namespaces (`sysctl user.max_user_namespaces`, AppArmor, seccomp), or use `--sandbox container`"


_HOGS = {
    "processes": "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 1 & done 2>/dev/null; echo all",
    "memory": "x=aaaaaaaaaaaaaaaa; while [ ${#x} -lt 100000000 ]; do x=$x$x; done; echo all",
}
"""Scripts that end with `all` unless they are held to 12 processes and to 32 MiB."""


def _holds(name: str) -> bool:
    """Whether a limit really holds, found by a script that goes beyond it."""
    limits = Limits(seconds=10, memory=32 << 20, processes=12)
    outcome = _run(Command(("/bin/sh", "-c", _HOGS[name]), "/"), (), limits, _grouped())
    return outcome.stdout != "all\n"
