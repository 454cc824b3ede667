"""Text of a scaffold that nobody has replaced yet, in Python."""

import ast
import re
from collections.abc import Iterator
from typing import Any

from gradewright.finding import Location
from gradewright.model import EMPTY, MARKED_SCORE, PEER_SCAFFOLD, PEER_TEXT, UNWRITTEN_CHECK, Stub
from gradewright.read.python.flow import Program, Site
from gradewright.read.python.kinds import (
    CONSTANT,
)
from gradewright.read.python.reward import Judge

SCAFFOLDED = "replace this with real custom grading logic"
MARK = re.compile(r"\b(?:TODO|FIXME|XXX|placeholder)\b")


def stubs_of(program: Program, text: str, judge: Judge) -> tuple[Stub, ...]:
    """All stubs of a script."""
    if not program.module.binds and _is_empty(program.module.node):
        return (Stub(EMPTY, judge.at(program.module.node.body[0]) if program.module.node.body else judge.at(_TOP)),)
    found = [Stub(UNWRITTEN_CHECK, judge.at(site.node)) for site in program.raises if _is_unwritten(site)]
    if SCAFFOLDED in text.lower():
        what = PEER_SCAFFOLD if _is_constant(judge) else PEER_TEXT
        found += [Stub(what, at) for at in _peer_texts(program, text, judge)]
    found += _marked_scores(text, judge)
    return tuple(dict.fromkeys(found))


_TOP = ast.Pass(lineno=1, col_offset=0)


def _is_empty(tree: ast.Module) -> bool:
    """Whether a script consists of nothing but comments, a docstring, `pass` and `...`."""
    return all(
        node.__class__ is ast.Pass or (node.__class__ is ast.Expr and node.value.__class__ is ast.Constant)
        for node in tree.body
    )


def _is_unwritten(site: Site) -> bool:
    """Whether a check says that nobody has written it: by our own error, or by a function that does nothing else."""
    if _not_written(site.node.exc):
        return True
    raised = site.node.exc.func if site.node.exc.__class__ is ast.Call else site.node.exc
    body = getattr(site.scope.node, "body", ())
    is_all = site.scope.kind == "function" and [part for part in body if part.__class__ is not ast.Expr] == [site.node]
    in_class = site.scope.parent is not None and site.scope.parent.kind == "class"
    return is_all and site.scope.used and not in_class and getattr(raised, "id", "") == "NotImplementedError"


def _not_written(raised: Any) -> bool:
    name = raised.func if raised.__class__ is ast.Call else raised
    return name.__class__ is ast.Name and name.id == "NotWritten"


def _peer_texts(program: Program, text: str, judge: Judge) -> Iterator[Location]:
    """The text in a comment, or as a value that is handed on; not where it is compared with something."""
    compared = {
        id(part) for node in ast.walk(program.module.node) if node.__class__ is ast.Compare for part in ast.walk(node)
    }
    for node in ast.walk(program.module.node):
        if node.__class__ in (ast.Dict, ast.Assign, ast.keyword, ast.Return, ast.Tuple):
            for part in ast.iter_child_nodes(node):
                value = getattr(part, "value", None)
                if value.__class__ is str and SCAFFOLDED in value.lower() and id(part) not in compared:
                    yield judge.at(part)
    for number, line in enumerate(text.split("\n"), 1):
        mark = line.lower().find("#")
        if mark >= 0 and line.lower().strip("# .\t\r").endswith(SCAFFOLDED) and line[:mark].strip() == "":
            yield judge.at(ast.Pass(lineno=number, col_offset=mark))


def _marked_scores(text: str, judge: Judge) -> Iterator[Stub]:
    """A score that is constant whatever happens, with a mark on its line that says so."""
    if not _is_constant(judge):
        return
    lines = text.split("\n")
    for value in judge.scores:
        line = value.node.lineno
        if any(
            MARK.search(lines[number - 1].partition("#")[2]) for number in (line, line - 1) if 0 < number <= len(lines)
        ):
            yield Stub(MARKED_SCORE, judge.at(value.node))


def _is_constant(judge: Judge) -> bool:
    """Whether the overall score is one and the same literal on every path."""
    scores = judge.scores
    known = all(value.kind == CONSTANT and value.node is not None for value in scores)
    return known and len({value.data for value in scores}) == 1
