"""`gradewright sample`: record a piece of work with the verdict that is right for it."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gradewright.cli.output import fail
from gradewright.failure import say

if TYPE_CHECKING:
    from gradewright.prove.record import Recorded
    from gradewright.prove.subject import Subject


class Verdict(StrEnum):
    """What a right grader says."""

    PASS = "pass"  # noqa: S105 - no password
    FAIL = "fail"


def sample(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A skill or a Harbor task.")],
    name: Annotated[str, typer.Option(help="The sample's name; `good...` must pass, `bad...` must fail.")],
    case: Annotated[str | None, typer.Option(help="The case it belongs to. [default: the only one]")] = None,
    folder: Annotated[
        str | None, typer.Option("--from", metavar="FOLDER", help="The state that an agent left, or a sample.")
    ] = None,
    trial: Annotated[
        str | None, typer.Option("--from-trial", metavar="DIR", help="The folder of a Harbor trial, jobs/JOB/TRIAL.")
    ] = None,
    solution: Annotated[
        bool, typer.Option("--from-solution", help="Run the reference solution in a sandbox, and record its work.")
    ] = False,
    verdict: Annotated[Verdict | None, typer.Option(help="What is right, if the name does not tell.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a sample of the same name.")] = False,
    sandbox: Annotated[str, typer.Option(metavar="NAME", help="Where the solution runs.")] = "auto",
) -> int:
    """Record a sample, on which `gradewright prove` tries the grader of its case.

    Exit codes: 0 done, 2 refused and nothing was changed, 3 a bug of gradewright, 130 interrupted.
    """
    from gradewright.prove.record import Recorded, from_folder, from_trial
    from gradewright.prove.samples import UnknownSampleError
    from gradewright.prove.subjects import NothingToGradeError, one_subject
    from gradewright.sandbox.protocol import SandboxError
    from gradewright.write import WriteError

    if sum((folder is not None, trial is not None, solution)) != 1:
        return fail("name one source", "use --from FOLDER, --from-trial DIR or --from-solution")
    passes = None if verdict is None else verdict is Verdict.PASS
    try:
        subject = one_subject(path, target=None, case=case)
        if folder is not None:
            recorded: Recorded = from_folder(path, subject, name, folder)
        elif trial is not None:
            recorded = from_trial(path, subject, name, trial)
        else:
            recorded = _solved(path, subject, name, sandbox)
        return _publish(path, recorded, name, passes, force=force)
    except (NothingToGradeError, UnknownSampleError, SandboxError) as error:
        return fail(str(error))
    except WriteError as error:
        return fail(error.message, error.hint)


def _solved(path: str, subject: "Subject", name: str, sandbox: str) -> "Recorded":
    from tempfile import TemporaryDirectory

    from gradewright.prove.engine import Plan
    from gradewright.prove.record import from_folder
    from gradewright.prove.session import solved
    from gradewright.sandbox.choose import choose
    from gradewright.sandbox.protocol import Limits

    with TemporaryDirectory(prefix="gradewright-samples-") as made:
        plan = Plan(choose(sandbox), Limits(seconds=600), jobs=1)
        return from_folder(path, subject, name, solved(subject, plan, made))


def _publish(path: str, recorded: "Recorded", name: str, passes: bool | None, *, force: bool) -> int:
    from gradewright.prove.record import changes_for, with_verdict
    from gradewright.visible import visible
    from gradewright.write.lock import lock
    from gradewright.write.transaction import publish, recover

    recorded = with_verdict(recorded, name, passes)
    with lock(path):
        notes = [*recorded.notes, *recover(path)]
        publish(path, list(changes_for(path, recorded, force=force)))
    lines = [f"recorded {recorded.folder} ({len(recorded.files)} files)", *(f"note     {note}" for note in notes)]
    say("".join(f"{visible(line)}\n" for line in lines))
    return 0
