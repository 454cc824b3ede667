"""All that is done to samples before they are graded again: each module offers changes of one kind."""

from gradewright.prove import attacks, mutants, repeats, stress
from gradewright.prove.change import Changer

CHANGERS: tuple[Changer, ...] = (mutants, attacks, stress, repeats)
