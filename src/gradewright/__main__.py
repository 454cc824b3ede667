"""The installed command; `--version` is answered before anything else is loaded."""

import sys


def main() -> int:
    """Run the command line given in `sys.argv` and return its exit code."""
    from gradewright.failure import guarded

    return guarded(_version if sys.argv[1:] in (["--version"], ["-V"]) else _run)


def _version() -> int:
    from gradewright import __version__
    from gradewright.failure import say

    say(f"gradewright {__version__}\n")
    return 0


def _run() -> int:
    from gradewright.cli.app import run

    return run()


if __name__ == "__main__":
    sys.exit(main())
