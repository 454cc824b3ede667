"""`gradewright rule`: explain a rule, or list them all."""

from typing import Annotated

import typer

from gradewright.cli.output import fail
from gradewright.failure import say


def _known(incomplete: str) -> list[str]:
    """The names of rules that begin like this, for the completion of a shell."""
    from gradewright.rules import TABLE

    return [name for _, name, _ in TABLE if name.startswith(incomplete)]


def rule(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME|CODE]", help="The rule to explain.", autocompletion=_known)
    ] = None,
) -> int:
    """Explain a rule: why it matters, how to fix what it found, when to ignore it."""
    from gradewright.catalogue import UnknownRuleError, load, require_known
    from gradewright.rules import TABLE

    if name is None:
        say("".join(f"{code}  {load(title).RULE.severity.label:7}  {title}\n" for code, title, _ in TABLE))
        return 0
    found = next((title for code, title, _ in TABLE if name.upper() == code or name == title), None)
    if found is None:
        try:
            require_known([name])
        except UnknownRuleError as error:
            return fail(str(error))
        return fail(f"`{name}` is a group of rules", "name one rule; `gradewright rule` lists them")
    module = load(found)
    declared = module.RULE
    targets = "" if len(declared.targets) > 1 else f", for {next(iter(declared.targets))} only"
    head = f"{declared.code} {declared.name} ({declared.severity.label}{targets})"
    say(f"{head}\n\n{(module.__doc__ or '').strip()}\n\n{declared.url}\n")
    return 0
