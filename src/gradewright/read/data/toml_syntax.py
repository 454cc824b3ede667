"""TOML: parsed by `tomllib`; its refusals are told in our own words, because its messages differ between versions."""

import re
import tomllib
from typing import Any

from gradewright.finding import Location
from gradewright.model import BOM, SYNTAX, Problem, quoted
from gradewright.read.data.limits import MAX_DEPTH, conflict, depth, too_deep, too_many
from gradewright.read.files import line_column

_MAX_VALUES = 100_000
"""Counted as `=` and opening brackets: `tomllib` keeps about 1 KiB of notes for each table and inline table."""

_LONG_KEY = re.compile(r"""(?<![\w"'.-]) (?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+') [ \t]*+ \. [ \t]*+){64}""", re.VERBOSE)
"""A dotted key of so many parts costs `tomllib` the square of their number."""

_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)\s*\Z")
_KEY = re.compile(r"""\s*+(?P<header>\[\[?)?\s*+(?P<key>(?:[\w.-]++|"[^"\n]*+"|'[^'\n]*+'|[ \t]++)++)(?=[\]=])""")


def read_toml(text: str, path: str, role: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    """The tables of a TOML text; a BOM is a problem, and what follows it is read."""
    problems = []
    if text.startswith("\ufeff"):
        cure = "save it as UTF-8 without a BOM"
        problems.append(Problem(BOM, role, Location(path, 1, 1), "the file starts with a byte order mark", cure=cure))
        text = text[1:]
    refusal = refused(text, path, role)
    if refusal:
        return None, [*problems, refusal]
    try:
        value = tomllib.loads(text)
    except RecursionError:
        return None, [*problems, too_deep(path, role)]
    except ValueError as error:
        return None, [*problems, conflict(text, path, role) or _explain(text, path, role, str(error))]
    if text.count("[") + text.count("{") + text.count(".") > MAX_DEPTH and depth(value) > MAX_DEPTH:
        return None, [*problems, too_deep(path, role)]
    return value, problems


def refused(text: str, path: str = "", role: str = "") -> Problem | None:
    """Why `text` costs too much to be parsed, if it does."""
    if text.count("=") + text.count("[") + text.count("{") > _MAX_VALUES:
        return too_many(path, role, _MAX_VALUES, "values")
    if text.count(".") >= 64 and _LONG_KEY.search(text):
        return too_deep(path, role)
    return None


def _explain(text: str, path: str, role: str, message: str) -> Problem:
    number = re.search(r"(?<!\d)\d{4301}", text) if "digits" in message else None
    if number:
        return Problem(SYNTAX, role, Location(path, *line_column(text, number.start())), "a number has too many digits")
    quotes = _open_quotes(text)
    if quotes is not None:
        at = Location(path, *line_column(text, quotes))
        return Problem(SYNTAX, role, at, "the quotes that open here are never closed", cure="close them")
    match = _PLACE.search(message)
    if match:
        line, column = int(match[1]), int(match[2])
    else:
        line, column = line_column(text, len(text.rstrip()))
    source = text.split("\n", line)[line - 1].rstrip("\r")
    if not match and re.search(r"[\[{,]\Z", source.rstrip()):
        detail, cure = "the text ends before everything is closed", "add the missing end"
    else:
        detail, cure, column = _cause(message, source, column)
    return Problem(SYNTAX, role, Location(path, line, column), detail, cure=cure)


def _cause(message: str, source: str, column: int) -> tuple[str, str, int]:
    """What is wrong on the line `source`, how to mend it, and the column where."""
    rest = source[column - 1 :]
    if re.match(r"Cannot|Duplicate", message):
        return f"{_repeated(message, source)} is defined twice", "keep one of the two", _indent(source) + 1
    if re.match(r"\s*[\w.-]+\s*:", source) and "=" not in source[: column - 1]:
        return "a colon where TOML has `=`", "write `key = value`", column
    if rest and not rest[0].isprintable() and rest[0] != "\t":
        return "a control character", "delete it", column
    if not rest.strip() and source.rfind("{") > source.rfind("}"):
        return "an inline table goes on after its line", "write it on one line, or as a `[table]`", column
    for pattern, detail, cure in _CAUSES:
        if re.match(pattern, message):
            return detail, cure, column
    if message.startswith("Invalid value"):
        return *_bad_value(rest, source), column
    if rest[:1].isalpha():
        return "a key with letters other than a to z", "put the key in quotes", column
    return "this is neither a table header nor `key = value`", "turn it into a comment or a key", column


def _repeated(message: str, source: str) -> str:
    inline = re.match(r"Duplicate inline table key '([^']+)'", message)
    if inline:
        return quoted(inline[1])
    match = _KEY.match(source)
    brackets = match["header"] or "" if match else ""
    return quoted(f"{brackets}{match['key'].rstrip()}{']' * len(brackets)}") if match else "this key"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _open_quotes(text: str) -> int | None:
    """The offset of multi-line quotes that nothing closes."""
    return next((text.rindex(quotes) for quotes in ('"""', "'''") if text.count(quotes) % 2), None)


_CAUSES = (
    (r"Illegal character '\\[nr]", "the text on this line has no closing quote", "close the quote"),
    (r"Illegal|Found invalid", "a control character", "delete it"),
    (r"Unescaped|Escaped|Invalid hex", "a backslash that starts no escape", "use single quotes or double it"),
    (r"Unterminated", "the text on this line has no closing quote", "close the quote"),
    (r"Unclosed array", "a list is not closed before this", "add the missing `]` or `,`"),
    (r"Unclosed inline", "an inline table is not closed before this", "add the missing `}` or `,`, all on one line"),
    (r"Expected '=' after", "no `=` after the key", "write `key = value`"),
    (r"Expected '\]", "the table header is not closed", "add the missing `]`"),
    (r"Invalid initial character for a key", "this is no key", "put the key in quotes"),
    (r"Invalid date", "this is no date", "put it in quotes"),
    (r"Expected newline", "more text after the value", "put text in quotes and each key on a line of its own"),
)


def _bad_value(rest: str, source: str) -> tuple[str, str]:
    if re.fullmatch(r"\s*\[+[\w\s.\"'-]+\]+\s*(#.*)?", source):
        return "a list above this table is not closed", "add the missing `]`"
    word = re.match(r"[^\s,\]}#]+", rest)
    if not word:
        return "a value is missing here", "write a value after the `=`"
    if word[0].lower() in ("true", "false"):
        return f"{quoted(word[0])} is no TOML value", f"write `{word[0].lower()}`"
    return f"{quoted(word[0])} is no TOML value", "put text in double quotes"
