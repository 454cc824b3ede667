"""The installed command; `--version` is answered before anything else is loaded."""

import sys


def main() -> int:
    """Run the command line given in `sys.argv` and return its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from gradewright import __version__

        sys.stdout.write(f"gradewright {__version__}\n")
        return 0
    from gradewright.cli.app import run
    from gradewright.failure import guarded

    return guarded(run)


if __name__ == "__main__":
    sys.exit(main())
