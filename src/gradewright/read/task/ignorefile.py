"""Which files of a build context a `.dockerignore` keeps out of it."""

from gradewright.read.files import Text, read_text
from gradewright.read.task.layers import matches

_MAX_PATTERNS = 200


class Ignored:
    """The patterns of the ignore file that holds for a build; the last one that fits a path decides.

    `uncertain` if the file cannot be read or has more than is followed here: then everything may be left out.
    """

    def __init__(self, *paths: str) -> None:
        self.uncertain = False
        self._patterns: list[tuple[bool, list[str]]] = []
        for path in paths:
            text = read_text(path, "input")
            if text is not None:
                self._read(text.text if isinstance(text, Text) else "\\")
                return

    def _read(self, text: str) -> None:
        lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines()]
        kept = [line for line in lines if line and not line.startswith("#")]
        self.uncertain = "\\" in text or len(kept) > _MAX_PATTERNS
        for line in kept[:_MAX_PATTERNS]:
            parts = [part for part in line.removeprefix("!").strip().split("/") if part not in ("", ".")]
            if parts and ".." not in parts:
                self._patterns.append((not line.startswith("!"), parts))

    def __contains__(self, path: str) -> bool:
        """Whether `path` (relative to the context) is, or may be, left out of the context."""
        if self.uncertain:
            return True
        parts = path.split("/")
        heads = [parts[:length] for length in range(1, len(parts) + 1)]
        left_out = False
        for leaves_out, pattern in self._patterns:
            if left_out != leaves_out and any(_fits(head, pattern) for head in heads):
                left_out = leaves_out
        return left_out

    def surely(self, path: str) -> bool:
        """Whether `path` is left out and nothing below it is taken in again."""
        return not self.uncertain and path in self and all(leaves_out for leaves_out, _ in self._patterns)


def _fits(parts: list[str], pattern: list[str]) -> bool:
    """Whether a path fits a pattern in which `**` stands for any number of folders."""
    reached = {0}
    for want in pattern:
        if want == "**":
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(parts) and matches([parts[at]], [want])}
        if not reached:
            return False
    return len(parts) in reached
