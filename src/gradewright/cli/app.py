"""The command line as a whole: which commands there are, and what happens to an error."""

from typing import Any

import typer

from gradewright.cli.doctor import doctor
from gradewright.cli.init_custom_grader import init_custom_grader
from gradewright.cli.init_harbor_task import init_harbor_task
from gradewright.cli.prove import prove
from gradewright.cli.rule import rule
from gradewright.cli.run import run as run_once
from gradewright.cli.sample import sample
from gradewright.cli.schema import schema
from gradewright.cli.validate import validate
from gradewright.failure import say
from gradewright.visible import visible

_UsageError: Any = typer.BadParameter.__base__
"""The class of all usage errors, wherever this release of typer has its click from."""

_INTERRUPTED = 130


def _exit(code: int | None, **_: object) -> None:
    """End with the code that the command returned."""
    raise typer.Exit(code or 0)


app = typer.Typer(
    name="gradewright",
    help="Scaffold, validate and prove custom graders for agent evaluations.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    result_callback=_exit,
)
tier3 = typer.Typer(help="The same commands under the names that SkillEvaluator gives them.", no_args_is_help=True)

app.command()(validate)
app.command("init-custom-grader")(init_custom_grader)
app.command("init-harbor-task")(init_harbor_task)
app.command("run")(run_once)
app.command()(prove)
app.command()(sample)
app.command()(doctor)
app.command()(rule)
app.command()(schema)
tier3.command("validate")(validate)
app.add_typer(tier3, name="tier3")


@app.callback()
def _version(
    version: bool = typer.Option(False, "--version", "-V", is_eager=True, help="Print the version and stop."),
) -> None:
    if version:
        from gradewright import __version__

        say(f"gradewright {__version__}\n")
        raise typer.Exit


def run() -> int:
    """Run the command line and return its exit code; a usage error is printed by typer and gives 2.

    Raises KeyboardInterrupt, of which typer makes an exit code or an error of its own.
    """
    try:
        code = int(app(prog_name="gradewright", standalone_mode=False) or 0)
    except _UsageError as error:
        error.message = "\n".join(visible(line) for line in str(error.message).split("\n"))
        error.show()
        return int(error.exit_code)
    except typer.Abort:
        code = _INTERRUPTED
    if code == _INTERRUPTED:
        raise KeyboardInterrupt
    return code
