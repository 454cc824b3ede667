"""Reward files named by a variable that nothing sets, or by one whose value falls apart into words."""

import re
from collections.abc import Iterator
from typing import Any

from gradewright.contract import ENVIRONMENT
from gradewright.model import UNSET_PATH, Sign, meant
from gradewright.read.shell.state import HOLE, MAX_FACTS, Shell

SET = re.compile(
    r"\b([A-Za-z_]\w*+)(?:\[[^\]\n]*+\])?\+?=|\b(?:read|readarray|mapfile|getopts|for|select|printf[ \t]++-v|declare"
    r"|local|export|typeset|readonly)\b([^;|&\n=]*+)"
)
EXPANSION = re.compile(r"\$\{?([A-Za-z_]\w*+)\}?")
TAKES_IN = re.compile(r"(?:^|[;&|({]|\bthen|\bdo|\belse)[ \t]*+(?:source|\.|eval)[ \t]", re.M)
BLANK = re.compile(r"[ \t\n]")


def note_target(shell: Shell, target: Any) -> None:
    """Put down a redirection whose target names a reward by way of variables."""
    text = shell.source.text(target)
    if "$" not in text or "reward" not in text.lower() or len(shell.isolation.targets) >= MAX_FACTS:
        return
    at = shell.source.location(target)
    for match in EXPANSION.finditer(text):
        name = match[1]
        known = shell.variables.get(name)
        splits = known is not None and HOLE not in known and BLANK.search(known.strip())
        if splits and target.type in ("simple_expansion", "concatenation", "expansion"):
            shell.isolation.targets[at] = name, True
        elif known is None and name not in ENVIRONMENT:
            shell.isolation.targets[at] = name, False


def unset_signs(shell: Shell, code: str) -> Iterator[Sign]:
    """The targets of `note_target` that are certainly wrong: nothing can have set the variable from elsewhere."""
    if not shell.isolation.targets:
        return
    set_names = _set_names(code)
    for at, (name, splits) in shell.isolation.targets.items():
        if splits:
            yield Sign(UNSET_PATH, at, name, certain=True)
        elif name not in set_names and not TAKES_IN.search(code) and (name.islower() or meant(name, set_names)):
            yield Sign(UNSET_PATH, at, name, certain=False)


def _set_names(code: str) -> set[str]:
    names: set[str] = set()
    for match in SET.finditer(code):
        names.update([match[1]] if match[1] else (match[2] or "").split())
    return names
