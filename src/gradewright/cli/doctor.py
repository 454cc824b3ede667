"""`gradewright doctor`: what of this machine can be used, and how to get the rest."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gradewright.cli.output import write_output

if TYPE_CHECKING:
    from gradewright.sandbox.protocol import Sandbox

VERSION = 1


class Format(StrEnum):
    """How the account is written."""

    TEXT = "text"
    JSON = "json"


def doctor(
    form: Annotated[Format, typer.Option("--format", help="How to write the account.")] = Format.TEXT,
    output: Annotated[str | None, typer.Option(metavar="FILE", help="Write the account to FILE.")] = None,
) -> int:
    """Tell which sandboxes work here, what they cannot limit, and which other programs there are.

    Exit codes: 0 a sandbox works, 1 none does, 2 usage, 3 a bug of gradewright, 130 interrupted.
    """
    import json

    from gradewright.sandbox.choose import SANDBOXES
    from gradewright.visible import visible

    sandboxes = [_sandbox(kind()) for kind in SANDBOXES]
    programs = _programs()
    if form is Format.JSON:
        text = json.dumps({"version": VERSION, "sandboxes": sandboxes, "programs": programs}, indent=2) + "\n"
    else:
        text = "".join(f"{visible(line)}\n" for line in [*_lines(sandboxes), "", *_rest(programs)])
    works = any(sandbox["works"] and sandbox["boundary"] for sandbox in sandboxes)
    return write_output(text, output) or int(not works)


def _sandbox(sandbox: "Sandbox") -> dict[str, Any]:
    health = sandbox.health_check()
    return {
        "name": sandbox.name,
        "works": health.works,
        "boundary": sandbox.boundary,
        "missing": list(health.missing),
        "reason": health.reason or None,
        "remedy": health.remedy or None,
    }


def _programs() -> dict[str, str | None]:
    """Versions of what graders, checks and runs need; None for what is not there."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    found: dict[str, str | None] = {"python": platform.python_version()}
    for package in ("ruff", "harbor"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found | {name: _said(name) for name in ("bash", "bwrap", "docker", "podman")}


def _said(program: str) -> str | None:
    """What a program says about its version; None if it is not there or says nothing."""
    import re
    import shutil
    import subprocess

    path = shutil.which(program)
    if path is None:
        return None
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"(?<!\d)\d++(?:\.\d++)++", done.stdout[:400])
    return match[0] if match else None


def _lines(sandboxes: list[dict[str, Any]]) -> list[str]:
    lines = ["sandboxes, the best first"]
    for sandbox in sandboxes:
        state = "works" if sandbox["works"] else f"does not work: {sandbox['reason']}"
        lines.append(f"  {sandbox['name']:12} {state}")
        if sandbox["works"] and not sandbox["boundary"]:
            lines.append(f"  {'':12} no security boundary: only for graders that you trust")
        if sandbox["missing"]:
            lines.append(f"  {'':12} cannot limit: {', '.join(sandbox['missing'])}")
        if sandbox["remedy"]:
            lines.append(f"  {'':12} {sandbox['remedy']}")
    return lines


def _rest(programs: dict[str, str | None]) -> list[str]:
    hints = {"harbor": "pip install 'gradewright[harbor]'", "bash": "shell graders are not checked without it"}
    return ["other programs"] + [
        f"  {name:12} {version or 'not found' + (f'; {hints[name]}' if name in hints else '')}"
        for name, version in programs.items()
    ]
