"""`gradewright schema`: print one of the JSON Schemas that editors and programs can use."""

from typing import Annotated

import typer

from gradewright.cli.output import fail
from gradewright.failure import say


def schema(name: Annotated[str | None, typer.Argument(help="The schema to print.")] = None) -> int:
    """Print a JSON Schema, or the names of all of them."""
    from gradewright.read.data.schema import schema_names, schema_text

    if name is None:
        say("".join(f"{known}\n" for known in schema_names()))
        return 0
    if name not in schema_names():
        return fail(f"no schema is called `{name}`", f"choose one of {', '.join(schema_names())}")
    say(schema_text(name))
    return 0
