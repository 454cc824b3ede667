"""The verdicts that a grader agent left on one run: `grading.json`, as skill-creator's tools read it."""

from typing import Any, NamedTuple

from gradewright.finding import Location


class Verdict(NamedTuple):
    """One item of `expectations`, its values as they stand in the file and None where there is none.

    `fields` are the keys that are there; a value under a wrong name (a `Problem`) is taken for what it was meant as.
    `judged` tells that there is a verdict, be it of the right type or not.
    """

    text: Any
    passed: Any
    evidence: Any
    fields: frozenset[str]
    at: Location
    judged: bool = True


class Counter(NamedTuple):
    """A number that sums up the verdicts: `name` is `passed`, `failed`, `total` or `pass_rate`."""

    name: str
    value: float
    at: Location


class Grading(NamedTuple):
    """A grading file.

    `complete` is false where the list of verdicts could not be had as a whole: nothing follows from it then.
    `counters` are those in `summary`, or at the top level of the file. `declared` are the texts of the expectations
    that `eval_metadata.json` announces for the run. `belongs` is the path where the file is looked for, or empty if it
    lies there.
    """

    verdicts: tuple[Verdict, ...]
    counters: tuple[Counter, ...]
    declared: tuple[str, ...]
    at: Location
    complete: bool = True
    belongs: str = ""

    @property
    def passed(self) -> int:
        """How many verdicts are `true`; of those that are no booleans none counts."""
        return sum(verdict.passed is True for verdict in self.verdicts)
