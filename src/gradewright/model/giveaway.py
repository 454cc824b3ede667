"""Whether a text that is given to the agent gives an answer away."""

import re

MAX_TEXT = 20_000
"""Characters of a prompt or instruction that are looked at."""

MAX_ANSWER = 2_000
"""Characters; a longer text is not looked for in another."""

_MAX_PLACES = 20
_NEARBY = 60
_SHORTEST = 20
_FILE = re.compile(r"(?:[\w-]++\.)++[a-z][a-z0-9]{0,4}")
_WORD = re.compile(r"[^\W_]+(?:[.,][^\W_]+)*")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_PART_OF_NUMBER = re.compile(r"[.,]\d")
_MARKS = " .,;:!?()\"'`"
_QUOTES = "\"'`"
_PLAIN = str.maketrans({
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00ab": '"', "\u00bb": '"', "*": "",
})  # fmt: skip
_ANNOUNCED = re.compile(
    r"\b(?:answers?|hint|(?:correct|expected|right) (?:value|result|number|total|output|solution)|solution is"
    r"|(?:result|total|value|number) (?:is|equals|will be|should be|comes to))\b"
)
_REVEALED = re.compile(r"\b(?:answers?|hint|(?:correct|right|expected) (?:answer|solution)|solution is)\b")
_DEMANDED = re.compile(
    r"\b(?:exactly|verbatim|contain(?:s|ing)?|text|line|content|string|message|says?|prints?|reads?|following|reply"
    r"|respond|titled?|words|phrase|named|called|write)\b[^a-z0-9]{0,4}"
    r"(?:(?:is|the|an?|as|with|like|exactly|text|line) )*\Z"
)
"""What stands before a text that the agent is to write as it stands."""

_EXAMPLE = re.compile(r"\b(?:examples?|for instance|such as|like)\b")
_COMMON = frozenset({
    "a", "all", "an", "and", "are", "array", "as", "at", "be", "by", "called", "can", "column", "columns", "contain",
    "containing", "contains", "create", "created", "creates", "csv", "directory", "document", "each", "entries",
    "entry", "every", "exist", "exists", "field", "fields", "file", "files", "folder", "for", "format", "from", "has",
    "have", "header", "html", "in", "into", "is", "it", "item", "items", "its", "json", "key", "keys", "line", "lines",
    "list", "markdown", "md", "must", "name", "named", "new", "no", "not", "number", "object", "objects", "of", "on",
    "one", "only", "or", "output", "outputs", "path", "per", "produced", "record", "records", "report", "result",
    "results", "row", "rows", "same", "save", "saved", "script", "should", "string", "table", "text", "that", "the",
    "this", "to", "txt", "valid", "value", "values", "was", "were", "which", "will", "with", "write", "written", "xml",
    "yaml",
})  # fmt: skip
"""Words that speak of formats and files, or of anything."""


def plain(text: str) -> str:
    """`text` without what makes no difference to its words: letter case, white space, emphasis, kinds of quotes."""
    return " ".join(folded(text[:MAX_TEXT]).split())


def folded(text: str) -> str:
    """`text` as `plain` makes it, but for its white space."""
    return text.translate(_PLAIN).casefold().replace("e.g.", "for example")


def given_away(answer: object, text: str) -> str:
    """The answer as it stands in `text`, which comes from `plain`; empty if it does not, or may do so by chance.

    An answer counts if it says something: a sentence, or a value that is named as the answer. Names of files and
    formats, short words, and texts in quotes that the agent is to write as they are, do not.
    """
    if not isinstance(answer, str) or not text or len(answer) > MAX_ANSWER:
        return ""
    sought = plain(answer).strip(_MARKS)
    kind = _kind(sought) if sought in text else ""
    if not kind:
        return ""
    at = -1
    for _ in range(_MAX_PLACES):
        at = text.find(sought, at + 1)
        if at < 0:
            return ""
        if _is_whole(text, at, at + len(sought)) and _tells(text, at, len(sought), kind):
            return sought
    return ""


def _kind(answer: str) -> str:
    """`sentence` for a text that says something, `value` for one that only its place in a text makes an answer."""
    said = [word for word in answer.split() if "/" not in word and not _FILE.fullmatch(word.strip(_MARKS))]
    words = set(_WORD.findall(" ".join(said))) - _COMMON
    precise = any(sum(map(str.isdigit, word)) > 3 and not _YEAR.match(word) for word in words)
    if len(words) > 2 and len(answer) >= _SHORTEST:
        return "sentence"
    return "value" if precise else ""


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether nothing that belongs to the same word or number stands beside the part of `text`."""
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    joined = before[-1:].isalnum() or after[:1].isalnum()
    number = text[start].isdigit() and _PART_OF_NUMBER.fullmatch(before[::-1])
    return not (joined or number or _PART_OF_NUMBER.fullmatch(after))


def _tells(text: str, start: int, length: int, kind: str) -> bool:
    nearby = re.split(r"[.!?] ", text[max(start - _NEARBY, 0) : start])[-1]
    if _EXAMPLE.search(nearby):
        return False
    quoted = text[start - 1 : start] in _QUOTES and text[start + length : start + length + 1] in (*_QUOTES, ".")
    if (start and quoted) or _DEMANDED.search(nearby) or text.count("```", 0, start) % 2:
        return _REVEALED.search(nearby) is not None
    return kind == "sentence" or _ANNOUNCED.search(nearby + text[start : start + length]) is not None


def says_something(answer: object) -> bool:
    """Whether `answer` is long or precise enough to be recognised in another text."""
    return isinstance(answer, str) and len(answer) <= MAX_ANSWER and bool(_kind(plain(answer)))


def line_of(passage: str, text: str) -> int:
    """The 1-based line of `text` on which a passage found by `given_away` begins, or 1."""
    start = " ".join(passage.split()[:3])
    lines = text[:MAX_TEXT].split("\n")
    return next((number for number, line in enumerate(lines, 1) if start in plain(line)), 1)
