"""`gradewright run`: grade one sample once, as the platform would."""

from enum import StrEnum
from typing import Annotated

import typer

from gradewright.cli.output import fail, write_output


class Target(StrEnum):
    """The platform that is followed."""

    SKILLEVALUATOR = "skillevaluator"
    HARBOR = "harbor"


class Format(StrEnum):
    """How the outcome is written."""

    TEXT = "text"
    JSON = "json"


def run(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A skill or a Harbor task.")],
    case: Annotated[str | None, typer.Option(help="The case to grade. [default: the only one]")] = None,
    sample: Annotated[str, typer.Option(metavar="NAME", help="The sample, or a folder that holds one.")] = "nop",
    change: Annotated[str, typer.Option(metavar="NAME", help="Make this change first, as `prove` names it.")] = "",
    target: Annotated[
        Target | None, typer.Option(help="The platform to follow. [default: the first that fits]")
    ] = None,
    sandbox: Annotated[str, typer.Option(metavar="NAME", help="Where the grader runs; `doctor` lists them.")] = "auto",
    seconds: Annotated[float, typer.Option(min=0.1, help="Seconds that the grader may take.")] = 60.0,
    network: Annotated[bool, typer.Option("--network", help="Let the grader use the network.")] = False,
    form: Annotated[Format, typer.Option("--format", help="How to write the outcome.")] = Format.TEXT,
    output: Annotated[str | None, typer.Option(metavar="FILE", help="Write the outcome to FILE.")] = None,
) -> int:
    """Run a grader once on one sample and tell a score, zero, an invalid reward and no reward apart.

    Exit codes: 0 a score or zero, 1 an invalid or missing reward, 2 usage, 3 a bug of gradewright, 130 interrupted.
    """
    from gradewright.prove.engine import Plan
    from gradewright.prove.samples import UnknownSampleError
    from gradewright.prove.session import UnknownChangeError, grade
    from gradewright.prove.subjects import NothingToGradeError, one_subject
    from gradewright.render import trial as render
    from gradewright.sandbox.choose import choose
    from gradewright.sandbox.protocol import Limits, SandboxError

    try:
        subject = one_subject(path, target=target.value if target else None, case=case)
        chosen = choose(sandbox)
        plan = Plan(chosen, Limits(seconds=seconds, network=network), jobs=1)
        trial = grade(path, subject, sample, plan, change)
    except (NothingToGradeError, UnknownSampleError, UnknownChangeError, SandboxError) as error:
        return fail(str(error))
    text = render.as_json(trial) if form is Format.JSON else render.as_text(trial, chosen.health_check().missing)
    return write_output(text, output) or int(trial.lost)
