"""Fix a tree as `validate --fix` does, and look at what became of it."""

import os
from pathlib import Path

from gradewright.check import check_roots
from gradewright.fix.rounds import Fixes, fixes, write
from gradewright.model import Report
from gradewright.read.discover import Root, discover, merged
from gradewright.settings import Settings


def fix(paths: list[str], settings: Settings, *, unsafe: bool = True) -> Fixes:
    """Make all fixes below `paths`; what was done."""
    found = planned(paths, settings, unsafe=unsafe)
    assert write(found) == []
    return found


def planned(paths: list[str], settings: Settings, *, unsafe: bool = True) -> Fixes:
    """What would be fixed; nothing is written."""
    roots = [item for item in merged(item for path in paths for item in discover(path)) if isinstance(item, Root)]

    def check(some: object) -> Report:
        return check_roots(some, settings)  # type: ignore[arg-type]

    return fixes(check(roots), roots, check, unsafe=unsafe)


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every regular file below `folder`: what it holds, and its permissions."""
    found = {}
    for home, _, names in os.walk(folder):
        for name in names:
            path = Path(home, name)
            if path.is_file() and not path.is_symlink():
                found[path.relative_to(folder).as_posix()] = path.read_bytes(), path.stat().st_mode & 0o777
    return found
