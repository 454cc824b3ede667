"""Reports as text or machine-readable documents, one module a format."""

import os
from importlib import import_module
from typing import NamedTuple

from gradewright.model import Report


class Style(NamedTuple):
    """How a report is shown; each format heeds what makes sense for it.

    `strict` and `exit_code` are those of the command, `statistics` asks for counts of each rule.
    """

    colour: bool = False
    quiet: bool = False
    strict: bool = False
    exit_code: int = 0
    statistics: bool = False


PLAIN = Style()


def render(report: Report, form: str, style: Style) -> str:
    """`report` in the format `form`, the name of a module of this package; only that module is loaded."""
    text: str = import_module(f"gradewright.render.{form}").render(report, style)
    return text


def repository() -> str:
    """The root of the repository that the working folder is in, or the working folder itself.

    Programs that show findings beside the code name files from there.
    """
    here = folder = os.getcwd()
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return here
        folder = parent
    return folder
