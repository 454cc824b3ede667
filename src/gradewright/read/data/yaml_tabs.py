"""Tabs that only one of PyYAML's two parsers takes.

The platforms call `yaml.safe_load`, whose parser is written in Python and refuses a tab that stands between values. The
parser in C, ten times faster, takes it for a space.
"""

import re
from collections.abc import Iterator
from typing import Any

_COMMENT = re.compile(r"(?:^|[ \t\[\]{},])#")


def refused_tab(text: str) -> int | None:
    """The offset of the first tab for which `yaml.safe_load` refuses `text`, which the parser in C takes; else None."""
    tab = text.find("\t")
    end = 0
    for start, after in _literal_spans(text) if tab >= 0 else ():
        found = _between(text, tab, end, start)
        if found is not None:
            return found
        end = after
        tab = text.find("\t", after)
        if tab < 0:
            return None
    return _between(text, tab, end, len(text)) if tab >= 0 else None


def _literal_spans(text: str) -> list[tuple[int, int]]:
    """Where texts stand in quotes or as blocks, in which a tab is a character like any other."""
    import yaml

    events: Iterator[Any] = yaml.parse(text, yaml.CSafeLoader)
    return [_span(text, event) for event in events if isinstance(event, yaml.ScalarEvent) and event.style]


def _span(text: str, event: Any) -> tuple[int, int]:
    """Where a text stands. Its event begins with anchor and tag; a block begins below the line of its mark."""
    start, end = event.start_mark.index, event.end_mark.index
    start = max(text.find(event.style, start, end), start)
    if event.style in ("|", ">"):
        line_end = text.find("\n", start)
        return (line_end if line_end >= 0 else len(text)), end
    return start, end


def _between(text: str, tab: int, start: int, end: int) -> int | None:
    """The first tab from `tab` on in the part from `start` to `end`, which holds no literal text, outside comments."""
    while 0 <= tab < end:
        line = max(text.rfind("\n", 0, tab) + 1, start)
        if not _COMMENT.search(text[line:tab]):
            return tab
        line_end = text.find("\n", tab)
        tab = text.find("\t", line_end) if line_end >= 0 else -1
    return None
