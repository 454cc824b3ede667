"""Show what a change did to a sample."""

import json
import os
import stat

from gradewright.model import Problem, Sample
from gradewright.prove.change import Change
from gradewright.prove.stage import Stage, listing, staged
from gradewright.prove.subject import Subject
from gradewright.prove.trial import touched
from gradewright.read.files import read_bytes

_MAX_BYTES = 1 << 20
_MAX_LINES = 60
_MAX_LINE = 300
_MAX_FILES = 8
_CUT = "..."


def difference(subject: Subject, sample: Sample, change: Change) -> str:
    """A unified diff of the first files that `change` touches, cut to a length that people read."""
    with staged(subject, sample) as plain, staged(subject, sample) as changed:
        before = listing(changed.root)
        change.apply(changed)
        places = touched(before, listing(changed.root))
        lines = [line for place in places[:_MAX_FILES] for line in _file(place, plain, changed)]
    if len(places) > _MAX_FILES:
        lines.append(f"{_CUT} and {len(places) - _MAX_FILES} more files")
    return "".join(f"{line}\n" for line in lines)


def _file(place: str, plain: Stage, changed: Stage) -> list[str]:
    from difflib import unified_diff

    old, new = _lines(plain.path(place)), _lines(changed.path(place))
    found = [line[:_MAX_LINE] for line in unified_diff(old, new, f"a{place}", f"b{place}", lineterm="", n=2)]
    return found if len(found) <= _MAX_LINES else [*found[:_MAX_LINES], _CUT]


def _lines(path: str) -> list[str]:
    """The lines of a text, or one line in brackets that says what else is there."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return []
    if stat.S_ISLNK(mode):
        return [f"[a link to {os.readlink(path)}]"]
    if not stat.S_ISREG(mode):
        return ["[a folder]" if stat.S_ISDIR(mode) else "[no regular file]"]
    data = read_bytes(path, "sample", limit=_MAX_BYTES)
    if data is None or isinstance(data, Problem):
        return [f"[{os.lstat(path).st_size} bytes]"]
    return _decoded(path, data)


def _decoded(path: str, data: bytes) -> list[str]:
    """JSON on one line is laid out, so that a diff shows what differs."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return [f"[{len(data)} bytes that are no text]"]
    if path.endswith(".json") and text.count("\n") < 2:
        try:
            text = json.dumps(json.loads(text), indent=1, ensure_ascii=False)
        except (ValueError, RecursionError):
            return text.splitlines()
    return text.splitlines()
