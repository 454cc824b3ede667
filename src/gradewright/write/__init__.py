"""The only place that changes a user's files: planned changes, published together or not at all."""

from typing import NamedTuple

STAGING_PREFIX = ".gradewright-stage-"
"""Name of the hidden folder that holds changes until they are published; every reader passes over it."""


class Change(NamedTuple):
    """One file as it shall be.

    `path` is relative to the root of the transaction, with `/` between folders. `content` None deletes the file.
    `expect` is what the file holds now, None if it must not exist: a file that has changed meanwhile is left alone.
    `mode` (less the user's umask) is for a new file; a file that is replaced keeps its own permissions and gains
    at most the execute bits of `mode`, for those who may read it.
    """

    path: str
    content: bytes | None
    mode: int = 0o644
    expect: bytes | None = None


class WriteError(Exception):
    """Nothing could be written, and nothing has been; `hint` says what to do, as an imperative."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
