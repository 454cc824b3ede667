"""Take out of a JSON text what JSON does not have: comments, and commas behind the last item."""

from gradewright.read.data.document import parse
from gradewright.read.data.json_syntax import extras
from gradewright.read.files import Text
from gradewright.write.splice.text import Splice, SpliceError, line_start, same, spliced

_Span = tuple[int, int]


def drop_commas(text: str, syntax: str) -> str:
    """`text` (`json` or `jsonl`) without trailing commas."""
    return _without(text, syntax, [(start, start + 1) for start in extras(text)[1]])


def drop_comments(text: str, syntax: str) -> str:
    """`text` (`json` or `jsonl`) without comments; a line that holds nothing else goes with them."""
    return _without(text, syntax, [_with_space(text, span) for span in extras(text)[0]])


def _without(text: str, syntax: str, spans: list[_Span]) -> str:
    before = parse(Text("", text, b""), syntax, "")[0]
    result = spliced(text, [Splice(start, end, "") for start, end in spans])
    if before is None or not same(parse(Text("", result, b""), syntax, "")[0], before):
        raise SpliceError("more is wrong with the file than this", "mend the rest first")
    return result


def _with_space(text: str, span: _Span) -> _Span:
    """The comment with the blanks before it if it ends its line, and with the whole line if it is alone on it."""
    start, end = span
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    if text[end:stop].strip():
        return start - (text[start - 1 : start] == text[end : end + 1] == " "), end
    blank = len(text[line_start(text, start) : start].rstrip(" \t"))
    if blank:
        end -= text[start:end].endswith("\r")
        return line_start(text, start) + blank, end
    return line_start(text, start), min(stop + 1, len(text))
