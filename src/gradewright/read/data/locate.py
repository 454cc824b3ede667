"""Give findings in data files their lines: each file is parsed once more, and only if something is reported there."""

from collections.abc import Iterable

from gradewright.contract import MAX_DATASET
from gradewright.finding import Finding, Location
from gradewright.read.data.positions import locate
from gradewright.read.files import Text, read_text

_SYNTAX = {"json": "json", "jsonl": "jsonl", "yaml": "yaml", "yml": "yaml", "toml": "toml"}


def locate_all(findings: Iterable[Finding]) -> list[Finding]:
    """The same findings, with line and column in place of keys."""
    texts: dict[str, Text | None] = {}
    return [
        finding._replace(at=_resolved(finding.at, texts), related=tuple(_resolved(at, texts) for at in finding.related))
        for finding in findings
    ]


def syntax_of(path: str) -> str:
    """The syntax of a data file by its extension, as `parse` wants it; empty for any other file."""
    return _SYNTAX.get(path.rpartition(".")[2], "")


def _resolved(at: Location, texts: dict[str, Text | None]) -> Location:
    syntax = syntax_of(at.path)
    if not at.keys or not syntax:
        return at._replace(keys=())
    if at.path not in texts:
        text = read_text(at.path, "dataset", limit=MAX_DATASET)
        texts[at.path] = text if isinstance(text, Text) else None
    found = texts[at.path]
    line, column = locate(found, syntax, at.keys) if found else (0, 0)
    return Location(at.path, line, column)
