"""What a reader could not take in."""

from typing import NamedTuple

from gradewright.finding import Location


class Problem(NamedTuple):
    """A file, or a part of one, that a reader could not take in. Rules turn problems into findings.

    `kind` is one of the constants below, `role` names what the file is for (`dataset`, `config`, `grader`, `script`,
    `task`, `manifest`, `skill`, `instruction`, `dockerfile`, `fixture`, `resource`: any other file of a skill, `input`:
    of a task's tests and solution, `reward`, `trajectory`) or is `entry` for an entry of the dataset; `subject`
    is the key or name concerned, `detail` says what is wrong in the reader's own words, `nearest` is a known name that
    may have been meant, `meant` one that certainly was, `cure` what to do where that is not to write `nearest`, and
    `twin` a key beside this one that says the same.
    """

    kind: str
    role: str
    at: Location
    detail: str = ""
    subject: str = ""
    nearest: str = ""
    cure: str = ""
    meant: str = ""
    twin: str = ""


# kinds of Problem: the file cannot be opened or decoded
UNREADABLE = "unreadable"
NOT_UTF8 = "not-utf8"
OVERSIZED = "oversized"
IRREGULAR = "irregular"
LINK_LOOP = "link-loop"
LINK_ESCAPES = "link-escapes"
LINK_DANGLES = "link-dangles"
LINKED = "linked"
TOO_DEEP = "too-deep"
# the text does not parse
SYNTAX = "syntax"
BOM = "bom"
CRLF = "crlf"
COMMENT = "comment"
TRAILING_COMMA = "trailing-comma"
DUPLICATE_KEY = "duplicate-key"
UNDEFINED_NAME = "undefined-name"
SHELL_SYNTAX = "shell-syntax"
NO_SHEBANG = "no-shebang"
NOT_CHECKED = "not-checked"
NEWER_SYNTAX = "newer-syntax"
NOT_CLOSED = "not-closed"
IGNORE_WITHOUT_REASON = "ignore-without-reason"
# the values do not fit their schema
UNKNOWN_KEY = "unknown-key"
MISSING_KEY = "missing-key"
WRONG_TYPE = "wrong-type"
WRONG_VALUE = "wrong-value"
# the result of a run is not what its reader takes; `EMPTY` (below) too: a file, or a reward, with nothing in it
NON_FINITE = "non-finite"
NON_NUMERIC = "non-numeric"
BOOLEAN = "boolean"
OUT_OF_RANGE = "out-of-range"
NESTED = "nested"
NOT_AN_OBJECT = "not-an-object"
DISAGREEMENT = "disagreement"
CRASH = "crash"
