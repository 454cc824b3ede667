"""Tell our own staging folders from those that somebody put into a tree for us to find.

A staging folder decides what is renamed over the user's files, so a checkout must not be able to bring one. Its name
and its journal carry a keyed hash; the key lies in the user's state folder, outside of every checkout.
"""

import hmac
import os
from functools import cache

KEY_BYTES = 32
LENGTH = 32
"""Hexadecimal digits of a seal."""


def seal(*parts: str) -> str:
    """The keyed SHA-256 of `parts`, in `LENGTH` hexadecimal digits."""
    text = "\0".join(parts).encode("utf-8", "surrogateescape")
    return hmac.new(_key(), text, "sha256").hexdigest()[:LENGTH]


def is_sealed(claimed: str, *parts: str) -> bool:
    """Whether `claimed` is our seal of `parts`."""
    return hmac.compare_digest(claimed.encode("utf-8", "surrogateescape"), seal(*parts).encode())


@cache
def _key() -> bytes:
    """The user's key; where none can be kept, one for this process: what it leaves behind is then not recovered."""
    folder = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    if os.path.isabs(folder):
        path = os.path.join(folder, "gradewright", "key")
        try:
            return _read(path) or _create(path) or os.urandom(KEY_BYTES)
        except OSError:
            pass
    return os.urandom(KEY_BYTES)


def _read(path: str) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(stream.fileno())
        private = status.st_uid == os.getuid() and not status.st_mode & 0o077
        key = stream.read(KEY_BYTES)
    return key if private and len(key) == KEY_BYTES else None


def _create(path: str) -> bytes | None:
    """A new key, or the one that another process created at the same moment."""
    from contextlib import suppress

    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    fresh = f"{path}.{os.urandom(8).hex()}"
    descriptor = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(os.urandom(KEY_BYTES))
    with suppress(FileExistsError):
        os.link(fresh, path)
    os.unlink(fresh)
    return _read(path)
