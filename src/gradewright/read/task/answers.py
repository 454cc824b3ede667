"""What the agent must not see and gets with its image: the solution, the tests, the expected answer."""

import os
import re
from posixpath import normpath

from gradewright.model import Image, Source
from gradewright.read.files import read_bytes
from gradewright.read.task.tree import Tree

_SOLUTION = re.compile(r"solve\.(?:sh|bat|py)\Z")
_TEST = re.compile(r"(?:test\.(?:sh|bat)|test_[^/]*\.py|[^/]*_test\.py|grader\.(?:py|sh))\Z")
_ANSWER = re.compile(
    r"(?:expected|answers?|answer_key|golden|ground_truth|oracle|solution)(?:[._-][^/]*)?\.[a-z0-9]+\Z"
)
_MAX_COMPARED = 50
_MAX_BYTES = 1 << 20


def with_contents(folder: str, image: Image, tree: Tree) -> Image:
    """`image` with what its sources hold; nothing is told where a `.dockerignore` may leave it out."""
    ignored = {"environment/.dockerignore", "environment/Dockerfile.dockerignore"} & tree.present
    if not image.sources or ignored:
        return image
    kept = sorted(_kept_back(folder, tree).items())
    if not kept:
        return image
    return image._replace(sources=tuple(_with_contents(source, kept) for source in image.sources))


def covers(source: Source, path: str) -> bool:
    """Whether `source` takes in the file `path` of the build context."""
    inside = normpath("/" + source.path).lstrip("/")
    return not inside or path == inside or path.startswith(inside + "/")


def _with_contents(source: Source, kept: list[tuple[str, str]]) -> Source:
    named = os.path.basename(normpath("/" + source.path)) == "tests"
    held = [what for path, what in kept if covers(source, path) and (named or not what.startswith("environment/"))]
    return source._replace(holds=tuple(held)) if held else source


def _kept_back(folder: str, tree: Tree) -> dict[str, str]:
    """Files of the build context that belong to the grading, each with the task's file that it is a copy of.

    One that only looks like an answer, in a folder `tests` of its own, is named by itself.
    """
    secret = _secrets(tree)
    found: dict[str, str] = {}
    context = [name.removeprefix("environment/") for name in tree.present if name.startswith("environment/")]
    for path in context:
        base = os.path.basename(path)
        if path == "solution/solve.sh":
            found[path] = path
        elif base in secret and len(found) < _MAX_COMPARED and _same(folder, f"environment/{path}", secret[base]):
            found[path] = secret[base]
        elif path.startswith("tests/") and _ANSWER.match(base):
            found[path] = f"environment/{path}"
    return found


def _secrets(tree: Tree) -> dict[str, str]:
    """The task's files that say how it is solved or graded, by base name."""
    secret: dict[str, str] = {}
    for name in tree.present:
        home, base = name.partition("/")[0], os.path.basename(name)
        tells = home == "tests" and (_TEST.match(base) or _ANSWER.match(base))
        if tells or (home == "solution" and _SOLUTION.match(base)):
            secret[base] = name
    return secret


def _same(folder: str, one: str, other: str) -> bool:
    contents = [read_bytes(f"{folder}/{name}", "fixture", limit=_MAX_BYTES) for name in (one, other)]
    return isinstance(contents[0], bytes) and len(contents[0]) > 0 and contents[0] == contents[1]
