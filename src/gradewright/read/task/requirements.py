"""Read the files of requirements that an image installs."""

import os
import re

from gradewright.model import Image
from gradewright.read.files import Text, read_text
from gradewright.read.task.packages import normalised

_LINE = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*+)[ \t]*+(?:\[[^\]]*+\])?[ \t]*+(?:[=<>!~;(#].*+|)\Z")
_HASH = re.compile(r"--hash=\S++\s*+\\?\Z")


def with_requirements(image: Image) -> Image:
    """The image with the packages that its files of requirements name, if each of them can be read to its end.

    The files are looked for in the build context, the folder of the Dockerfile, by their last name.
    """
    packages = image.packages
    if not packages.complete or not packages.files:
        return image
    names = set(packages.names)
    for written in packages.files:
        found = _named(os.path.join(os.path.dirname(image.at.path), os.path.basename(written)))
        if found is None:
            return image
        names |= found
    return image._replace(packages=packages._replace(names=frozenset(names), files=()))


def _named(path: str) -> set[str] | None:
    """The packages in a file; None if there is none, or if a line may stand for something else."""
    text = read_text(path, "resource")
    if not isinstance(text, Text):
        return None
    names = set()
    for line in text.text.replace("\\\r\n", " ").replace("\\\n", " ").split("\n"):
        plain = _HASH.sub("", line.partition(" #")[0].strip()).split(" --hash", 1)[0].strip()
        if not plain or plain.startswith("#"):
            continue
        match = _LINE.match(plain)
        if match is None or "@" in plain:
            return None
        names.add(normalised(match[1]))
    return names
