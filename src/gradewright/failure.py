"""What every command does with its output, when it is interrupted, and when its surroundings or it itself fail."""

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress

ISSUES_URL = "https://github.com/gradewright/gradewright/issues"

_OUTPUT_REFUSED = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""Errors without a file's name: our files' own are told where they happen, so the output is what is left."""


def guarded(command: Callable[[], int]) -> int:
    """Run `command` and return its exit code.

    130 when interrupted, 2 when the output cannot be written or the working folder is gone, 3 with a report to paste
    when it raised what it should not.
    """
    _open_streams()
    try:
        code = command()
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        _tell("interrupted\n")
        return 130
    except Exception as error:
        return _failed(error)


def say(text: str) -> None:
    """Write `text` to the output. A reader that has gone (`| head`) has seen enough, and the command goes on."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()


def _open_streams() -> None:
    """Let closed streams lead nowhere, so that no file opened later takes their place; escape what has no character."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _drop_output() -> None:
    """Send what is still to be written nowhere: the interpreter would try it once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def _tell(text: str) -> None:
    """Write `text` to the error output; where that is full as well, the exit code has to do."""
    with suppress(OSError):
        sys.stderr.write(text)


def _failed(error: Exception) -> int:
    if isinstance(error, BrokenPipeError):
        _drop_output()
        return 0
    if isinstance(error, OSError) and (cause := _surroundings(error)):
        _tell("error: {}\n    {}\n".format(*cause))
        return 2
    _tell(_report(error))
    return 3


def _surroundings(error: OSError) -> tuple[str, str] | None:
    """What is wrong around us, with what to do about it; None if that does not explain the error."""
    if error.filename is not None:
        return None
    try:
        os.getcwd()
    except OSError:
        return "the folder you are in is no longer there", "change to one that is"
    if error.errno in _OUTPUT_REFUSED:
        _drop_output()
        reason = os.strerror(error.errno or 0).lower()
        return f"the output cannot be written: {reason}", "make room, or send the output elsewhere"
    return None


def _report(error: Exception) -> str:
    import platform
    import traceback

    from gradewright import __version__
    from gradewright.visible import visible

    frames = traceback.extract_tb(error.__traceback__)[-6:]
    lines = [f"  {os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
    return "\n".join(
        [
            "gradewright has a bug: it should not have stopped here. None of your files is half-written.",
            f"Please report it at {ISSUES_URL} with these lines:",
            "",
            f"  gradewright {__version__}, Python {platform.python_version()}, {platform.system()}",
            f"  {type(error).__name__}: {visible(str(error)[:200])}",
            *lines,
            "",
        ]
    )
