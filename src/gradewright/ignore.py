"""Hide findings that their authors chose to ignore, with the reason they gave."""

import os
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from itertools import islice
from typing import NamedTuple

from gradewright.catalogue import matches
from gradewright.contract import MAX_DATASET
from gradewright.finding import Finding, Location
from gradewright.model import IGNORE_WITHOUT_REASON, Hidden, Problem
from gradewright.read.files import Text, read_text
from gradewright.settings import Ignore, Settings

_COMMENT = re.compile(r"\bgradewright:[ \t]*ignore\[([\w, -]{1,200})\][ \t:,-]*([^\r\n]*)")
_MOST = 500
"""Comments that are looked at in one file."""

_HEAD_LINES = 10
"""A finding about a whole file is ignored by a comment in these first lines."""


class InlineIgnore(NamedTuple):
    """A comment that hides findings of `rules` on its line, or on the next if it stands `alone`."""

    rules: tuple[str, ...]
    reason: str
    line: int
    alone: bool


def comments_in(paths: Iterable[str]) -> dict[str, list[InlineIgnore]]:
    """The ignores written as comments in each of `paths`."""
    return {path: list(islice(_inline(path), _MOST)) for path in paths}


def reasonless(comments: dict[str, list[InlineIgnore]]) -> Iterator[Problem]:
    """Inline ignores that give no reason and so take no effect."""
    for path, found in comments.items():
        for comment in found:
            if not comment.reason:
                at = Location(path, comment.line, 1)
                yield Problem(IGNORE_WITHOUT_REASON, "comment", at, subject=", ".join(comment.rules))


def hide(
    findings: Iterable[Finding], comments: dict[str, list[InlineIgnore]], settings: Settings
) -> tuple[list[Finding], list[Hidden]]:
    """Sorted findings without duplicates, parted into the visible and the hidden."""
    visible: list[Finding] = []
    hidden: list[Hidden] = []
    for finding in sorted(dict.fromkeys(findings), key=lambda finding: finding.order):
        ignored = _by_settings(finding, settings) or _by_comment(finding, comments.get(finding.at.path, []))
        if ignored:
            hidden.append(ignored)
        else:
            visible.append(finding)
    return visible, hidden


def _by_settings(finding: Finding, settings: Settings) -> Hidden | None:
    for ignore in settings.ignore:
        if _names(ignore.rule, finding) and _in_paths(finding.at.path, ignore, settings.base):
            return Hidden(finding, ignore.reason, ignore.source)
    return None


def _by_comment(finding: Finding, comments: list[InlineIgnore]) -> Hidden | None:
    for comment in comments:
        if (
            comment.reason
            and _covers(comment, finding.at.line)
            and any(_names(rule, finding) for rule in comment.rules)
        ):
            return Hidden(finding, comment.reason, f"{finding.at.path}:{comment.line}")
    return None


def _covers(comment: InlineIgnore, line: int) -> bool:
    if line == 0:
        return comment.alone and comment.line <= _HEAD_LINES
    return comment.line == line or (comment.alone and comment.line == line - 1)


def _names(selector: str, finding: Finding) -> bool:
    return matches(selector, finding.rule.code, finding.rule.name)


def _in_paths(path: str, ignore: Ignore, base: str) -> bool:
    relative = os.path.relpath(os.path.abspath(path), base).replace(os.sep, "/")
    return not ignore.paths or any(fnmatch(relative, _pattern(path)) for path in ignore.paths)


def _pattern(path: str) -> str:
    """`path` as it is compared: `./a` is `a`, and the folder `a/` stands for all that it holds."""
    path = path.removeprefix("./")
    return f"{path}*" if path.endswith("/") else path


def _inline(path: str) -> Iterator[InlineIgnore]:
    if path.endswith((".json", ".jsonl")):
        return
    text = read_text(path, "ignore", limit=MAX_DATASET)
    if not isinstance(text, Text) or "gradewright:" not in text.text:
        return
    for number, line in enumerate(text.text.split("\n"), 1):
        found = _COMMENT.search(line)
        if found and "#" in line[: found.start()]:
            rules = tuple(rule.strip() for rule in found[1].split(",") if rule.strip())
            yield InlineIgnore(rules, found[2].strip(), number, line.lstrip().startswith("#"))
