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


_running: set[subprocess.Popen[bytes]] = set()


class Ended(NamedTuple):
    """How a program ended; a stream that held more than the limit is cut there, and the program killed."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    seconds: float
    timed_out: bool
    flooded: bool


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
    _running.add(process)
    try:
        streams, timed_out, flooded = _read(process, started + seconds, output)
    finally:
        _running.discard(process)
        _end(process)
    return Ended(
        process.returncode, streams[0], streams[1], time.monotonic() - started, timed_out=timed_out, flooded=flooded
    )


def stop() -> None:
    """End every program that another thread waits for, which goes on as if it had been killed from outside."""
    for process in tuple(_running):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _read(process: subprocess.Popen[bytes], deadline: float, limit: int) -> tuple[tuple[bytes, bytes], bool, bool]:
    """Both streams until the program has ended, the time is up, or one of them is full."""
    assert process.stdout and process.stderr
    parts: dict[int, list[bytes]] = {process.stdout.fileno(): [], process.stderr.fileno(): []}
    room = dict.fromkeys(parts, limit)
    timed_out = flooded = False
    with selectors.DefaultSelector() as selector:
        for descriptor in parts:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map() and not flooded:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                timed_out = True
                break
            ready = selector.select(min(remaining, 0.05 if process.poll() is not None else remaining))
            if not ready and process.poll() is not None:
                break
            for key, _ in ready:
                data = os.read(key.fd, min(_CHUNK, room[key.fd] + 1))
                if not data:
                    selector.unregister(key.fd)
                    continue
                parts[key.fd].append(data[: room[key.fd]])
                room[key.fd] -= len(parts[key.fd][-1])
                flooded = flooded or len(data) > len(parts[key.fd][-1])
    if not (timed_out or flooded):
        timed_out = _outlives(process, deadline)
    out, err = parts.values()
    return (b"".join(out), b"".join(err)), timed_out, flooded


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
