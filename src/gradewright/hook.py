"""`gradewright-validate FILE...`: the entry point for pre-commit, which loads no command-line framework."""

import os
import sys
from collections.abc import Sequence

USAGE = """usage: gradewright-validate [--strict] [--target skillevaluator|harbor|both] [FILE ...]

Checks the skill or Harbor task each FILE belongs to, with the reward contract. Settings come from
gradewright.toml or [tool.gradewright]. Files that belong to none are passed over.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Check what `argv` names; 0 clean, 1 findings, 2 usage."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if "-h" in arguments or "--help" in arguments:
        sys.stdout.write(USAGE)
        return 0
    if "--version" in arguments:
        from gradewright import __version__

        sys.stdout.write(f"gradewright {__version__}\n")
        return 0
    options, paths, problem = _parse(arguments)
    if problem:
        sys.stderr.write(f"gradewright-validate: {problem}\n{USAGE}")
        return 2
    return _check(options, paths)


def _parse(arguments: list[str]) -> tuple[dict[str, object], list[str], str]:
    options: dict[str, object] = {}
    paths: list[str] = []
    rest = iter(arguments)
    for word in rest:
        if word == "--strict":
            options["strict"] = True
        elif word == "--target" or word.startswith("--target="):
            options["target"] = word.partition("=")[2] if "=" in word else next(rest, "")
        elif word == "--":
            paths += rest
        elif word.startswith("-"):
            return options, paths, f"unknown option {word}"
        else:
            paths.append(word)
    if options.get("target", "both") not in ("skillevaluator", "harbor", "both"):
        return options, paths, "--target takes skillevaluator, harbor or both"
    return options, paths, ""


def _check(options: dict[str, object], paths: list[str]) -> int:
    from gradewright.check import UnknownRuleError, check_roots
    from gradewright.read.discover import discover, merged
    from gradewright.render.text import render
    from gradewright.settings import SettingsError, load

    try:
        settings = load(os.curdir)._replace(harbor_contract=True)._replace(**options)
        report = check_roots(merged(item for path in paths for item in discover(path)), settings)
    except (SettingsError, UnknownRuleError) as error:
        sys.stderr.write(f"gradewright-validate: {error}\n")
        return 2
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if report.findings or report.hidden:
        sys.stdout.write(render(report))
    return int(report.failed(strict=settings.strict))


def run() -> int:
    """The installed command: like `main`, with our own bugs and an interrupt told apart."""
    from gradewright.failure import guarded

    return guarded(main)
