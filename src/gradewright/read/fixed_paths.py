"""Find the platform's paths that a grader spells out where a documented variable would tell them."""

import re
from collections.abc import Iterator

from gradewright.contract import ENVIRONMENT
from gradewright.finding import Location
from gradewright.model import FIXED_PATH, Grader, Sign

_VARIABLES = ("HARBOR_ATIF_PATH", "HARBOR_ENTRY_JSON", "HARBOR_REWARD_JSON")
_ASKED = re.compile(r"environ|getenv|argv|default|:-|:=")
"""On a line with one of these the path only stands in for what somebody else may say."""


def fixed_path_signs(text: str, grader: Grader) -> Iterator[Sign]:
    """A sign for each path in `text` that the code uses, without the variable for it anywhere in the code."""
    used = {*grader.reads, *(write.path for write in grader.writes)}
    wanted = [(ENVIRONMENT[variable], variable) for variable in _VARIABLES if ENVIRONMENT[variable] in used]
    if not wanted:
        return
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if not line.lstrip().startswith("#")]
    for path, variable in wanted:
        if not any(variable in line for _, line in lines):
            place = next(((number, line) for number, line in lines if path in line), None)
            if place and not _ASKED.search(place[1]):
                yield Sign(FIXED_PATH, Location(grader.at.path, place[0], place[1].index(path) + 1), path)
