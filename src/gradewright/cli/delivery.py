"""What `validate` does with a report: compare it with a baseline, show it, or write it down as the baseline."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import typer

from gradewright.cli.output import fail, write_output
from gradewright.failure import say
from gradewright.settings import Settings

if TYPE_CHECKING:
    from gradewright.model import Report

_COUNTED = ("text", "json")
"""The formats that have a place for statistics."""


class Delivery(NamedTuple):
    """How the person at the keyboard wants the report."""

    form: str = "text"
    output: str | None = None
    quiet: bool = False
    exit_zero: bool = False
    statistics: bool = False
    baseline: str | None = None
    new_baseline: str | None = None
    force: bool = False


def misuse(delivery: Delivery) -> str:
    """What does not go together, or an empty text."""
    files = {"output": delivery.output, "baseline": delivery.baseline, "write-baseline": delivery.new_baseline}
    for name, file in files.items():
        if file == "":
            return f"--{name} needs the name of a file"
    if delivery.baseline and delivery.new_baseline:
        return "--baseline and --write-baseline exclude each other"
    if delivery.new_baseline and (delivery.output or delivery.statistics or delivery.form != "text"):
        return "--write-baseline writes no report, so --format, --output and --statistics do not go with it"
    if delivery.statistics and delivery.form not in _COUNTED:
        return f"--statistics goes with --format {' or '.join(_COUNTED)}"
    return "--force goes with --write-baseline" if delivery.force and not delivery.new_baseline else ""


def refused(delivery: Delivery, paths: list[str], settings: Settings) -> int:
    """2, with a word about it, if what is to be written would take the place of an input; otherwise 0."""
    output, new = delivery.output, delivery.new_baseline
    if output and (why := _taken(output, [*paths, delivery.baseline or settings.baseline])):
        return fail(f"`{output}` {why} and is left alone", "write the report elsewhere")
    if new and delivery.force and (why := _taken(new, paths)) and not _is_baseline(new):
        return fail(f"`{new}` {why} and is left alone", "write the baseline elsewhere")
    return 0


def _is_baseline(file: str) -> bool:
    from gradewright.baseline import BaselineError, load

    try:
        load(file)
    except BaselineError:
        return False
    return True


@contextmanager
def profile(seconds: dict[str, float] | None) -> Iterator[None]:
    """Print to the error output how long what is done inside took, and each rule; nothing if `seconds` is None."""
    from time import perf_counter

    start = perf_counter()
    yield
    if seconds is None:
        return
    whole, rules = perf_counter() - start, sum(seconds.values())
    typer.echo(f"{whole:10.4f} s in one process; {rules:.4f} s of them in rules, of which", err=True)
    for name, taken in sorted(seconds.items(), key=lambda pair: -pair[1]):
        typer.echo(f"{taken:10.4f} s {taken / rules:6.1%}  {name}", err=True)


def deliver(report: "Report", paths: list[str], settings: Settings, delivery: Delivery) -> int:
    """Show the report or write the baseline; the exit code."""
    if code := refused(delivery, paths, settings):
        return code
    if delivery.new_baseline:
        return _write_baseline(report, delivery.new_baseline, force=delivery.force)
    baseline = delivery.baseline or settings.baseline
    if baseline:
        from gradewright.baseline import BaselineError, compare

        try:
            report = compare(report, baseline, paths, settings)
        except BaselineError as error:
            return fail(str(error))
    failed = int(report.failed(strict=settings.strict) and not delivery.exit_zero)
    from gradewright.render import Style, render

    style = Style(
        colour=delivery.output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR"),
        quiet=delivery.quiet,
        strict=settings.strict,
        exit_code=failed,
        statistics=delivery.statistics,
    )
    return write_output(render(report, delivery.form, style), delivery.output) or failed


def _taken(output: str, inputs: list[str]) -> str:
    """Why a report must not take the place of the file `output`; empty if nothing speaks against it."""
    if not os.path.isfile(output):
        return ""
    if any(os.path.isfile(path) and os.path.samefile(path, output) for path in inputs):
        return "is an input of this command"
    from gradewright.read.discover import owner_of_file

    owner = owner_of_file(output)
    return f"is a part of `{owner}`" if owner else ""


def _write_baseline(report: "Report", file: str, *, force: bool) -> int:
    from gradewright.baseline import dump
    from gradewright.write import WriteError
    from gradewright.write.transaction import write_file

    try:
        write_file(file, dump(report, file).encode("ascii"), replace=force)
    except WriteError as error:
        hint = "add --force to replace it" if os.path.isfile(file) and not force else error.hint
        return fail(error.message, hint)
    count = len(report.findings)
    say(f"{file}: {count} finding{'' if count == 1 else 's'} recorded\n")
    return 0
