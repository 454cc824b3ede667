"""A change that is made to a staged sample before it is graded."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, Protocol

from gradewright.model import Trial
from gradewright.prove.stage import Stage
from gradewright.prove.subject import Subject


class Change(NamedTuple):
    """`kind` is one of those of a `Probe`; `name` is unique for a sample and the same in every run.

    `what` says in words what `apply` does to the stage. `environment` are variables that the grader gets besides,
    `words` stand before the grader's own command. `passes` is the verdict that is right after the change, None where
    that depends on the case.
    """

    kind: str
    name: str
    what: str
    apply: Callable[[Stage], object]
    environment: Mapping[str, str] = {}
    words: tuple[str, ...] = ()
    passes: bool | None = None


class Changer(Protocol):
    """A module of `prove/` with a function of this name offers changes to a sample that was graded as it is."""

    def changes(self, subject: Subject, origin: Trial, stage: Stage, passes: bool) -> Iterator[Change]:
        """Every change worth making; `stage` is one of the sample as it is, to look at."""
