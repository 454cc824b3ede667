"""What all commands share: where text goes, and how an error looks."""

import typer

from gradewright.failure import say


def fail(message: str, hint: str = "") -> int:
    """Print an error with what to do next, and return the exit code for input that cannot be used."""
    from gradewright.visible import visible

    typer.echo(f"error: {visible(message)}", err=True)
    if hint:
        typer.echo(f"    {visible(hint)}", err=True)
    return 2


def write_output(text: str, path: str | None) -> int:
    """Print `text`, or write it whole to the file `path`; 2 when that is not possible, otherwise 0."""
    if path is None:
        say(text)
        return 0
    from gradewright.write import WriteError
    from gradewright.write.transaction import write_file

    try:
        write_file(path, text.encode("utf-8", "backslashreplace"))
    except WriteError as error:
        return fail(error.message, error.hint)
    return 0
