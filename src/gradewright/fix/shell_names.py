"""Where a shell script names a metric or a file. Code in other languages inside of it is looked at as text."""

import re

from gradewright.fix.python_names import Names, unclear
from gradewright.read.contract_block import contract_span
from gradewright.write.splice.text import Splice, SpliceError, line_start, spliced

_MAX_MENTIONS = 500


def renamed(text: str, names: Names) -> str:
    """The script with the metric's new name; raises SpliceError unless the meaning of every mention is clear."""
    if _mentions(text, names.new):
        raise SpliceError(f"`{names.new}` stands there already")
    splices = []
    table = False
    for start in _mentions(text, names.old):
        end = start + len(names.old)
        number = text.count("\n", 0, start) + 1
        own = (number, len(text[line_start(text, start) : start].encode()) + 1) in names.places
        table = table or (own and contract_span(text) is not None)
        if own or _is_key(text, start, end):
            splices.append(Splice(start, end, names.new))
        elif not _is_variable(text, start, end):
            raise SpliceError(f"the `{names.old}` in line {number} may be something else than the metric")
    if table:
        splices += [Splice(start + 6, start + 6 + len(names.old), names.new) for start in _checks(text, names.old)]
    return spliced(text, splices)


def redirected(text: str, path: str, to: str) -> str:
    """The script with `to` in place of the one mention of the file `path`, whole or by its last part."""
    folder, _, name = path.rpartition("/")
    places = [match.start() for match in re.finditer(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", text)]
    places = [start for start in places if not _in_comment(text, start)]
    if len(places) != 1:
        raise SpliceError(unclear(name, len(places)))
    start, end = places[0], places[0] + len(name)
    if to.startswith(f"{folder}/"):
        return spliced(text, [Splice(start, end, to.rpartition("/")[2])])
    if not text.startswith(path, end - len(path)):
        raise SpliceError(unclear(name, len(places)))
    return spliced(text, [Splice(end - len(path), end, to)])


def _mentions(text: str, name: str) -> list[int]:
    """Where `name` stands as a word of its own, outside of comments and of our own contract block."""
    begin, end = contract_span(text) or (0, 0)
    places = [match.start() for match in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
    if len(places) > _MAX_MENTIONS:
        raise SpliceError(f"`{name}` stands there {len(places):,} times")
    return [start for start in places if not begin <= start < end and not _in_comment(text, start)]


def _checks(text: str, name: str) -> list[int]:
    """Where the function stands that is a scaffold's check of the metric `name`."""
    return [match.start() for match in re.finditer(rf"(?<![\w-])check_{re.escape(name)}(?![\w-])", text)]


def _in_comment(text: str, offset: int) -> bool:
    """Whether a whole-line comment holds the place; one behind code may just as well be a text with `#` in it."""
    return text[line_start(text, offset) : offset].lstrip().startswith("#")


def _is_key(text: str, start: int, end: int) -> bool:
    """Whether this is a key of JSON or of a Python mapping: in quotes, which may be escaped, and a colon behind."""
    quote = re.search(r"\\?[\"']\Z", text[max(start - 2, 0) : start])
    return quote is not None and re.match(rf"{re.escape(quote[0])}\s*+:", text[end : end + 40]) is not None


def _is_variable(text: str, start: int, end: int) -> bool:
    """Whether this is a variable of that name, read or set."""
    return text.endswith(("$", "${"), 0, start) or text.startswith("=", end)
