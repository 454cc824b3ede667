"""How far a long command is: a bar on the error output, if that is a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradewright.prove.engine import Watch


@contextmanager
def progress() -> Iterator["Watch"]:
    """A bar that is gone at the end; nothing at all where nobody would see it."""
    from gradewright.prove.engine import Watch

    if not sys.stderr.isatty():
        yield Watch()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("grading", total=0)
        total = 0

        def more(count: int) -> None:
            nonlocal total
            total += count
            bar.update(task, total=total)

        yield Watch(more, lambda: bar.advance(task))
