"""One writer at a time for a folder, without leaving anything behind in it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep

from gradewright.write import WriteError
from gradewright.write.plan import existing_folder

_PAUSE = 0.02
"""Seconds between two attempts."""


@contextmanager
def lock(root: str, *, seconds: float = 30) -> Iterator[None]:
    """Hold `root` (or the nearest folder above it that exists) against other writers of ours.

    The lock is on the folder itself and ends with the process, so a killed one leaves none behind. Where the system
    offers no such lock (Windows, some network file systems), `publish` still notices a file that changed meanwhile.
    Raises WriteError when another process holds the folder for more than `seconds`.
    """
    folder = existing_folder(root)
    try:
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        raise WriteError(f"cannot open `{folder}`: {error.strerror}", "make the folder readable") from error
    try:
        deadline = monotonic() + seconds
        while not try_lock(descriptor):
            if monotonic() >= deadline:
                raise WriteError(f"another process is writing to `{folder}`", "wait for it to end, or stop it")
            sleep(_PAUSE)
        yield
    finally:
        os.close(descriptor)


def try_lock(descriptor: int) -> bool:
    """Whether the open file is ours now; False if another process holds it. No lock support counts as ours."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
