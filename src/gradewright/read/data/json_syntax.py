"""JSON: parsed by the standard library, explained by a scan of our own when it does not parse.

Only what Python's `json` refuses is a fault here, because that is what the platforms read with: `NaN` passes.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from gradewright.finding import Location
from gradewright.model import BOM, COMMENT, DUPLICATE_KEY, SYNTAX, TRAILING_COMMA, Problem, quoted
from gradewright.read.data.limits import (
    MAX_DEPTH,
    MAX_JSON_VALUES,
    MAX_PROBLEMS,
    conflict,
    depth,
    json_values,
    too_deep,
    too_many,
)
from gradewright.read.files import line_column

_TOKEN = re.compile(
    r"""
    (?P<string>"(?:[^"\\\n]++|\\.)*+")
  | (?P<comment>//[^\n]*+|\#[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)
  | (?P<comma>,)
  | (?P<close>[\]}])
  | (?P<stop>"|/\*)
  | (?P<other>[^\s",\]}/\#]++|/)
    """,
    re.VERBOSE,
)


def read_json(text: str, path: str, role: str, first_line: int = 1) -> tuple[Any | None, list[Problem]]:
    """The value of a JSON text that starts on `first_line` of its file."""
    if json_values(text) > MAX_JSON_VALUES:
        return None, [too_many(path, role, MAX_JSON_VALUES, "values")]
    repeats: list[int] = []
    try:
        value = _load(text, repeats)
    except RecursionError:
        return None, [too_deep(path, role)]
    except ValueError:
        return _explain(text, path, role, first_line)
    if text.count("{") + text.count("[") > MAX_DEPTH and depth(value) > MAX_DEPTH:
        return None, [too_deep(path, role)]
    return value, _repeated_keys(text, path, role, first_line) if repeats else []


def read_json_lines(text: str, path: str, role: str) -> tuple[list[Any] | None, list[Problem]]:
    """The records of a JSONL text, one per line that is not blank; None if one of them does not parse."""
    if json_values(text) + text.count("\n") > MAX_JSON_VALUES:
        return None, [too_many(path, role, MAX_JSON_VALUES, "values")]
    records: list[Any] = []
    problems: list[Problem] = []
    broken = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip(" \t\r\ufeff") and len(problems) < MAX_PROBLEMS:
            value, found = read_json(line.rstrip("\r"), path, role, number)
            problems += found
            broken = broken or (value is None and bool(found))
            records.append(value)
    return None if broken or len(problems) >= MAX_PROBLEMS else records, problems


def _load(text: str, repeats: list[int]) -> Any:
    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) != len(pairs):
            repeats.append(len(pairs))
        return record

    return json.loads(text, object_pairs_hook=collect)


def _explain(text: str, path: str, role: str, first_line: int) -> tuple[Any | None, list[Problem]]:
    """All that keeps `text` from parsing, and its value if that is only a BOM, comments and trailing commas."""
    merge = conflict(text, path, role)
    if merge:
        return None, [merge]

    def at(offset: int) -> Location:
        line, column = line_column(text, offset)
        return Location(path, first_line + line - 1, column)

    problems = []
    if text.startswith("\ufeff"):
        problems.append(
            Problem(BOM, role, at(0), "the file starts with a byte order mark", cure="save it as UTF-8 without a BOM")
        )
    comments, commas = extras(text)
    problems += _listed(COMMENT, role, [at(start) for start, _ in comments[:MAX_PROBLEMS]], len(comments))
    problems += _listed(TRAILING_COMMA, role, [at(start) for start in commas[:MAX_PROBLEMS]], len(commas))
    plain = _blanked(text, comments + [(start, start + 1) for start in commas])
    try:
        value = _load(plain, [])
    except json.JSONDecodeError as error:
        detail, cure, offset = _cause(plain, error)
        return None, [*problems, Problem(SYNTAX, role, at(offset), detail, cure=cure)]
    except RecursionError:
        return None, [*problems, too_deep(path, role)]
    except ValueError:
        number = re.search(r"(?<!\d)\d{4301}", plain)
        where = at(number.start()) if number else Location(path)
        return None, [*problems, Problem(SYNTAX, role, where, "a number has more than 4,300 digits")]
    if depth(value) > MAX_DEPTH:
        return None, [*problems, too_deep(path, role)]
    return value, problems


def _listed(kind: str, role: str, places: list[Location], number: int) -> Iterator[Problem]:
    detail, cure = {
        COMMENT: ("a comment, which JSON does not have", "delete the comment"),
        TRAILING_COMMA: ("a comma after the last item", "delete the comma"),
    }[kind]
    for index, place in enumerate(places, 1):
        more = f" (and {number - index:,} more)" if index == MAX_PROBLEMS and number > index else ""
        yield Problem(kind, role, place, detail + more, cure=cure)


def extras(text: str) -> tuple[list[tuple[int, int]], list[int]]:
    """The spans of all comments and the offsets of all trailing commas, up to where quotes stop making sense."""
    comments: list[tuple[int, int]] = []
    commas: list[int] = []
    comma: int | None = None
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "stop":
            break
        if kind == "comment":
            comments.append(match.span())
            continue
        if kind == "close" and comma is not None:
            commas.append(comma)
        comma = match.start() if kind == "comma" else None
    return comments, commas


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """`text` with spaces in place of `spans` and of a BOM; every offset and line stays what it was."""
    parts, done = [], 0
    if text.startswith("\ufeff"):
        spans = [(0, 1), *spans]
    for start, end in sorted(spans):
        parts += [text[done:start], re.sub(r"[^\n]", " ", text[start:end])]
        done = end
    return "".join([*parts, text[done:]])


def _cause(text: str, error: json.JSONDecodeError) -> tuple[str, str, int]:
    """What is wrong, how to mend it, and the offset where."""
    here, offset = text[error.pos : error.pos + 1], error.pos
    if not text.strip():
        return "the file is empty", "write a value", 0
    if error.msg.startswith("Unterminated string"):
        return "the text that starts here has no closing quote", "close the quote", offset
    if error.msg.startswith("Invalid control"):
        name = {"\n": "line break", "\r": "line break", "\t": "tab"}.get(here, "control character")
        return f"a bare {name} inside quotes", r"write `\n` or `\t` instead", offset
    if error.msg.startswith("Invalid \\"):
        return "a backslash that starts no escape", "double the backslash", offset
    if here == "'":
        return "single quotes, which JSON does not have", "use double quotes", offset
    if not here:
        return "the text ends before everything is closed", "add the missing end", len(text.rstrip())
    if error.msg.startswith("Extra data"):
        return "more text after the end of the value", "delete it, or put both values into one list", offset
    return *_unexpected(text, error), offset


def _unexpected(text: str, error: json.JSONDecodeError) -> tuple[str, str]:
    word = re.compile(r"[\w.+-]++|.").match(text, error.pos)
    shown = quoted(word[0]) if word else "this"
    if "delimiter" in error.msg:
        missing = "colon" if "':'" in error.msg else "comma"
        return f"{shown} where a {missing} is due", f"add the missing {missing}"
    if "property name" in error.msg:
        return f"{shown} where a key in double quotes is due", "put the key in double quotes"
    words = {"True": "`true`", "False": "`false`", "None": "`null`"}
    cure = f"write {words.get(word[0] if word else '', 'a value, text in double quotes')}"
    return f"{shown} is no JSON value", cure


def _repeated_keys(text: str, path: str, role: str, first_line: int) -> list[Problem]:
    """Every key that an object has more than once; the parser keeps the last one silently."""
    from gradewright.read.data.json_positions import scan

    problems = []
    for name, first, again in scan(text).repeats[:MAX_PROBLEMS]:
        line, column = line_column(text, again)
        at = Location(path, first_line + line - 1, column)
        detail = f"key {quoted(name)} was given before, on line {first_line + line_column(text, first)[0] - 1}"
        problems.append(Problem(DUPLICATE_KEY, role, at, detail, name, cure="keep one of the two"))
    return problems
