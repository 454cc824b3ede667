"""Judge what a script puts into the reward files: shape, metric names, literals that are no reward."""

import math
import posixpath
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from gradewright.contract import REWARD_FILES, REWARD_JSON, REWARD_TXT
from gradewright.finding import Location
from gradewright.model import Metric, Write
from gradewright.read.python.kinds import (
    ANYTHING,
    BAG,
    BOOLEAN,
    CONSTANT,
    HOLE,
    JSON,
    OBJECT,
    REPR,
    SEQUENCE,
    TEXT,
    Value,
    Values,
)
from gradewright.read.python.objects import Entries, Entry, Resolver
from gradewright.read.python.sinks import Move, Output
from gradewright.read.reward_text import judge

FLAT, NESTED, NUMBER, UNKNOWN_SHAPE = "flat", "nested", "text", "unknown"
CONTAINERS = frozenset({OBJECT, SEQUENCE, BAG})
NESTING_KEYS = frozenset({"custom_metrics", "details"})
REWARD_KEYS = frozenset({"overall", "custom_metrics"})
NOT_METRICS = NESTING_KEYS | {"overall", "metrics"}
MAX_LITERAL = 40
LINE_END = re.compile(r"\r\n|\r|\n")


class Bad(NamedTuple):
    """A literal that is no reward; `certain` if nothing else can stand in its place."""

    reason: str
    literal: str
    node: Any
    certain: bool


class Verdict(NamedTuple):
    """What one content is; `metrics` are name, whether nested, and node."""

    shape: str = UNKNOWN_SHAPE
    bad: tuple[Bad, ...] = ()
    metrics: tuple[tuple[str, bool, Any], ...] = ()


class Judge:
    """Turns outputs into the writes and metrics of the model."""

    def __init__(self, resolver: Resolver, path: str, text: str) -> None:
        self.resolver = resolver
        self.file = path
        self.text = text
        self.lines: list[str] | None = None
        self.writes: dict[Write, None] = {}
        self.metrics: dict[Metric, None] = {}
        self.scores: list[Value] = []

    def line(self, number: int) -> str:
        """A line of the script, by its number from 1."""
        if self.lines is None:
            self.lines = LINE_END.split(self.text)
        return self.lines[number - 1] if number <= len(self.lines) else ""

    def at(self, node: Any) -> Location:
        """The place of a node; columns count characters from 1."""
        return Location(self.file, node.lineno, _characters(self.line(node.lineno), node.col_offset) + 1)

    def literal(self, node: Any) -> str:
        """A literal as it is spelt, or the first line of it."""
        line = self.line(node.lineno)
        end = _characters(line, node.end_col_offset) if node.lineno == node.end_lineno else len(line)
        shown = line[_characters(line, node.col_offset) : end].strip()
        return shown if len(shown) <= MAX_LITERAL else shown[: MAX_LITERAL - 1] + "…"

    def take(self, outputs: Iterable[Output], relative: bool) -> None:
        """Judge all outputs; `relative` paths are known if the script never changes its folder."""
        for output in outputs:
            paths = dict.fromkeys(_path(value, relative) for value in output.paths)
            for path in paths:
                self._write(output, path, many=len(paths) > 1)

    def _write(self, output: Output, path: str | None, *, many: bool) -> None:
        contents = self._fitting(output.contents, path) if many else output.contents
        verdicts = [self.verdict(value, path) for value in contents]
        if path == REWARD_TXT:
            verdicts = [verdict._replace(shape=NUMBER) for verdict in verdicts]
        shapes = dict.fromkeys(verdict.shape for verdict in verdicts) or {UNKNOWN_SHAPE: None}
        conditional = output.site.conditional or many or len(shapes) > 1
        for shape in shapes:
            chosen = [verdict for verdict in verdicts if verdict.shape == shape]
            bad, certain = self._bad(verdicts, chosen, path, many=many or output.appended)
            self.writes[Write(path, shape, self.at(output.node), bad, certain, conditional)] = None
            for verdict in chosen:
                if _is_reward(path, verdict):
                    self._add_metrics(verdict)
        if path in REWARD_FILES:
            self._note_scores(contents)

    def _fitting(self, contents: Values, path: str | None) -> Values:
        """The contents meant for `path`, where a call writes several files one after the other."""
        if path not in REWARD_FILES:
            return contents
        documents = tuple(value for value in contents if value.kind == JSON and value.data.kind == OBJECT)
        rewards = tuple(one for one in documents if REWARD_KEYS & self.resolver.entries(one.data).items.keys())
        rest = tuple(value for value in contents if value not in documents)
        return (rewards or documents if path == REWARD_JSON else rest) or contents

    def _add_metrics(self, verdict: Verdict) -> None:
        for name, nested, node in verdict.metrics:
            self.metrics[Metric(name, nested, self.at(node))] = None

    def _bad(
        self, verdicts: list[Verdict], chosen: list[Verdict], path: str | None, *, many: bool
    ) -> tuple[tuple[tuple[str, str, Location], ...], bool]:
        """The bad literals of a write, and whether they are all that can be written."""
        if path not in REWARD_FILES:
            return (), False
        certain = bool(verdicts) and all(any(bad.certain for bad in verdict.bad) for verdict in verdicts)
        if many and not certain:
            return (), False
        found = [bad for verdict in chosen for bad in verdict.bad if bad.certain or not certain]
        return tuple(dict.fromkeys((bad.reason, bad.literal, self.at(bad.node)) for bad in found)), certain

    def _note_scores(self, contents: Values) -> None:
        """Keep what the overall score may be, to tell a constant one."""
        for value in contents:
            inner = value.data if value.kind == JSON else value
            if inner.kind == OBJECT:
                entry = self.resolver.entries(inner).items.get("overall")
                self.scores.extend(entry.values if entry else ())
            elif inner.kind != TEXT:
                self.scores.append(inner)

    # --- contents ---

    def verdict(self, value: Value, path: str | None) -> Verdict:
        """Judge one thing that may be written to `path`."""
        if value.kind == JSON:
            return self._json(value.data, path)
        if value.kind == REPR:
            return self._printed(value.data, path)
        if value.kind == TEXT and value.data != HOLE:
            return self._text(value, path)
        return Verdict()

    def _text(self, value: Value, path: str | None) -> Verdict:
        if value.node is None or not value.data.strip():
            return Verdict()
        found = judge(path, value.data)
        bad = tuple(Bad(reason, literal, value.node, value.sure) for reason, literal in found.bad if value.sure)
        return Verdict(found.shape, bad, tuple((name, nested, value.node) for name, nested in found.metrics))

    def _printed(self, inner: Value, path: str | None) -> Verdict:
        """A container as `str` prints it, which is no JSON."""
        if path not in REWARD_FILES or inner.node is None or not inner.sure:
            return Verdict()
        if inner.kind == OBJECT and not self.resolver.entries(inner).items:
            return Verdict()
        reason = "not-json" if path == REWARD_JSON else "non-numeric"
        return Verdict(bad=(Bad(reason, self.literal(inner.node), inner.node, True),))

    def _json(self, inner: Value, path: str | None) -> Verdict:
        if path == REWARD_TXT:
            return Verdict(NUMBER, tuple(self._number_file(inner)))
        if inner.kind == OBJECT:
            return self._object(self.resolver.entries(inner))
        if path == REWARD_JSON and inner.kind not in (ANYTHING, JSON) and inner.node is not None and inner.sure:
            known = inner.kind in (CONSTANT, BOOLEAN, SEQUENCE, BAG) or (inner.kind == TEXT and HOLE not in inner.data)
            if known:
                return Verdict(bad=(Bad("not-json", self.literal(inner.node), inner.node, True),))
        return Verdict()

    def _number_file(self, inner: Value) -> Iterable[Bad]:
        if inner.kind in CONTAINERS and inner.node is not None and inner.sure:
            yield Bad("non-numeric", self.literal(inner.node), inner.node, True)
        else:
            yield from self._value((inner,), ranged=True)

    def _object(self, entries: Entries) -> Verdict:
        items = entries.items
        nested = any(_holds_container(key, entry) for key, entry in items.items())
        strange = [key for key, entry in items.items() if key not in NOT_METRICS and _is_text(entry.values)]
        shape = NESTED if nested or strange else FLAT
        if entries.loose or (shape == FLAT and not entries.whole):
            shape = UNKNOWN_SHAPE
        bad: list[Bad] = []
        for key, entry in items.items():
            if key == "overall":
                bad.extend(self._value(entry.values, ranged=True))
            elif key not in NOT_METRICS:
                bad.extend(self._value(entry.values, ranged=False))
        metrics = [(key, False, entry.node) for key, entry in items.items() if key not in NOT_METRICS]
        custom = items.get("custom_metrics")
        for value in custom.values if custom else ():
            if value.kind == OBJECT:
                inner = self.resolver.entries(value)
                metrics += [(key, True, entry.node) for key, entry in inner.items.items()]
                for entry in inner.items.values():
                    bad.extend(self._value(entry.values, ranged=True))
        return Verdict(shape, tuple(bad), tuple(metrics))

    def _value(self, values: Values, *, ranged: bool) -> Iterable[Bad]:
        """The literals among `values` that are no score; `ranged` where text, truth values and range matter too."""
        found = [(value, _fault(value, ranged=ranged)) for value in values]
        certain = all(fault and value.sure for value, fault in found)
        for value, fault in found:
            if fault and value.sure and value.node is not None:
                yield Bad(fault, self.literal(value.node), value.node, certain)


def _characters(line: str, offset: int) -> int:
    """How many characters the first `offset` bytes of a line are."""
    return offset if line.isascii() else len(line.encode("utf-8", "replace")[:offset].decode("utf-8", "replace"))


def _fault(value: Value, *, ranged: bool) -> str:
    """Why a value is no score, or nothing."""
    data = value.data
    if value.kind == CONSTANT and data.__class__ in (int, float):
        if not _is_finite(data):
            return "non-finite"
        return "out-of-range" if ranged and not 0 <= data <= 1 else ""
    if not ranged:
        return ""
    if value.kind == BOOLEAN or (value.kind == CONSTANT and data.__class__ is bool):
        return "boolean"
    if value.kind == TEXT or (value.kind == CONSTANT and data is None):
        return "non-numeric"
    return ""


def _is_finite(number: int | float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def _holds_container(key: str, entry: Entry) -> bool:
    if all(value.kind in CONTAINERS for value in entry.values):
        return True
    return key in NESTING_KEYS and any(value.kind in CONTAINERS or value.kind == ANYTHING for value in entry.values)


def _is_text(values: Values) -> bool:
    """Whether only texts and None are possible."""
    return all(v.sure and (v.kind == TEXT or (v.kind == CONSTANT and v.data is None)) for v in values)


def _is_reward(path: str | None, verdict: Verdict) -> bool:
    if path == REWARD_JSON:
        return True
    named = path is None or posixpath.basename(path).startswith("reward")
    return named and path != REWARD_TXT and any(nested for _, nested, _ in verdict.metrics)


def _path(value: Value, relative: bool) -> str | None:
    """A path in its normal form, or None if it is not known."""
    if value.kind != TEXT or HOLE in value.data or not value.data:
        return None
    path = posixpath.normpath(value.data)
    if path.startswith("//"):
        path = path[1:]
    return path if path.startswith("/") or relative else None


def with_moves(outputs: list[Output], moves: list[Move]) -> list[Output]:
    """The outputs, and for each file that is moved or copied the same content at its new path."""
    found = list(outputs)
    for move in moves:
        moved = [output for output in outputs if _is_moved(output, move)]
        if move.leaves:
            found = [output for output in found if output not in moved or _is_known(output.paths)]
        if not moved:
            found.append(Output(move.target, (), move.site, move.frame, move.site.node))
        found += [output._replace(paths=move.target, frame=move.frame) for output in moved]
    return found


def _is_known(paths: Values) -> bool:
    return all(value.kind == TEXT and HOLE not in value.data for value in paths)


def _is_moved(output: Output, move: Move) -> bool:
    known = {value.data for value in move.source if value.kind == TEXT and HOLE not in value.data}
    if known:
        return any(value.kind == TEXT and value.data in known for value in output.paths)
    open_paths = not _is_known(output.paths)
    same_frame = output.frame is move.frame or output.frame is None or move.frame is None
    return open_paths and output.site.scope is move.site.scope and same_frame
