"""What is graded: one case with all that the platform would put beside its grader."""

from typing import Any, NamedTuple


class Subject(NamedTuple):
    """One case as a platform grades it.

    `entry` is what goes into `/tests/entry.json`, None where the platform (plain Harbor) writes none. `tests` are files
    and folders of this machine with their places below `/tests`; `start` those that the agent finds, with their places
    in the container. `folder` is where the agent works and the grader starts; `words` start the grader. `grader` is
    the file of this machine that they start, `task` the folder of a native case. `allowed` are the seconds that the
    platform gives the grader, 0 where nobody says. `folders` are there from the start, too. `whole` tells that this is
    all the agent and the grader find, beside plain programs: no image that brings more;
    `fetches` that the grader downloads something; `declared` that the `threshold` is more than our own guess.
    `image` is what a container for the agent is made from, `verifier` one for the grader: the folder of a Dockerfile,
    the name of an image, or nothing for a plain one.
    """

    case: str
    target: str
    words: tuple[str, ...]
    tests: tuple[tuple[str, str], ...]
    start: tuple[tuple[str, str], ...]
    folder: str
    entry: dict[str, Any] | None
    threshold: float
    grader: str = ""
    task: str = ""
    allowed: float = 0.0
    folders: tuple[str, ...] = ()
    whole: bool = True
    fetches: bool = False
    declared: bool = True
    image: str = ""
    verifier: str = ""
