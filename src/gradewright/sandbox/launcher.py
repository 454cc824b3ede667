"""Shells that have joined a control group once and start one program after the other in it.

To join a group costs the kernel several milliseconds, to be born in it nothing.
"""

import atexit
import contextlib
import os
import selectors
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence

from gradewright.sandbox import cgroup
from gradewright.sandbox.protocol import SandboxError
from gradewright.sandbox.supervise import Ended, Streams, running

_LOOP = """\
{join}exec 3<&0 </dev/null
while read -r script <&3; do . "$script"; done
kill -9 "$!" 2>/dev/null
"""
"""Ends, and all that it started with it, when the other side of its control socket is closed or dies."""

_RUN = """\
wait
(
echo {number} >&3
echo 1000 2>/dev/null >/proc/self/oom_score_adj
{words} 3>&- >/proc/self/fd/1 2>/proc/self/fd/2
echo "{number} $?" >&3
) &
"""
"""Tells that it has begun, and the exit status in the end.

If memory runs out, the program is to die and not its shell. It gets the streams opened anew: their modes are its own.
"""

_OURS = 2
"""Processes of a group that are not the program's: the shell, and the one that waits for the program."""

_LOOK = 0.5
"""Seconds of silence after which it is looked whether the program is there at all."""

_KILLED = 128 + signal.SIGKILL


class Launcher:
    """A shell in a group with `limits` by name (`memory` in bytes, `processes`); raises OSError if it cannot be had."""

    def __init__(self, limits: dict[str, int], environment: dict[str, str]) -> None:
        with contextlib.ExitStack() as made:
            more = {"processes": limits["processes"] + _OURS} if "processes" in limits else {}
            self._group = made.enter_context(cgroup.group(limits | more))
            self._folder = tempfile.mkdtemp(prefix="gradewright-launch-")
            made.callback(shutil.rmtree, self._folder, ignore_errors=True)
            self._control, theirs = socket.socketpair()
            made.callback(self._control.close)
            join = "".join(f"echo $$ >{folder}/cgroup.procs || exit\n" for folder in self._group.folders)
            with theirs:
                self._process = subprocess.Popen(
                    ["/bin/sh", "-c", _LOOP.format(join=join)],
                    stdin=theirs.fileno(),
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=environment,
                    start_new_session=True,
                )
            made.callback(self._end)
            assert self._process.stdout and self._process.stderr
            self._outputs = (self._process.stdout.fileno(), self._process.stderr.fileno())
            for descriptor in self._outputs:
                os.set_blocking(descriptor, False)
            self.close = made.pop_all().close
        self._number = 0
        self.usable = True

    def run(self, words: Sequence[str], *, seconds: float, output: int) -> tuple[Ended, bool]:
        """Like `supervise`, with whether a process was killed for want of memory."""
        started = time.monotonic()
        killed = self._group.kills()
        self._number += 1
        self.usable = False
        streams = Streams(self._outputs, output)
        code: int | None = None
        script = f"{self._folder}/{self._number}"
        with open(script, "w", encoding="utf-8", errors="surrogateescape") as stream:
            stream.write(_RUN.format(number=self._number, words=shlex.join(words)))
        running.add(self._process)
        try:
            with contextlib.suppress(BrokenPipeError):
                self._control.send(os.fsencode(f"{script}\n"))
            code, timed_out = self._wait(streams, started + seconds)
        finally:
            running.discard(self._process)
            self.usable = self._is_empty() and self._process.poll() is None
            streams.drain()
            os.unlink(script)
        code = _KILLED if code is None else code
        out, err = streams.contents()
        taken = time.monotonic() - started
        ended = Ended(code, out, err, taken, timed_out=timed_out, flooded=streams.full)
        return ended, self._group.kills() > killed

    def _wait(self, streams: Streams, deadline: float) -> tuple[int | None, bool]:
        """The exit status, None where nobody can tell it, and whether the time was up.

        Raises `SandboxError` if the program was not even begun.
        """
        begun = False
        with selectors.DefaultSelector() as selector:
            for descriptor in (*self._outputs, self._control.fileno()):
                selector.register(descriptor, selectors.EVENT_READ)
            while not streams.full:
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    return None, True
                ready = {key.fd for key, _ in selector.select(min(remaining, _LOOK))}
                for descriptor in ready.intersection(self._outputs):
                    streams.take(descriptor)
                if self._control.fileno() in ready:
                    answers = self._control.recv(4096)
                    told = [line.split() for line in answers.splitlines()]
                    own = [answer for answer in told if answer[:1] == [b"%d" % self._number]]
                    begun = begun or bool(own)
                    if own and len(own[-1]) > 1:
                        return int(own[-1][1]), False
                    if not answers:
                        break
                if begun and not ready and not self._others():
                    break
        if not begun and not streams.full:
            raise SandboxError("the shell that starts scripts has ended; try again, or use another `--sandbox`")
        return None, False

    def _others(self) -> set[int]:
        return self._group.members() - {self._process.pid}

    def _is_empty(self) -> bool:
        """Whether nothing is left of the program, what still runs being killed."""
        return cgroup.emptied(self._group, keep=self._process.pid)

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdout, self._process.stderr):
            if stream:
                stream.close()


_lock = threading.Lock()
_free: dict[tuple[object, ...], list[Launcher]] = {}


@contextlib.contextmanager
def launcher(limits: dict[str, int], environment: dict[str, str]) -> Iterator[Launcher]:
    """A launcher that nobody else uses meanwhile, and that is kept for the next one who needs such limits."""
    kind = (*limits.items(), *environment.items())
    with _lock:
        kept = _free.setdefault(kind, [])
        found = kept.pop() if kept else None
    found = found or Launcher(limits, environment)
    try:
        yield found
    finally:
        if found.usable:
            with _lock:
                kept.append(found)
        else:
            found.close()


@atexit.register
def _close() -> None:
    with _lock:
        for kept in _free.values():
            while kept:
                kept.pop().close()
