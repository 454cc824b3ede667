"""Code that a script gives on the spot: `bash -c '...'`, a trap, `python3 -c '...'`, a Python here-document."""

from functools import cache, lru_cache
from typing import Any

from gradewright.finding import Location
from gradewright.model import CONSTANT_SCORE, Grader
from gradewright.read.shell.state import ANYTHING, HOLE, Outputs, Shell, Source


@cache
def _parser() -> Any:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def parse(data: bytes) -> Any:
    """The root of the syntax tree of a shell script."""
    return _parser().parse(data).root_node


def shell_code(shell: Shell, node: Any, code: str) -> Outputs:
    """Follow the shell code that `node` holds: `code`, with what is unknown in it as HOLEs."""
    if HOLE in code:
        shell.opaque = True
        return ANYTHING
    at = shell.source.location(node, 1 if node.child_count or node.type == "raw_string" else 0)
    kept = shell.source
    shell.source = Source(code.encode("utf-8", "replace"), kept.path, at.line - 1, at.column - 1, code.isascii())
    try:
        return shell.run(shell, parse(shell.source.data))
    finally:
        shell.source = kept


@lru_cache(maxsize=16)
def _python_facts(path: str, code: str) -> Grader:
    """The facts of Python code; on all ways through one script it is the same."""
    from gradewright.read.files import Text
    from gradewright.read.python.facts import python_facts

    return python_facts(Text(path, code, code.encode("utf-8", "replace")), role="helper", native=True)


def python_code(shell: Shell, node: Any, code: str, *, quoted: bool) -> None:
    """Take in the facts of the Python code that `node` holds."""
    if HOLE in code:
        shell.opaque = True
        return
    at = shell.source.location(node, 1 if quoted else 0)
    facts = _python_facts(at.path, code)

    def moved(place: Location) -> Location:
        column = place.column + (at.column - 1 if place.line == 1 else 0)
        return Location(at.path, place.line + at.line - 1, column)

    for write in facts.writes:
        bad = tuple((reason, literal, moved(where)) for reason, literal, where in write.bad)
        conditional = write.conditional or shell.conditional
        shell.add_write(write._replace(at=moved(write.at), bad=bad, conditional=conditional))
    shell.metrics += [metric._replace(at=moved(metric.at)) for metric in facts.metrics]
    shell.runs += [run._replace(at=moved(run.at)) for run in facts.runs]
    for sign in facts.signs:
        if sign.what == CONSTANT_SCORE:  # the script around it decides whether this is the reward
            shell.constants.update((moved(write.at), sign._replace(at=moved(sign.at))) for write in facts.writes)
            continue
        certain = sign.certain and not shell.conditional
        shell.signs.setdefault(sign._replace(at=moved(sign.at), certain=certain))
    if not shell.conditional and not _is_probe(code):
        shell.imports += [item._replace(at=moved(item.at)) for item in facts.imports]
    shell.reads.update(dict.fromkeys(facts.reads))
    shell.opaque = shell.opaque or facts.opaque


def _is_probe(code: str) -> bool:
    """Whether the code does nothing but import, which tells its caller what is installed."""
    parts = [part.strip() for line in code.split("\n") for part in line.split(";")]
    return all(part.startswith(("import ", "from ", "#")) for part in parts if part)
