"""Turn a template into planned changes of a skill: what would be made, kept and refused, before anything is written."""

from collections.abc import Mapping
from typing import NamedTuple

from gradewright.write import Change


class RefusedError(Exception):
    """The scaffold cannot be made, and nothing has been touched; `hint` says what to do, as an imperative."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Source(NamedTuple):
    """A team's own copier template: where it is, the answers given to its questions, and whether it may ask the rest.

    `place` is a local path or a git URL; an empty one stands for the template shipped with the package.
    """

    place: str = ""
    answers: Mapping[str, str] = {}
    may_ask: bool = False


class Plan(NamedTuple):
    """What a scaffold does to the skill in `root`.

    `kept` are files, relative to `root`, that are already as they should be; `notes` say what the author should know,
    `next` are the commands to go on with.
    """

    root: str
    changes: tuple[Change, ...]
    kept: tuple[str, ...]
    notes: tuple[str, ...]
    next: tuple[str, ...]

    @property
    def created(self) -> list[str]:
        """The files that are new."""
        return sorted(change.path for change in self.changes if change.expect is None)

    @property
    def changed(self) -> list[str]:
        """The files that are edited or replaced."""
        return sorted(c.path for c in self.changes if c.expect is not None and c.content is not None)

    @property
    def removed(self) -> list[str]:
        """The files that go."""
        return sorted(change.path for change in self.changes if change.content is None)
