"""`gradewright-validate FILE...`: the entry point for pre-commit, which loads no command-line framework."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from gradewright.failure import guarded, say
from gradewright.settings import TARGET_CHOICES

if TYPE_CHECKING:
    from gradewright.model import Report
    from gradewright.settings import Settings

USAGE = """usage: gradewright-validate [--fix] [--strict] [--target skillevaluator|harbor|both] [FILE ...]

Checks the skill or Harbor task each FILE belongs to, with the reward contract. Settings come from
gradewright.toml or [tool.gradewright]. Files that belong to none are passed over. --fix makes safe fixes.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Check what `argv` names; 0 clean, 1 findings, 2 usage."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if "-h" in arguments or "--help" in arguments:
        say(USAGE)
        return 0
    if "--version" in arguments:
        from gradewright import __version__

        say(f"gradewright {__version__}\n")
        return 0
    options = _parse(arguments)
    if options.problem:
        return _fail(options.problem, USAGE)
    return _check(options)


class _Options(NamedTuple):
    paths: list[str]
    strict: bool = False
    fix: bool = False
    target: str = ""
    problem: str = ""


def _parse(arguments: list[str]) -> _Options:
    options = _Options([])
    rest = iter(arguments)
    for word in rest:
        if word in ("--strict", "--fix"):
            options = options._replace(strict=True) if word == "--strict" else options._replace(fix=True)
        elif word == "--target" or word.startswith("--target="):
            target = word.partition("=")[2] if "=" in word else next(rest, "")
            if target not in TARGET_CHOICES:
                return options._replace(problem=f"--target takes {', '.join(TARGET_CHOICES)}")
            options = options._replace(target=target)
        elif word == "--":
            options.paths.extend(rest)
        elif word.startswith("-"):
            return options._replace(problem=f"unknown option {word}")
        else:
            options.paths.append(word)
    return options


def _check(options: _Options) -> int:
    from gradewright.catalogue import UnknownRuleError
    from gradewright.check import check_roots
    from gradewright.read.discover import discover, merged
    from gradewright.render.text import render
    from gradewright.settings import SettingsError, load

    try:
        settings = load(options.paths)
        settings = settings._replace(
            harbor_contract=True,
            strict=options.strict or settings.strict,
            target=options.target or settings.target,
        )
        report = check_roots(merged(item for path in options.paths for item in discover(path)), settings)
        unwritten = False
        if options.fix:
            report, unwritten = _fixed(report, options.paths, settings)
        if settings.baseline:
            from gradewright.baseline import compare

            report = compare(report, settings.baseline, options.paths, settings)
    except (SettingsError, UnknownRuleError) as error:
        return _fail(str(error))
    if report.findings or report.hidden or report.fixed:
        say(render(report))
    return 2 if unwritten else int(report.failed(strict=settings.strict))


def _fixed(report: "Report", paths: list[str], settings: "Settings") -> "tuple[Report, bool]":
    """The report after the fixes, and whether some could not be written."""
    from gradewright.fix.session import carried_out, session

    report, failures = carried_out(report, session(paths, settings), unsafe=False)
    for root, failure in failures:
        _fail(f"{root}: nothing was fixed: {failure.message}")
    return report, bool(failures)


def _fail(problem: str, usage: str = "") -> int:
    from gradewright.visible import visible

    sys.stderr.write(f"gradewright-validate: {visible(problem)}\n{usage}")
    return 2


def run() -> int:
    """The installed command: like `main`, with our own bugs and an interrupt told apart."""
    return guarded(main)
