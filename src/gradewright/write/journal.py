"""What a transaction is about to rename, written down so that a later process can undo it."""

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gradewright.write import WriteError
from gradewright.write.plan import ADD, REMOVE, REPLACE, Operation, is_safe, topmost_missing
from gradewright.write.seal import is_sealed, seal

JOURNAL = "journal.json"


class Entry(NamedTuple):
    """An operation as the journal keeps it; `new` maps each file it publishes to the SHA-256 of the content."""

    kind: str
    path: str
    new: dict[str, str]


def entry_of(operation: Operation) -> Entry:
    """The journal's view of `operation`."""
    return Entry(operation.kind, operation.path, {file.name: _digest(file.content) for file in operation.new})


def write_journal(staging: str, entries: Sequence[Entry]) -> None:
    """Write the journal in one step: it is either there and whole, or not there."""
    path = os.path.join(staging, JOURNAL)
    with open(f"{path}.new", "x", encoding="utf-8") as stream:
        text = json.dumps([entry._asdict() for entry in entries])
        stream.write(f"{seal('journal', os.path.basename(staging), text)}\n{text}")
        stream.flush()
        os.fsync(stream.fileno())
    os.rename(f"{path}.new", path)


def read_journal(staging: str) -> list[Entry]:
    """The entries of the journal in `staging`, none if there is none: then nothing was renamed.

    Raises WriteError for a journal that we cannot have written.
    """
    try:
        with open(os.path.join(staging, JOURNAL), encoding="utf-8") as stream:
            claimed, _, text = stream.read().partition("\n")
        if not is_sealed(claimed, "journal", os.path.basename(staging), text):
            raise _damaged(staging)
        document = json.loads(text)
    except FileNotFoundError:
        return []
    except (ValueError, RecursionError) as error:
        raise _damaged(staging) from error
    if not isinstance(document, list):
        raise _damaged(staging)
    return [_entry(item, staging) for item in document]


def untouched(path: str, new: dict[str, str]) -> bool:
    """Whether `path` holds the published files `new` and no others; one that is missing has not been edited."""
    return not os.path.lexists(path) or dict(_digests(path)) == new


def _entry(item: Any, staging: str) -> Entry:
    try:
        entry = Entry(**item)
        if entry.kind in (ADD, REPLACE, REMOVE) and isinstance(entry.new, dict) and is_safe(entry.path):
            topmost_missing(os.path.dirname(staging), entry.path)
            return entry
    except (TypeError, AttributeError, WriteError) as error:
        raise _damaged(staging) from error
    raise _damaged(staging)


def _damaged(staging: str) -> WriteError:
    return WriteError(f"`{staging}` is not a staging folder we can recover", "look into it and remove it")


def _digests(path: str) -> Iterator[tuple[str, str]]:
    if not os.path.isdir(path) or os.path.islink(path):
        yield "", _file_digest(path)
    for folder, _, names in os.walk(path):
        for name in names:
            place = os.path.join(folder, name)
            yield os.path.relpath(place, path).replace(os.sep, "/"), _file_digest(place)


def _file_digest(path: str) -> str:
    if os.path.islink(path) or not os.path.isfile(path):
        return ""
    with open(path, "rb") as stream:
        return _digest(stream.read())


def _digest(content: bytes) -> str:
    from hashlib import sha256

    return sha256(content).hexdigest()
