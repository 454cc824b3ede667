"""`gradewright prove`: show whether a grader can tell good work from bad."""

from enum import StrEnum
from typing import Annotated

import typer

from gradewright.cli.delivery import Delivery, deliver
from gradewright.cli.output import fail
from gradewright.cli.progress import progress
from gradewright.cli.run import Target
from gradewright.cli.validate import settings_of
from gradewright.settings import SettingsError


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    JUNIT = "junit"
    HTML = "html"


def prove(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A skill or a Harbor task.")],
    case: Annotated[str | None, typer.Option(help="The case to prove. [default: all]")] = None,
    target: Annotated[Target | None, typer.Option(help="The platform to follow. [default: all that fit]")] = None,
    samples: Annotated[
        str | None, typer.Option(metavar="DIR", help="Samples, or folders of them by case. [default: evals/samples]")
    ] = None,
    runs: Annotated[int, typer.Option(min=1, help="How often each sample is graded as it is.")] = 2,
    quick: Annotated[bool, typer.Option("--quick", help="Grade the samples as they are, and change nothing.")] = False,
    jobs: Annotated[int, typer.Option(min=0, help="Gradings at a time; 0 chooses.")] = 0,
    sandbox: Annotated[str, typer.Option(metavar="NAME", help="Where graders run; `doctor` lists them.")] = "auto",
    seconds: Annotated[float, typer.Option(min=0.1, help="Seconds that one grading may take.")] = 60.0,
    network: Annotated[bool, typer.Option("--network", help="Let the grader use the network.")] = False,
    select: Annotated[list[str] | None, typer.Option(metavar="RULES", help="Only these rules: codes or names.")] = None,
    ignore: Annotated[list[str] | None, typer.Option(metavar="RULES", help="Hide these rules' findings.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail as well.")] = False,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 even when there are findings.")] = False,
    form: Annotated[Format, typer.Option("--format", help="How to write the report.")] = Format.TEXT,
    output: Annotated[str | None, typer.Option(metavar="FILE", help="Write the report to FILE.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Findings only, no tables and no summary.")] = False,
) -> int:
    """Grade good, bad and idle work, break it, attack it, and report whether the scores deserve trust.

    Exit codes: 0 clean, 1 findings, 2 usage or unreadable path, 3 a bug of gradewright, 130 interrupted.
    """
    from gradewright.catalogue import UnknownRuleError
    from gradewright.prove.engine import Plan
    from gradewright.prove.judge import judged
    from gradewright.prove.samples import UnknownSampleError
    from gradewright.prove.session import cases, prove_case
    from gradewright.prove.subjects import NothingToGradeError
    from gradewright.sandbox.choose import choose
    from gradewright.sandbox.protocol import Limits, SandboxError

    try:
        settings = settings_of([path], target.value if target else None, select, ignore, jobs)
        subjects = cases(path, target=target.value if target else None, case=case, samples=samples)
        with progress() as watch:
            limits = Limits(seconds=seconds, network=network)
            plan = Plan(choose(sandbox), limits, settings.jobs or _processors(), quick, watch, runs)
            report = judged((prove_case(path, subject, plan, folder=samples) for subject in subjects), settings)
    except (SettingsError, UnknownRuleError, NothingToGradeError, UnknownSampleError, SandboxError) as error:
        return fail(str(error))
    delivery = Delivery(form.value, output, quiet, exit_zero)
    return deliver(report, [path], settings._replace(strict=strict or settings.strict), delivery)


def _processors() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
