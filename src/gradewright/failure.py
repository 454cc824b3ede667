"""What every command does when it is interrupted, when its output is closed, or when it has a bug."""

import os
import sys
from collections.abc import Callable

ISSUES_URL = "https://github.com/gradewright/gradewright/issues"


def guarded(command: Callable[[], int]) -> int:
    """Run `command`: 130 when interrupted, 3 with a report to paste when it raised what it should not."""
    try:
        code = command()
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception as error:
        sys.stderr.write(_report(error))
        return 3


def _report(error: Exception) -> str:
    import platform
    import traceback

    from gradewright import __version__

    frames = traceback.extract_tb(error.__traceback__)[-6:]
    lines = [f"  {os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
    return "\n".join(
        [
            "gradewright has a bug: it should not have stopped here. Nothing of yours was changed by this.",
            f"Please report it at {ISSUES_URL} with these lines:",
            "",
            f"  gradewright {__version__}, Python {platform.python_version()}, {platform.system()}",
            f"  {type(error).__name__}: {str(error)[:200]}",
            *lines,
            "",
        ]
    )
