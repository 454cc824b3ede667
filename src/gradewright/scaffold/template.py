"""Render a copier template: the only module that imports copier."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gradewright.scaffold import RefusedError, Source
from gradewright.scaffold.template_fault import bounded, refusal

GRADER = "grader"
HARBOR_TASK = "harbor-task"

_MAX_FILES = 500
_MAX_BYTES = 16 << 20
_ANSWERS_FILE = ".copier-answers.yml"


def templates_dir() -> Path:
    """The folder of the shipped templates: inside an installed wheel, or in the repository of an editable install."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_data" / "templates"
    return installed if installed.is_dir() else package.parent.parent / "templates"


def load() -> None:
    """Import the renderer, the slow part of a scaffold, before a lock is taken."""
    import copier  # noqa: F401


def render(shipped: str, source: Source, answers: Mapping[str, Any]) -> dict[str, bytes]:
    """The files a template makes: their paths, with `/` between folders, and what they hold.

    A team's own template is not trusted: it may ask questions and nothing more, so one with tasks or extensions
    is refused, and whatever it makes besides regular files is refused as well.
    """
    from tempfile import TemporaryDirectory

    try:
        with TemporaryDirectory(prefix="gradewright-") as folder:
            if source.place:
                _copy_foreign(source, answers, folder)
            else:
                _copy(str(templates_dir() / shipped), answers, folder, may_ask=False)
            return _collect(folder, source.place)
    except OSError as error:
        raise RefusedError(
            f"the template cannot be rendered: {error.strerror or error}",
            "let TMPDIR name a folder that can be written and has room",
        ) from error


def _copy(place: str, answers: Mapping[str, Any], folder: str, *, may_ask: bool) -> None:
    from contextlib import nullcontext, redirect_stderr
    from io import StringIO

    import copier

    with nullcontext() if may_ask else redirect_stderr(StringIO()):  # it prints what it also raises
        copier.run_copy(
            place,
            folder,
            data=dict(answers),
            settings=copier.Settings(),  # the user's own settings could name trusted places, whose tasks run unasked
            defaults=not may_ask,
            overwrite=True,
            quiet=True,
            unsafe=False,
        )


def _copy_foreign(source: Source, answers: Mapping[str, Any], folder: str) -> None:
    place = source.place
    local = Path(place).expanduser()
    if local.exists():
        place = str(local.resolve())
        _refuse_links(local, source.place)
    elif "://" not in place and ":" not in place:
        raise RefusedError(f"there is no template `{place}`", "name a folder or a git URL")
    try:
        with bounded():
            _copy(place, {**answers, **source.answers}, folder, may_ask=source.may_ask)
    except Exception as error:  # whatever goes wrong in a template of somebody else is a fault of that template
        raise refusal(error, source.place, local if local.exists() else None) from error


def _refuse_links(local: Path, place: str) -> None:
    """A link in a template would bring in whatever it points at."""
    for folder, folders, files in os.walk(local):
        folders[:] = [name for name in folders if name != ".git"]
        for name in folders + files:
            if (Path(folder) / name).is_symlink():
                link = (Path(folder) / name).relative_to(local).as_posix()
                raise RefusedError(f"`{link}` in the template `{place}` is a symbolic link", "replace it by a copy")


def _collect(folder: str, place: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    size = 0
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = Path(parent) / name
            mode = path.lstat().st_mode
            relative = path.relative_to(folder).as_posix()
            if stat.S_ISDIR(mode) or relative == _ANSWERS_FILE:
                continue
            if not stat.S_ISREG(mode):
                raise RefusedError(f"the template `{place}` makes `{relative}`, which is no regular file")
            found[relative] = path.read_bytes()
            size += len(found[relative])
            if len(found) > _MAX_FILES or size > _MAX_BYTES:
                raise RefusedError(
                    f"the template `{place}` makes more than {_MAX_FILES} files or {_MAX_BYTES >> 20} MiB",
                    "make it smaller",
                )
    return found
