"""What `[ ... ]`, `[[ ... ]]`, `test` and sums come to, as far as they do not depend on the run."""

import re
from collections.abc import Iterator
from typing import Any

from gradewright.contract import REWARD_FILES
from gradewright.finding import Location
from gradewright.model import CLOCK, RANDOM
from gradewright.read.runner import is_agents
from gradewright.read.shell.state import HOLE, Shell
from gradewright.read.shell.trail import (
    COUNTED,
    OTHER,
    PRESENCE,
    SETUP,
    SUCCESS,
    TESTS,
    UNKNOWN_STATUS,
    Question,
    Trail,
)
from gradewright.read.shell.words import lookup, value

NESTED = frozenset({"unary_expression", "binary_expression", "parenthesized_expression", "test_command"})
FILE_TESTS = frozenset({"-a", "-d", "-e", "-f", "-h", "-L", "-r", "-w", "-x"})
NUMERIC = {"-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">="}
TEXTUAL = frozenset({"=", "==", "!=", "<", ">", "=~"})
INTEGER = re.compile(r"[+-]?\d{1,15}\Z")
PATTERN = re.compile(r"[*?\[\\]")
TERM = re.compile(r"\s*(\$?\{?[A-Za-z_]\w*\}?|\$\{?\?\}?|\d+|==|!=|<=|>=|&&|\|\||.)", re.S)
MAX_TERMS = 60
FAILURE = "1"


def test_words(shell: Shell, node: Any) -> Iterator[str]:
    """The words of a `[ ... ]` or `[[ ... ]]`."""
    children = node.children[1:-1] if node.type == "test_command" else node.children
    for child in children:
        if child.type in NESTED:
            yield from test_words(shell, child)
        elif child.is_named and child.type != "test_operator":
            yield value(shell, child)
        else:
            yield shell.source.text(child)


class Words:
    """The words of a test while they are worked through."""

    def __init__(self, shell: Shell, trail: Trail, words: list[str], at: Location) -> None:
        self.shell, self.trail, self.words, self.at = shell, trail, words, at
        self.position = 0

    def result(self) -> str:
        """The status of the whole test."""
        if not self.words:
            return FAILURE
        status = self._either()
        return status if self.position == len(self.words) else self._asked(OTHER, " ".join(self.words))

    def _peek(self, ahead: int = 0) -> str:
        position = self.position + ahead
        return self.words[position] if position < len(self.words) else ""

    def _either(self) -> str:
        status = self._both()
        while self._peek() in ("||", "-o"):
            self.position += 1
            status = self._joined("any", status, self._both())
        return status

    def _both(self) -> str:
        status = self._one()
        while self._peek() in ("&&", "-a"):
            self.position += 1
            status = self._joined("all", status, self._one())
        return status

    def _joined(self, how: str, first: str, second: str) -> str:
        known = [status for status in (first, second) if HOLE not in status]
        decisive = SUCCESS if how == "any" else FAILURE
        if decisive in known:
            return decisive
        unknown = [status for status in (first, second) if HOLE in status]
        return self.trail.status(how, *unknown) if unknown else second

    def _one(self) -> str:
        word = self._peek()
        if word == "!" and self.position + 1 < len(self.words):
            self.position += 1
            return negated(self.trail, self._one())
        if word in ("(", r"\("):
            self.position += 1
            status = self._either()
            self.position += 1
            return status
        if self._peek(1) in TEXTUAL or self._peek(1) in NUMERIC:
            self.position += 3
            return self._compared(word, self.words[self.position - 2], *self.words[self.position - 1 : self.position])
        if len(word) == 2 and word[0] == "-" and self.position + 1 < len(self.words):
            self.position += 2
            return self._unary(word, self.words[self.position - 1])
        self.position += 1
        return self._has_text(word)

    def _unary(self, operator: str, operand: str) -> str:
        if operator in FILE_TESTS or operator == "-s":
            path = self.shell.resolve(operand)
            if path == "/dev/null":
                return FAILURE
            if path in REWARD_FILES and (path in self.trail.entries or not self.trail.is_followed_blindly):
                return SUCCESS if path in self.trail.entries else FAILURE
            kind = PRESENCE if is_agents(path) or not path.startswith(("/", HOLE)) else SETUP
            if path in self.shell.files and path in self.trail.written:
                kind = OTHER
            question = Question(kind, ("exists" if operator != "-s" else "filled", path), path, self.at)
            return self.trail.status("ask", question=question)
        if operator in ("-n", "-z"):
            status = self._has_text(operand)
            return negated(self.trail, status) if operator == "-z" else status
        return self._asked(OTHER, operand)

    def _has_text(self, text: str) -> str:
        if HOLE not in text:
            return SUCCESS if text else FAILURE
        return SUCCESS if text.strip(HOLE) and not UNKNOWN_STATUS.match(text) else self._asked(OTHER, text)

    def _compared(self, left: str, operator: str, right: str = "") -> str:
        if operator in ("=~", "<", ">") or (operator in TEXTUAL and PATTERN.search(right)):
            return self._asked(OTHER, operator)
        if "/" in (left, right):
            return self._asked(SETUP, operator)
        operator = NUMERIC.get(operator, "==" if operator == "=" else operator)
        for one, other in ((left, right), (right, left)):
            if UNKNOWN_STATUS.match(one) and INTEGER.match(other):
                return self._status_against(one, operator if one is left else operator.translate(MIRROR), int(other))
        if HOLE in left or HOLE in right:
            return self._asked(OTHER, operator, is_fresh=HOLE in left and HOLE in right)
        return SUCCESS if _holds(left, operator, right) else FAILURE

    def _status_against(self, status: str, operator: str, number: int) -> str:
        """Compare an exit status, which is 0 or any other number, with `number`."""
        at_zero = _holds("0", operator, str(number))
        above = {_holds(str(other), operator, str(number)) for other in (1, 2, 5, 255, number) if other > 0}
        if len(above) > 1:
            question = self.trail.question_of(status)
            is_tests = question is not None and question.kind == TESTS
            odd = COUNTED if is_tests and not _holds("1", operator, str(number)) else OTHER
            return self.trail.status("any" if at_zero else "all", *self._unless(status, odd, zero=at_zero))
        if at_zero == next(iter(above)):
            return SUCCESS if at_zero else FAILURE
        return status if at_zero else negated(self.trail, status)

    def _unless(self, status: str, kind: str, *, zero: bool) -> tuple[str, str]:
        other = self._asked(kind, "status")
        return (status, other) if zero else (negated(self.trail, status), other)

    def _asked(self, kind: str, subject: str, *, is_fresh: bool = False) -> str:
        """Ask for what cannot be told. `is_fresh`: two unknown texts, where what is random may be input of a test."""
        key = ("test", str(len(self.trail.statuses)))
        question = Question(kind, key, subject, self.at)
        times = [origin.detail for origin in self.trail.flow if origin.what == CLOCK]
        is_duration = len(times) > 1 or times == ["$SECONDS"]
        ignored = {what for what, known in ((RANDOM, is_fresh), (CLOCK, is_duration)) if known}
        self.trail.depends(question, frozenset(origin for origin in self.trail.flow if origin.what not in ignored))
        return self.trail.status("ask", question=question)


MIRROR = str.maketrans("<>", "><")


def negated(trail: Trail, status: str) -> str:
    """The status of `! command`."""
    if HOLE in status:
        return trail.status("not", status)
    return FAILURE if status == SUCCESS else SUCCESS


def _holds(left: str, operator: str, right: str) -> bool:
    if INTEGER.match(left) and INTEGER.match(right):
        one, other = int(left), int(right)
        results = {"==": one == other, "!=": one != other, "<": one < other, "<=": one <= other, ">": one > other}
        return results.get(operator, one >= other)
    return (left == right) == (operator == "==")


def tested(shell: Shell, trail: Trail, words: list[str], at: Location) -> str:
    """The status of a test with these words."""
    return Words(shell, trail, words, at).result()


def summed(shell: Shell, trail: Trail, text: str, at: Location) -> str:
    """The value of an arithmetic expression, or a HOLE."""
    terms: list[str] = []
    for match in TERM.finditer(text):
        term = match[1]
        if len(terms) >= MAX_TERMS or term in ("'", '"', "=", "[", "`"):
            return HOLE
        if term.isspace():
            continue
        if term[0] == "$" or term[0].isalpha() or term[0] == "_":
            term = lookup(shell, term.strip("${}"))
            if UNKNOWN_STATUS.match(term):
                term = SUCCESS if trail.is_success(term, at) else HOLE
        terms.append(term)
    if any(HOLE in term for term in terms):
        return HOLE
    reader = Sum(terms)
    result = reader.ternary()
    return str(result) if result is not None and reader.position == len(terms) else HOLE


LEVELS = (("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))


class Sum:
    """A sum of whole numbers while it is worked out; None stands for one that cannot be."""

    def __init__(self, terms: list[str]) -> None:
        self.terms = terms
        self.position = 0

    def _take(self, *wanted: str) -> str:
        if self.position < len(self.terms) and self.terms[self.position] in wanted:
            self.position += 1
            return self.terms[self.position - 1]
        return ""

    def ternary(self) -> int | None:
        condition = self._level(0)
        if not self._take("?"):
            return condition
        yes = self.ternary()
        no = self.ternary() if self._take(":") else None
        return (yes if condition else no) if condition is not None and no is not None else None

    def _level(self, level: int) -> int | None:
        if level == len(LEVELS):
            return self._single()
        left = self._level(level + 1)
        while operator := self._take(*LEVELS[level]):
            right = self._level(level + 1)
            left = _applied(operator, left, right) if left is not None and right is not None else None
        return left

    def _single(self) -> int | None:
        if self._take("!"):
            inner = self._single()
            return None if inner is None else int(not inner)
        if self._take("-"):
            inner = self._single()
            return None if inner is None else -inner
        if self._take("("):
            inner = self.ternary()
            return inner if self._take(")") else None
        term = self.terms[self.position] if self.position < len(self.terms) else ""
        self.position += 1
        return int(term) if INTEGER.match(term) else None


def _applied(operator: str, left: int, right: int) -> int | None:
    if operator in ("/", "%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "/" else left - quotient * right
    results = {
        "||": bool(left or right), "&&": bool(left and right), "==": left == right, "!=": left != right,
        "<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right,
        "+": left + right, "-": left - right, "*": left * right,
    }  # fmt: skip
    return int(results[operator])
