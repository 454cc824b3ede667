"""What was known before: findings that an existing repository has accepted for now, recognised when lines move."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from gradewright import __version__
from gradewright.catalogue import judges
from gradewright.contract import MAX_DATASET
from gradewright.finding import Finding, Location
from gradewright.model import Hidden, Problem, Report
from gradewright.read.files import Text, read_text
from gradewright.settings import BASELINE, Settings, SettingsError

VERSION = 1
_REASON = "known since the baseline was written"
_MAX_BYTES = 64 << 20
_LONG_LINE = 200
"""Characters. Of a longer line, only what follows the finding's column tells which place this is."""

_WINDOW = 100
_QUOTED = re.compile(r"`([^`]*+)`")


class BaselineError(SettingsError):
    """The file is no baseline that can be used; the message says why."""


class Entry(NamedTuple):
    """A known finding; `path` is relative to the baseline's folder, with `/` between folders."""

    path: str
    rule: str
    name: str
    fingerprint: str


def fingerprints(report: Report, base: str) -> dict[Finding, str]:
    """A text for each finding, hidden ones included, that stays the same when lines above it come or go.

    It is made of the rule's code, the path relative to the folder `base`, the text of the line, and the number of the
    finding among those that share all this. A finding about a whole file has the names of its message for a line.
    """
    every = sorted([*report.findings, *(hidden.finding for hidden in report.hidden)], key=lambda one: one.order)
    relative = Relative(base)
    seen: Counter[tuple[str, str, str]] = Counter()
    found = {}
    for path, group in groupby(every, key=lambda one: one.at.path):
        findings = list(group)
        lines = _lines(path, {finding.at.line for finding in findings})
        for finding in findings:
            identity = finding.rule.code, relative.path(path), _mark(finding, lines)
            found[finding] = _digest(*identity, str(seen[identity]))
            seen[identity] += 1
    return found


class Relative:
    """Paths as seen from the folder `base`, whichever links lead there."""

    def __init__(self, base: str) -> None:
        self._base = os.path.realpath(base)
        self._folders: dict[str, str] = {}

    def path(self, path: str) -> str:
        """`path` from `base`, with `/` between folders; it starts with `../` if it lies elsewhere."""
        folder, name = os.path.split(os.path.abspath(path))
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        try:
            return os.path.relpath(os.path.join(self._folders[folder], name), self._base).replace(os.sep, "/")
        except ValueError:
            return os.path.abspath(path).replace(os.sep, "/")


def folder_of(file: str) -> str:
    """The folder that the paths of the baseline `file` are relative to."""
    return os.path.dirname(os.path.abspath(file))


def dump(report: Report, file: str) -> str:
    """The baseline of everything that `report` shows, sorted, an entry to a line, to be saved as `file`."""
    relative = Relative(folder_of(file))
    prints = fingerprints(report, folder_of(file))
    entries = sorted(
        Entry(relative.path(finding.at.path), finding.rule.code, finding.rule.name, prints[finding])
        for finding in report.findings
    )
    rows = ",\n".join(f"    {json.dumps(entry._asdict())}" for entry in entries)
    body = f"[\n{rows}\n  ]" if rows else "[]"
    return f'{{\n  "version": {VERSION},\n  "tool": "gradewright",\n  "findings": {body}\n}}\n'


def load(file: str) -> list[Entry]:
    """The entries of the baseline `file`; raises BaselineError if it is missing, broken, or no baseline of ours."""
    text = read_text(file, "baseline", limit=_MAX_BYTES)
    if text is None:
        raise BaselineError(f"{file}: there is no such baseline; --write-baseline {file} makes it")
    if isinstance(text, Problem):
        raise BaselineError(f"{file}: the baseline cannot be read: {text.detail}")
    try:
        document = json.loads(text.text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise BaselineError(f"{file}: the baseline is not JSON: {error}") from error
    if not isinstance(document, dict) or document.get("tool") != "gradewright" or "findings" not in document:
        raise BaselineError(f"{file}: this is not a baseline that gradewright has written")
    version = document.get("version")
    if version != VERSION or isinstance(version, bool):
        raise BaselineError(f"{file}: gradewright {__version__} reads baselines of version {VERSION} only")
    if not isinstance(document["findings"], list):
        raise BaselineError(f"{file}: `findings` must be a list")
    return [_entry(item, number, file) for number, item in enumerate(document["findings"], 1)]


def compare(report: Report, file: str, paths: Iterable[str], settings: Settings) -> Report:
    """`report` with what the baseline `file` knows hidden, and the number of entries that no longer apply.

    An entry counts as stale only if this check could have found it: below one of `paths`, by a rule that was chosen.
    Raises BaselineError as `load` does.
    """
    entries = load(file)
    prints = fingerprints(report, folder_of(file))
    known = {entry.fingerprint for entry in entries}
    visible = tuple(finding for finding in report.findings if prints[finding] not in known)
    hidden = [Hidden(finding, _REASON, BASELINE) for finding in report.findings if prints[finding] in known]
    present = set(prints.values())
    gone = (entry for entry in entries if entry.fingerprint not in present)
    relative = Relative(folder_of(file))
    scope = tuple(relative.path(path) for path in paths if os.path.isdir(path))
    settings = settings._replace(harbor_contract=settings.harbor_contract or not report.skills)
    stale = sum(_below(entry.path, scope) and _is_looked_for(entry, settings) for entry in gone)
    every = sorted([*report.hidden, *hidden], key=lambda one: one.finding.order)
    return report._replace(findings=visible, hidden=tuple(every), stale=stale)


def _is_looked_for(entry: Entry, settings: Settings) -> bool:
    """Whether a check with these settings would report the finding; native cases are read for the contract only."""
    in_case = "/evals/harbor/" in f"/{entry.path}"
    return judges(entry.rule, settings) and (settings.harbor_contract or not in_case)


def _below(path: str, folders: Iterable[str]) -> bool:
    return any(folder in (".", path) or path.startswith(f"{folder}/") for folder in folders)


def _entry(item: Any, number: int, file: str) -> Entry:
    values = [item.get(field) for field in Entry._fields] if isinstance(item, dict) else []
    if not values or not all(isinstance(value, str) for value in values):
        raise BaselineError(f"{file}: finding {number} must be a mapping with the texts {', '.join(Entry._fields)}")
    return Entry(*map(str, values))


def _lines(path: str, wanted: set[int]) -> dict[int, str]:
    """The lines of `path` with these numbers, as far as there are any; 0 stands for the whole file and has none."""
    wanted = wanted - {0}
    text = read_text(path, "baseline", limit=MAX_DATASET) if wanted else None
    if not isinstance(text, Text):
        return {}
    return {number: line for number, line in _numbered(text.text, max(wanted)) if number in wanted}


def _numbered(text: str, last: int) -> Iterator[tuple[int, str]]:
    start = 0
    for number in range(1, last + 1):
        end = text.find("\n", start)
        yield number, text[start : end if end >= 0 else len(text)]
        if end < 0:
            return
        start = end + 1


def _mark(finding: Finding, lines: dict[int, str]) -> str:
    """What tells this place from others in the file, without its number."""
    at: Location = finding.at
    line = lines.get(at.line)
    if line is None:
        return " ".join(name.rstrip("/").rpartition("/")[2] for name in _QUOTED.findall(finding.message))
    if len(line) > _LONG_LINE:
        start = max(at.column - 1, 0)
        line = line[start : start + _WINDOW]
    return " ".join(line.split())


def _digest(*parts: str) -> str:
    from hashlib import sha256

    return sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:32]
