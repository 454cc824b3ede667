"""What the operating system's refusals mean to the person at the keyboard."""

import errno
import os

from gradewright.write import STAGING_PREFIX, WriteError

_MEANING = {
    errno.ENOSPC: ("there is no space left on the disk for `{}`", "free some space and run the command again"),
    errno.EDQUOT: ("your disk quota is used up, at `{}`", "free some space and run the command again"),
    errno.EROFS: ("`{}` is on a read-only file system", "work on a copy that can be written"),
    errno.EACCES: ("you may not write to `{}`", "give yourself permission to write there"),
    errno.EPERM: ("you may not write to `{}`", "give yourself permission to write there"),
    errno.ENAMETOOLONG: ("the name `{}` is too long for this file system", "choose a shorter name"),
    errno.ENOTDIR: ("`{}` is not in a folder, but below a file", "move the file away"),
    errno.EISDIR: ("`{}` is a folder", "name a file, or move the folder away"),
    errno.EXDEV: ("`{}` is on another file system than the folder it is in", "work where both are on one file system"),
}


def explained(error: OSError) -> WriteError:
    """The error in the user's words; a path inside our staging folder is named by the folder that holds it."""
    places = [os.fsdecode(name) for name in (error.filename, error.filename2) if isinstance(name, str | bytes)]
    place = next((name for name in places if STAGING_PREFIX not in name), places[0] if places else "")
    place = place.partition(os.sep + STAGING_PREFIX)[0]
    if error.errno in _MEANING:
        message, hint = _MEANING[error.errno]
        return WriteError(message.format(place or "the file"), hint)
    return WriteError(f"cannot write `{place}`: {error.strerror or error}", "see to that and run the command again")
