"""Publish several changes as one: after any error, signal or kill the old tree or the new one is there.

Everything is staged in a hidden folder inside the root. A journal there lists the renames about to be made; removing
the journal is the commit. As long as it exists, what was renamed is renamed back, by us or by the next `recover`.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from gradewright.write import STAGING_PREFIX, Change, WriteError
from gradewright.write.errors import explained
from gradewright.write.journal import JOURNAL, Entry, entry_of, read_journal, untouched, write_journal
from gradewright.write.lock import try_lock
from gradewright.write.plan import ADD, REMOVE, File, Operation, existing_folder, holds, plan
from gradewright.write.seal import is_sealed, seal


def publish(root: str, changes: Sequence[Change]) -> None:
    """Make all `changes` below `root`, or none. Call it inside `lock(root)`, after `recover(root)`.

    Raises WriteError when a change is unsafe, a file has changed meanwhile, or the system refuses; the tree is then
    as it was.
    """
    try:
        base, operations = plan(root, changes)
        if operations:
            with _signals_held():
                _commit(base, operations)
    except OSError as error:
        raise explained(error) from error


def is_staged(root: str) -> bool:
    """Whether `root` holds what may be a staging folder: of a killed `publish`, or of one that is at work."""
    try:
        with os.scandir(root) as entries:
            return any(entry.name.startswith(STAGING_PREFIX) for entry in entries)
    except OSError:
        return False


def recover(root: str) -> list[str]:
    """Undo what a killed `publish` has left half done in or just above `root`, and sweep up its staging folder.

    The answer says what was left alone since it only looks like a staging folder of ours. Raises WriteError when a
    half-published file has been edited since; nothing is touched then.
    """
    base = existing_folder(root)
    notes = []
    for folder in (base, os.path.dirname(base)):
        with suppress(PermissionError), os.scandir(folder) as entries:
            stale = [entry.path for entry in entries if entry.name.startswith(STAGING_PREFIX)]
            for staging in stale:
                if _is_ours(folder, staging):
                    _recover_one(folder, staging)
                elif os.path.lexists(staging):
                    notes.append(f"`{staging}` is not of your making and was left alone: look into it and remove it")
    return notes


def write_file(path: str, content: bytes, *, replace: bool = True) -> None:
    """Put `content` into the one file `path`, whatever it holds, whole or not at all; a device or pipe is written to.

    Raises WriteError when the folder is missing or the system refuses, and without `replace` when the file is there.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with _blaming(path), open(path, "wb") as stream:
                stream.write(content)
            return
        if not os.path.isdir(folder):
            raise WriteError(f"the folder `{folder}` does not exist", "create it first")
        old = None
        if replace and os.path.lexists(target):
            with open(target, "rb") as stream:
                old = stream.read()
    except OSError as error:
        raise explained(error) from error
    publish(folder, [Change(name, content, expect=old)])


def _recover_one(base: str, staging: str) -> None:
    try:
        _undo_unless_edited(base, staging)
    except OSError as error:
        if os.path.lexists(staging):
            raise explained(error) from error


def _undo_unless_edited(base: str, staging: str) -> None:
    with _held(staging) as ours:
        if not ours:
            return
        entries = read_journal(staging)
        for index, entry in enumerate(entries):
            if _was_published(entry, index, staging) and not untouched(os.path.join(base, entry.path), entry.new):
                raise WriteError(
                    f"an interrupted command left `{entry.path}` half-way, and it has been edited since",
                    f"compare it with `{staging}`, which holds the state before, and remove that folder",
                )
        _undo(base, staging, entries)
        _sweep(staging)


def _new_staging(base: str) -> str:
    name = os.urandom(8).hex()
    return os.path.join(base, f"{STAGING_PREFIX}{name}-{seal('folder', os.path.realpath(base), name)}")


def _is_ours(base: str, staging: str) -> bool:
    """Whether we made this staging folder, and for this place: anything may be in a tree that somebody else wrote."""
    name, _, claimed = os.path.basename(staging).removeprefix(STAGING_PREFIX).partition("-")
    if not is_sealed(claimed, "folder", os.path.realpath(base), name):
        return False
    try:
        status = os.lstat(staging)
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_mode & 0o777 == 0o700 and status.st_uid == os.getuid()


def _commit(base: str, operations: Sequence[Operation]) -> None:
    staging = _new_staging(base)
    entries = [entry_of(operation) for operation in operations]
    os.mkdir(staging, 0o700)
    with _held(staging):
        try:
            _stage_all(base, staging, operations)
            write_journal(staging, entries)
            _flush({staging})
            for index, operation in enumerate(operations):
                _stop_if_told()
                _perform(base, staging, index, operation)
            _flush({os.path.dirname(os.path.join(base, operation.path)) for operation in operations})
            _stop_if_told()
            os.unlink(os.path.join(staging, JOURNAL))
        except BaseException as failure:
            _roll_back(base, staging, entries, failure)
            raise
        _sweep(staging)


def _roll_back(base: str, staging: str, entries: Sequence[Entry], failure: BaseException) -> None:
    try:
        _undo(base, staging, entries)
    except OSError as error:
        reason = explained(failure) if isinstance(failure, OSError) else failure
        raise WriteError(f"{reason}; undoing it failed as well", "run the command again: it undoes the rest") from error
    _sweep(staging)


def _stage_all(base: str, staging: str, operations: Sequence[Operation]) -> None:
    """Write all files, then bring them to the disk: in this order most of the waiting is done once."""
    staged = []
    for index, operation in enumerate(operations):
        for file in operation.new:
            place = _place(staging, "new", index, file.name)
            target = os.path.normpath(os.path.join(base, operation.path, file.name))
            _stop_if_told()
            with _blaming(target):
                _stage(place, file)
            staged.append((place, target))
    for place, target in staged:
        _stop_if_told()
        with _blaming(target):
            _sync(place)


@contextmanager
def _blaming(target: str) -> Iterator[None]:
    """Let an error on a staged file name the place it was meant for."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = target, None
        raise


def _place(staging: str, side: str, index: int, name: str = "") -> str:
    place = os.path.join(staging, f"{side}.{index}")
    return os.path.join(place, *name.split("/")) if name else place


def _stage(place: str, file: File) -> None:
    os.makedirs(os.path.dirname(place), exist_ok=True)
    descriptor = os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_CLOEXEC", 0), file.mode)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(file.content)


def _take_over(place: str, target: str, mode: int) -> None:
    """Give the staged file the owner of the file it will replace, as far as we may, and these permissions."""
    status, ours = os.lstat(target), os.lstat(place)
    if (status.st_uid, status.st_gid) != (ours.st_uid, ours.st_gid):
        with suppress(PermissionError):
            os.chown(place, status.st_uid, status.st_gid)
    os.chmod(place, mode)


def _perform(base: str, staging: str, index: int, operation: Operation) -> None:
    target = os.path.join(base, operation.path)
    new, old = _place(staging, "new", index), _place(staging, "old", index)
    if operation.kind == ADD:
        if os.path.lexists(target):
            raise WriteError(f"`{operation.path}` has appeared while we were working", "run the command again")
        os.rename(new, target)
        return
    if operation.kind == REMOVE:
        os.rename(target, old)
    else:
        _take_over(new, target, operation.new[0].mode)
        _keep(target, old)
        os.replace(new, target)
    if not _is_as_expected(old, operation.old):
        raise WriteError(f"`{operation.path}` has changed while we were working", "run the command again")


def _keep(target: str, old: str) -> None:
    """Hold on to the file itself, so that undoing loses nothing; a copy where the file system has no hard links."""
    try:
        os.link(target, old)
    except OSError:
        from shutil import copy2

        copy2(target, old, follow_symlinks=False)


def _is_as_expected(place: str, files: Sequence[File]) -> bool:
    names = {os.path.normpath(os.path.join(place, file.name)): file.content for file in files}
    if os.path.isdir(place) and not os.path.islink(place):
        found = {os.path.join(folder, name) for folder, _, inside in os.walk(place) for name in inside}
        if found != set(names):
            return False
    return all(not os.path.islink(name) and holds(name, content) for name, content in names.items())


def _was_published(entry: Entry, index: int, staging: str) -> bool:
    """Whether the operation was made and not undone yet: its staged side has left, or its old side has come."""
    new, old = _place(staging, "new", index), _place(staging, "old", index)
    if entry.kind == ADD:
        return not os.path.lexists(new)
    return os.path.lexists(old) and not os.path.lexists(new)


def _undo(base: str, staging: str, entries: Sequence[Entry]) -> None:
    """Rename back what was published. Once the journal is written, every staged file that is missing was published."""
    if not os.path.lexists(os.path.join(staging, JOURNAL)):
        return
    for index, entry in reversed(list(enumerate(entries))):
        target = os.path.join(base, entry.path)
        if _was_published(entry, index, staging):
            if entry.kind != ADD:
                os.makedirs(os.path.dirname(target), exist_ok=True)
                os.replace(_place(staging, "old", index), target)
            elif os.path.lexists(target):
                os.rename(target, _place(staging, "new", index))
    os.unlink(os.path.join(staging, JOURNAL))


def _sweep(staging: str) -> None:
    """Remove the staging folder; what cannot be removed now is harmless and goes with the next command."""
    from shutil import rmtree

    rmtree(staging, ignore_errors=True)


def _flush(folders: set[str]) -> None:
    """Bring the renames in `folders` to the disk, where the system can do that for a folder."""
    for folder in folders:
        with suppress(OSError):
            _sync(folder)


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _held(staging: str) -> Iterator[bool]:
    """Mark the staging folder as belonging to a living process; false if it belongs to another."""
    descriptor = os.open(staging, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        yield try_lock(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Keep signals that would end us until we have published or undone; they arrive afterwards."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop_if_told() -> None:
    import signal

    if hasattr(signal, "sigpending") and signal.sigpending() & {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}:
        raise WriteError("stopped before anything was changed", "run the command again")
