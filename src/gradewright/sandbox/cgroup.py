"""Limits for a whole tree of processes, where this machine lets us make control groups."""

import contextlib
import os
import subprocess
import time
import uuid
from collections.abc import Iterator
from typing import NamedTuple

_ROOT = "/sys/fs/cgroup"
_FILES = {
    "memory": ("memory.limit_in_bytes", "memory.max"),
    "processes": ("pids.max", "pids.max"),
}
_TRIED = {"memory": 64 << 20, "processes": 64}
_CONTROLLERS = {"memory": "memory", "processes": "pids"}


class Group(NamedTuple):
    """The folders in which a process becomes a member by writing its id to `cgroup.procs`."""

    folders: tuple[str, ...]

    def members(self) -> set[int]:
        """The processes that are in the group now."""
        found: set[int] = set()
        for folder in self.folders:
            with contextlib.suppress(OSError), open(f"{folder}/cgroup.procs") as stream:
                found.update(int(line) for line in stream if line.strip().isdigit())
        return found

    def kills(self) -> int:
        """How many processes were killed for want of memory since the group was made."""
        return sum(_counts(f"{folder}/{name}", "oom_kill") for folder in self.folders for name in _EVENTS)


_TRIES = 200
_EVENTS = ("memory.events", "memory.oom_control")


def available(root: str = _ROOT) -> tuple[str, ...]:
    """Which of `memory` and `processes` can be limited here, found by trying."""
    return tuple(name for name in _FILES if _parent(name, root) and _try(name, root))


@contextlib.contextmanager
def group(limits: dict[str, int], root: str = _ROOT) -> Iterator[Group]:
    """A group for one run with `limits` by name (`memory` in bytes, `processes`); gone afterwards with all in it."""
    name = f"gradewright-{os.getpid()}-{uuid.uuid4().hex[:12]}"
    folders: list[str] = []
    try:
        for kind, limit in limits.items():
            folder = f"{_parent(kind, root)}/{name}"
            if folder not in folders:
                os.mkdir(folder)
                folders.append(folder)
            _write(f"{folder}/{_FILES[kind][_is_unified(folder)]}", str(limit))
            if kind == "memory":
                _without_swap(folder, limit)
        yield Group(tuple(folders))
    finally:
        for folder in folders:
            _remove(folder)


def _parent(kind: str, root: str) -> str:
    """The folder below which groups for this limit can be made, or nothing."""
    controller = _CONTROLLERS[kind]
    if os.access(f"{root}/{controller}/cgroup.procs", os.W_OK):
        return f"{root}/{controller}"
    with contextlib.suppress(OSError), open(f"{root}/cgroup.subtree_control") as stream:
        if controller in stream.read().split() and os.access(f"{root}/cgroup.procs", os.W_OK):
            return root
    return ""


def _is_unified(folder: str) -> bool:
    return os.path.exists(f"{folder}/cgroup.events")


def _try(kind: str, root: str) -> bool:
    try:
        with group({kind: _TRIED[kind]}, root) as made:
            join = ["/bin/sh", "-c", f"echo $$ >{made.folders[0]}/cgroup.procs"]
            return subprocess.run(join, stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


def _without_swap(folder: str, limit: int) -> None:
    """Memory that moves to the swap counts too, where the machine accounts for it."""
    name, value = ("memory.swap.max", "0") if _is_unified(folder) else ("memory.memsw.limit_in_bytes", str(limit))
    with contextlib.suppress(OSError):
        _write(f"{folder}/{name}", value)


def _counts(path: str, key: str) -> int:
    try:
        with open(path) as stream:
            pairs = [line.split() for line in stream]
    except OSError:
        return 0
    return sum(int(pair[1]) for pair in pairs if len(pair) == 2 and pair[0] == key)


def _write(path: str, text: str) -> None:
    with open(path, "w") as stream:
        stream.write(text)


def emptied(group: Group, *, keep: int = 0) -> bool:
    """Kill all in a group but the process `keep` and wait until they are gone; False if they do not go."""
    for number in range(_TRIES):
        time.sleep(min(number * 0.0003, 0.01))
        members = group.members() - {keep}
        if not members:
            return True
        for process in members:
            with contextlib.suppress(OSError):
                os.kill(process, 9)
    return False


def _remove(folder: str) -> None:
    """Kill what is left in a group and remove it; the kernel lets go of it a moment after the last process ended."""
    for number in range(_TRIES):
        time.sleep(min(number * 0.0003, 0.01))
        emptied(Group((folder,)))
        with contextlib.suppress(OSError):
            os.rmdir(folder)
            return
