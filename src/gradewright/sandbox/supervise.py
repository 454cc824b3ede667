"""Wait for a program while its output is read within bounds."""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import NamedTuple

_CHUNK = 1 << 16
_GRACE = 2.0
"""Seconds to wait for the end of a program that was killed."""


running: set[subprocess.Popen[bytes]] = set()
"""Programs that are waited for, each with a group of processes of its own."""


class Ended(NamedTuple):
    """How a program ended; a stream that held more than the limit is cut there, and the program killed."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    seconds: float
    timed_out: bool
    flooded: bool


class Streams:
    """What is read from some descriptors, at most `limit` bytes of each; `full` as soon as one of them had more."""

    def __init__(self, descriptors: Sequence[int], limit: int) -> None:
        self.full = False
        self.descriptors = tuple(descriptors)
        self._parts: dict[int, list[bytes]] = {descriptor: [] for descriptor in descriptors}
        self._room = dict.fromkeys(descriptors, limit)

    def take(self, descriptor: int) -> bool:
        """Read what is there; False at the end of the stream."""
        data = os.read(descriptor, _CHUNK)
        self._parts[descriptor].append(data[: self._room[descriptor]])
        self.full = self.full or len(data) > self._room[descriptor]
        self._room[descriptor] -= len(self._parts[descriptor][-1])
        return bool(data)

    def drain(self) -> None:
        """Read the rest of descriptors that do not block, and forget what is beyond the limit."""
        for descriptor in self._parts:
            with contextlib.suppress(BlockingIOError):
                while self.take(descriptor):
                    pass

    def contents(self) -> list[bytes]:
        """What was read from each descriptor."""
        return [b"".join(parts) for parts in self._parts.values()]


def supervise(
    command: Sequence[str],
    *,
    seconds: float,
    output: int,
    environment: dict[str, str],
    folder: str | None = None,
) -> Ended:
    """Run `command` for at most `seconds`, keeping at most `output` bytes of each of its two streams.

    It gets a session of its own, which is ended with it.
    """
    started = time.monotonic()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=folder,
        start_new_session=True,
    )
    running.add(process)
    try:
        assert process.stdout and process.stderr
        streams = Streams((process.stdout.fileno(), process.stderr.fileno()), output)
        timed_out = _read(process, streams, started + seconds)
    finally:
        running.discard(process)
        _end(process)
    out, err = streams.contents()
    taken = time.monotonic() - started
    return Ended(process.returncode, out, err, taken, timed_out=timed_out, flooded=streams.full)


def stop() -> None:
    """End every program that another thread waits for, which goes on as if it had been killed from outside."""
    for process in tuple(running):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _read(process: subprocess.Popen[bytes], streams: Streams, deadline: float) -> bool:
    """Read until the program has ended or a stream is full; True if the time is up before."""
    with selectors.DefaultSelector() as selector:
        for descriptor in streams.descriptors:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map() and not streams.full:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return True
            ready = selector.select(min(remaining, 0.05 if process.poll() is not None else remaining))
            if not ready and process.poll() is not None:
                break
            for key, _ in ready:
                if not streams.take(key.fd):
                    selector.unregister(key.fd)
    return not streams.full and _outlives(process, deadline)


def _outlives(process: subprocess.Popen[bytes], deadline: float) -> bool:
    """Whether a program that has closed its streams is still there when its time is up."""
    try:
        process.wait(max(deadline - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        return True
    return False


def _end(process: subprocess.Popen[bytes]) -> None:
    """Leave nothing of the program behind."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(_GRACE)
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()
