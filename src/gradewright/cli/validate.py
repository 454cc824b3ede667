"""`gradewright validate`: check skills and Harbor tasks before a run is paid for."""

from enum import StrEnum
from typing import Annotated

import typer

from gradewright.cli.delivery import Delivery, deliver, misuse, profile, refused
from gradewright.cli.harbor import lint_and_deliver
from gradewright.cli.output import fail
from gradewright.settings import COMMAND_LINE, Ignore, Settings, SettingsError, load


class Target(StrEnum):
    """Who will run the graders."""

    SKILLEVALUATOR = "skillevaluator"
    HARBOR = "harbor"
    BOTH = "both"


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    JUNIT = "junit"


def validate(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Skills, tasks, folders of them, or files.")],
    harbor_contract: Annotated[
        bool, typer.Option("--harbor-contract", help="Check native tasks and the reward contract too.")
    ] = False,
    with_harbor_lint: Annotated[
        bool, typer.Option("--with-harbor-lint", help="Add the findings of Harbor's own linter.")
    ] = False,
    target: Annotated[
        Target | None, typer.Option(help="The platform that will run the graders. [default: both]")
    ] = None,
    select: Annotated[list[str] | None, typer.Option(metavar="RULES", help="Only these rules: codes or names.")] = None,
    ignore: Annotated[list[str] | None, typer.Option(metavar="RULES", help="Hide these rules' findings.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail as well.")] = False,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 even when there are findings.")] = False,
    form: Annotated[Format, typer.Option("--format", help="How to write the report.")] = Format.TEXT,
    output: Annotated[str | None, typer.Option(metavar="FILE", help="Write the report to FILE.")] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Fix what can be fixed safely, and report the rest.")] = False,
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="Make fixes that may change what is measured too.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what --fix would change; change nothing.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Findings only, no summary.")] = False,
    jobs: Annotated[int | None, typer.Option(min=0, help="Processes to use; 0 chooses.")] = None,
    statistics: Annotated[bool, typer.Option("--statistics", help="Count the findings of each rule.")] = False,
    baseline: Annotated[str | None, typer.Option(metavar="FILE", help="Hide the findings known to FILE.")] = None,
    write_baseline: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write all findings to FILE as known ones.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --write-baseline.")] = False,
    profile_rules: Annotated[
        bool, typer.Option("--profile-rules", help="Print the time of each rule, to the error output.")
    ] = False,
) -> int:
    """Report what would break or falsify a run of these graders.

    Exit codes: 0 clean, 1 findings, 2 usage or unreadable path, 3 a bug of gradewright, 130 interrupted.
    """
    from gradewright.catalogue import UnknownRuleError
    from gradewright.check import NothingToCheckError, check_paths
    from gradewright.cli.fixing import Fixing, fix_and_deliver

    delivery = Delivery(form.value, output, quiet, exit_zero, statistics, baseline, write_baseline, force)
    fixing = Fixing(fix, unsafe_fixes, diff)
    if problem := misuse(delivery) or fixing.misuse(delivery):
        return fail(problem)
    try:
        settings = settings_of(paths, target.value if target else None, select, ignore, jobs)
        settings = settings._replace(
            harbor_contract=harbor_contract or settings.harbor_contract,
            strict=strict or settings.strict,
            seconds={} if profile_rules else None,
        )
        if code := refused(delivery, paths, settings):
            return code
        with profile(settings.seconds):
            report = check_paths(paths, settings)
    except (SettingsError, UnknownRuleError, NothingToCheckError) as error:
        return fail(str(error))
    if with_harbor_lint:
        return lint_and_deliver(report, paths, settings, delivery, fixing)
    if fix or diff:
        return fix_and_deliver(report, paths, settings, delivery, fixing)
    return deliver(report, paths, settings, delivery)


def settings_of(
    paths: list[str], target: str | None, select: list[str] | None, ignore: list[str] | None, jobs: int | None
) -> Settings:
    """The settings in force for `paths`, with what the command line says over them; raises `SettingsError`."""
    settings = load(paths)
    hidden = tuple(Ignore(rule, "--ignore on the command line", source=COMMAND_LINE) for rule in _listed(ignore))
    return settings._replace(
        target=target or settings.target,
        select=_listed(select) if select else settings.select,
        ignore=settings.ignore + hidden,
        jobs=settings.jobs if jobs is None else jobs,
    )


def _listed(rules: list[str] | None) -> tuple[str, ...]:
    """Each rule of an option that may be repeated and may list several, parted by commas."""
    return tuple(rule.strip() for words in rules or () for rule in words.split(","))
