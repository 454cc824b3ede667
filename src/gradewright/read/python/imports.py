"""What a script imports on every run: the imports at its own level, outside of any condition and of `try`."""

import ast
import re
from collections.abc import Iterator

from gradewright.finding import Location
from gradewright.model import Import

_SEARCHES = re.compile(r"\b(?:sys\s*\.\s*path|PYTHONPATH|addsitedir|meta_path|sys\.modules|importlib)\b")
"""What may let modules be found where they otherwise are not."""


def imports_of(tree: ast.Module, path: str, text: str) -> Iterator[Import]:
    """The modules that are imported first of all, by the first part of their names."""
    searched = _SEARCHES.search(text) is not None
    for node in tree.body:
        for name in _names(node):
            module = name.partition(".")[0]
            if module:
                yield Import(module, Location(path, node.lineno, node.col_offset + 1), searched)


def _names(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name
    elif isinstance(node, ast.ImportFrom) and not node.level:
        yield node.module or ""
