"""Text of a scaffold that nobody has replaced yet, in Python."""

import ast
import re
from collections.abc import Iterator
from typing import Any

from gradewright.model import EMPTY, MARKED_SCORE, PEER_SCAFFOLD, UNWRITTEN_CHECK, Stub
from gradewright.read.python_flow import Program
from gradewright.read.python_kinds import (
    CONSTANT,
)
from gradewright.read.python_reward import Judge

PEER_TEXT = "replace this with real custom grading logic"
MARK = re.compile(r"#.*\b(TODO|FIXME|XXX|placeholder)\b")


def stubs_of(program: Program, text: str, judge: Judge) -> tuple[Stub, ...]:
    """All stubs of a script."""
    if not program.module.binds and _is_empty(program.module.node):
        return (Stub(EMPTY, judge.at(program.module.node.body[0]) if program.module.node.body else judge.at(_TOP)),)
    found = [Stub(UNWRITTEN_CHECK, judge.at(site.node)) for site in program.raises if _not_written(site.node.exc)]
    if PEER_TEXT in text.lower():
        found += _peer_texts(program, text, judge)
    found += _marked_scores(text, judge)
    return tuple(dict.fromkeys(found))


_TOP = ast.Pass(lineno=1, col_offset=0)


def _is_empty(tree: ast.Module) -> bool:
    """Whether a script consists of nothing but comments, a docstring, `pass` and `...`."""
    return all(
        node.__class__ is ast.Pass or (node.__class__ is ast.Expr and node.value.__class__ is ast.Constant)
        for node in tree.body
    )


def _not_written(raised: Any) -> bool:
    name = raised.func if raised.__class__ is ast.Call else raised
    return name.__class__ is ast.Name and name.id == "NotWritten"


def _peer_texts(program: Program, text: str, judge: Judge) -> Iterator[Stub]:
    """The text in a comment, or as a value that is handed on; not where it is compared with something."""
    compared = {
        id(part) for node in ast.walk(program.module.node) if node.__class__ is ast.Compare for part in ast.walk(node)
    }
    for node in ast.walk(program.module.node):
        if node.__class__ in (ast.Dict, ast.Assign, ast.keyword, ast.Return, ast.Tuple):
            for part in ast.iter_child_nodes(node):
                value = getattr(part, "value", None)
                if value.__class__ is str and PEER_TEXT in value.lower() and id(part) not in compared:
                    yield Stub(PEER_SCAFFOLD, judge.at(part))
    for number, line in enumerate(text.split("\n"), 1):
        mark = line.lower().find("#")
        if mark >= 0 and line.lower().strip("# .\t\r").endswith(PEER_TEXT) and line[:mark].strip() == "":
            yield Stub(PEER_SCAFFOLD, judge.at(ast.Pass(lineno=number, col_offset=mark)))


def _marked_scores(text: str, judge: Judge) -> Iterator[Stub]:
    """A score that is constant whatever happens, with a mark on its line that says so."""
    scores = judge.scores
    if not scores or any(value.kind != CONSTANT or value.node is None for value in scores):
        return
    lines = text.split("\n")
    for value in scores:
        line = value.node.lineno
        if any(MARK.search(lines[number - 1]) for number in (line, line - 1) if 0 < number <= len(lines)):
            yield Stub(MARKED_SCORE, judge.at(value.node))
