"""The commands of a RUN instruction, as words."""

import json
import re
from collections.abc import Iterator

from gradewright.read.task.dockerfile import Instruction, after_flags, unquoted

_TOKEN = re.compile(
    r"""[ \t\r]*+(?:(\n|&&|\|\|?|;;?|&(?!>)|[()])|(\#[^\n]*+)|"""
    r"""((?:[^\s"'\\;&|()<>]++|[<>]&?|&>|\\.|\\\Z|"(?:[^"\\]++|\\.)*+"|'[^']*+')++))""",
    re.DOTALL,
)
_REDIRECTION = re.compile(r"\d*(?:<<<?-?|>>|[<>]&?|&>>?)(.*)", re.DOTALL)
_SHELLS = ("sh", "bash", "/bin/sh", "/bin/bash")
_CONTINUED = re.compile(r"\\\r?\n")

UNREADABLE: list[str] = [""]
"""Stands for the commands of a script that cannot be taken apart."""


def commands_of(instruction: Instruction) -> Iterator[list[str]]:
    """The words of each command that a RUN starts, without quotes and redirections.

    Commands within double quotes, and what other programs start, are not among them.
    """
    rest = instruction.rest[after_flags(instruction.rest) :]
    if rest.startswith("["):
        yield from _exec_form(rest)
        return
    yield from _script(rest)
    if rest.startswith("<<") or rest.split("<<")[0].strip() in _SHELLS:
        for body in instruction.bodies:
            yield from _script(_CONTINUED.sub("", body))


def _exec_form(rest: str) -> Iterator[list[str]]:
    try:
        words = json.JSONDecoder().raw_decode(rest)[0]
    except (ValueError, RecursionError):
        words = []
    if not words or not all(isinstance(word, str) for word in words):
        yield UNREADABLE
    elif words[0] in _SHELLS and len(words) > 2 and words[1].startswith("-") and words[1].endswith("c"):
        yield from _script(words[2])
    else:
        yield list(words)


def _script(text: str) -> Iterator[list[str]]:
    words: list[str] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        token = _TOKEN.match(text, at)
        if not token:
            yield UNREADABLE
            return
        at = token.end()
        if token[3]:
            words.append(token[3])
        elif token[1]:
            yield from _command(words)
            words = []
    yield from _command(words)


def _command(words: list[str]) -> Iterator[list[str]]:
    kept = []
    rest = iter(words)
    for word in rest:
        redirection = _REDIRECTION.match(word)
        if not redirection:
            kept.append(unquoted(word))
        elif not redirection[1]:
            next(rest, "")
    if kept:
        yield kept
