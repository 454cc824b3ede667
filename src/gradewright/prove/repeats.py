"""Repeats: the same work graded again in other circumstances; a sound grader gives it the same score."""

import os
import shutil
from collections.abc import Iterator

from gradewright.model import REPEAT, Trial
from gradewright.prove.change import Change
from gradewright.prove.samples import MALFORMED, MISSING
from gradewright.prove.stage import Stage, listing
from gradewright.prove.subject import Subject

MAX_FILES = 2000
_DAY = 1_930_000_000
"""Seconds: a day in February 2031, in local time of the sandbox."""

_DATE = "2031-02-27 21:06:40"
_SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


def changes(subject: Subject, origin: Trial, stage: Stage, passes: bool) -> Iterator[Change]:
    """Circumstances that say nothing about the work."""
    if origin.sample.name in (MISSING, MALFORMED):
        return
    yield from again(2, 2)
    for seed in ("1", "2"):
        what = f"graded with PYTHONHASHSEED={seed}, which orders the sets of Python otherwise"
        yield Change(REPEAT, f"hashseed-{seed}", what, lambda _: None, {"PYTHONHASHSEED": seed}, passes=passes)
    if len(listing(stage.path(subject.folder))) > 1:
        what = "the files were made in the opposite order, which some file systems list them in"
        yield Change(REPEAT, "order", what, lambda stage: _reorder(stage, subject.folder), passes=passes)
    what = "graded in the time zone 14 hours ahead of UTC"
    yield Change(REPEAT, "zone", what, lambda _: None, {"TZ": "XXX-14"}, passes=passes)
    yield _dated(subject, passes)


def again(first: int, last: int) -> Iterator[Change]:
    """The same once more, as the runs with these numbers; the grading of the sample as it is was run 1."""
    for number in range(first, last + 1):
        name = "again" if number == 2 else f"again-{number}"
        yield Change(REPEAT, name, "graded once more", lambda _: None)


def _dated(subject: Subject, passes: bool) -> Change:
    """Another date: of the clock where `faketime` is installed, and always of the files."""

    def apply(stage: Stage) -> None:
        _age(stage, subject.folder)

    if shutil.which("faketime", path=_SYSTEM_PATH):
        what = f"the clock and the files say {_DATE[:4]}"
        return Change(REPEAT, "date", what, apply, words=("faketime", "-f", f"@{_DATE}"), passes=passes)
    what = f"the files say {_DATE[:4]}; the clock is as it is, because `faketime` is not installed"
    return Change(REPEAT, "date", what, apply, passes=passes)


def _reorder(stage: Stage, folder: str) -> None:
    """Make all files again, the last one in the folder's listing first."""
    root = stage.path(folder)
    names = [name for name in listing(root) if "/" not in name][:MAX_FILES]
    inner = [name for name in listing(root) if "/" in name][:MAX_FILES]
    for name in reversed([*names, *inner]):
        path = os.path.join(root, name)
        aside = f"{stage.root}/aside"
        try:
            os.rename(path, aside)
            os.rename(aside, path)
        except OSError:
            continue


def _age(stage: Stage, folder: str) -> None:
    root = stage.path(folder)
    for name in list(listing(root))[:MAX_FILES]:
        os.utime(os.path.join(root, name), (_DAY, _DAY), follow_symlinks=False)
