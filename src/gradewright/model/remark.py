"""What another linter says of a task."""

from typing import NamedTuple

from gradewright.finding import Location


class Remark(NamedTuple):
    """A finding of Harbor's linter: its rule by Harbor's name, its text, and what to do where the text says so.

    Where a task could not be checked `rule` is empty, and `message` says why.
    """

    rule: str
    message: str
    at: Location
    cure: str = ""
