"""What went wrong in somebody's own template, in the words of the person who gave it."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gradewright.scaffold import RefusedError

_MAX_MEMORY = 2 << 30
"""Bytes of address space while a foreign template is rendered: one expression can ask for any amount."""

_MAX_OUTPUT = 64 << 20
"""Bytes of one file that a foreign template may write; what we take from it is bounded more tightly, afterwards."""


@contextmanager
def bounded() -> Iterator[None]:
    """Let what runs inside fail before it exhausts the machine, where the system can do that."""
    try:
        import resource
    except ImportError:
        yield
        return
    bounds = ((resource.RLIMIT_AS, _MAX_MEMORY), (resource.RLIMIT_FSIZE, _MAX_OUTPUT))
    before = [(limit, resource.getrlimit(limit)) for limit, _ in bounds]
    for limit, most in bounds:
        soft, hard = resource.getrlimit(limit)
        known = [bound for bound in (most, soft, hard) if bound != resource.RLIM_INFINITY]
        resource.setrlimit(limit, (min(known), hard))
    try:
        yield
    finally:
        for limit, pair in before:
            resource.setrlimit(limit, pair)


def refusal(error: Exception, template: str, local: Path | None) -> RefusedError:
    """The refusal for what copier raised on `template`, which is in the folder `local` if in any."""
    if isinstance(error, MemoryError):
        return RefusedError(f"the template `{template}` needs more than {_MAX_MEMORY >> 30} GiB of memory", "mend it")
    kind, text = type(error).__name__, _one_line(error)
    if kind == "UnsafeTemplateError":
        return RefusedError(
            f"the template `{template}` wants to run code of its own: {text}",
            "take `_tasks` and `_jinja_extensions` out of its copier.yml",
        )
    if kind == "ProcessExecutionError":
        said = " ".join(str(getattr(error, "stderr", "")).split())[:300]
        return RefusedError(
            f"the template `{template}` cannot be fetched: {said}", "see to the address, the network and your rights"
        )
    if text.startswith("Question "):
        return RefusedError(f"the template `{template}` asks: {text}", "answer with `--data NAME=VALUE`")
    place = _place(error, local)
    return RefusedError(
        f"the template `{template}` cannot be rendered: {place}{text}", "mend the template, or name another"
    )


def _place(error: Exception, local: Path | None) -> str:
    """`file:line: ` in the template where rendering stopped, as far as it is known."""
    if local is not None:
        root = local.resolve()
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            if Path(frame.filename).is_relative_to(root):
                return f"{Path(frame.filename).relative_to(root).as_posix()}:{frame.lineno}: "
    name, line = getattr(error, "name", None), getattr(error, "lineno", None)
    return f"{name}:{line}: " if isinstance(name, str) and isinstance(line, int) else ""


def _one_line(error: Exception) -> str:
    """The error without the advice for copier's own command line; a broken copier.yml is told by what broke it."""
    cause = error.__cause__ if type(error).__name__ == "InvalidConfigFileError" and error.__cause__ else error
    text = " ".join(str(cause).split()).partition(" If you trust this ")[0]
    return (text or type(cause).__name__)[:500]
