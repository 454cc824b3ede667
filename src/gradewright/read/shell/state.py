"""What is known of a shell script while it is followed from its first line to its last."""

import os.path
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from gradewright.contract import REWARD_FILES, REWARD_JSON
from gradewright.finding import Location
from gradewright.model import Gap, Import, Metric, Run, Sign, Write
from gradewright.read.reward_text import judge

HOLE = "\0"
"""Stands in a text for a part that cannot be told."""

ALIVE, BROKEN, RETURNED, EXITED = range(4)
"""How far a statement has ended what follows it: not at all, its loop, its function, the script."""

MAX_STEPS = 20_000
MAX_DEPTH = 60
MAX_FACTS = 1000
MAX_PRINTED = 20_000
MAX_COLUMN = 4000
"""Beyond it, columns count bytes."""


class Source(NamedTuple):
    """Shell text with its place in the file: code in a string or a here-document starts further down."""

    data: bytes
    path: str
    row: int = 0
    column: int = 0
    is_ascii: bool = False

    def location(self, node: Any, offset: int = 0) -> Location:
        """The place of the byte `offset` after the start of `node`."""
        if not offset and (self.is_ascii or node.start_point[1] > MAX_COLUMN):
            row, column = node.start_point
            return Location(self.path, self.row + row + 1, column + 1 + (0 if row else self.column))
        start = node.start_byte + offset
        line_start = self.data.rfind(b"\n", 0, start) + 1
        row = node.start_point[0] + self.data.count(b"\n", node.start_byte, start)
        column = len(self.data[max(line_start, start - MAX_COLUMN) : start].decode("utf-8", "replace"))
        return Location(self.path, self.row + row + 1, column + 1 + (0 if row else self.column))

    def text(self, node: Any) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")


class Output(NamedTuple):
    """One thing that a command may print, and the node in which it stands."""

    text: str
    source: Source | None = None
    node: Any = None


Outputs = tuple[Output, ...]
"""All that may be printed: alternatives."""

NOTHING: Outputs = (Output(""),)
ANYTHING: Outputs = (Output(HOLE),)


class Call(NamedTuple):
    """A command: its words and their nodes, the variables set for it alone, what stands on its standard input.

    `assigned` are the values of these variables, as far as they are known.
    """

    values: list[str]
    nodes: list[Any]
    environment: tuple[str, ...]
    stdin: Outputs | None
    at: Location
    assigned: tuple[tuple[str, str], ...] = ()

    def after(self, count: int) -> "Call":
        return self._replace(values=self.values[count:], nodes=self.nodes[count:])


class Isolation:
    """What the script has done so far to keep the agent's files out of the tests, or to let them in."""

    __slots__ = ("exported", "guarded", "targets")

    def __init__(self) -> None:
        self.guarded = False
        self.targets: dict[Location, tuple[str, bool]] = {}
        self.exported: dict[str, Location] = {}


class Shell:
    """The script's state and the facts gathered so far."""

    __slots__ = (
        "ands",
        "asked",
        "branch",
        "constants",
        "cwd",
        "depth",
        "ended",
        "errexit",
        "fallback",
        "files",
        "functions",
        "gaps",
        "guard",
        "imports",
        "is_test",
        "isolation",
        "locals",
        "may_have_ended",
        "metrics",
        "opaque",
        "pipefail",
        "positional",
        "reads",
        "run",
        "runs",
        "signs",
        "source",
        "staged",
        "status_read",
        "steps",
        "texts",
        "trail",
        "trap",
        "trapped",
        "variables",
        "writes",
    )  # fmt: skip

    def __init__(self, source: Source, staged: str, run: "Callable[[Shell, Any], Outputs]", *, is_test: bool) -> None:
        self.source = source
        self.run = run
        self.staged = staged
        self.is_test = is_test
        self.positional: list[str] | None = None
        self.locals: dict[str, str | None] = {}
        self.variables: dict[str, str] = {}
        self.functions: dict[str, tuple[Source, Any]] = {}
        self.files: dict[str, Outputs] = {}
        self.cwd = ""
        self.ended = ALIVE
        self.may_have_ended = False
        self.branch = self.guard = self.depth = self.steps = 0
        self.ands = self.asked = self.fallback = 0
        self.errexit = self.pipefail = self.status_read = self.trapped = self.opaque = False
        self.trap: tuple[str, Call] | None = None
        self.writes: list[Write] = []
        self.texts: list[str] = []
        self.runs: list[Run] = []
        self.metrics: list[Metric] = []
        self.imports: list[Import] = []
        self.reads: dict[str, None] = {}
        self.gaps: list[tuple[Gap, int]] = []
        self.signs: dict[Sign, None] = {}
        self.constants: dict[Location, Sign] = {}
        self.isolation = Isolation()
        self.trail: Any = None

    @property
    def conditional(self) -> bool:
        return self.branch > 0 or self.may_have_ended

    @property
    def optional(self) -> bool:
        """Whether what is followed now stands in a branch, or in a chain that has something else for its failure."""
        return self.branch > self.ands or self.fallback > 0

    def resolve(self, path: str) -> str:
        """`path` as seen from the working directory, with HOLEs where it cannot be told."""
        if path.startswith(("/", HOLE)):
            return os.path.normpath(path) if path.startswith("/") else path
        if self.cwd.startswith(HOLE):
            return f"{HOLE}/{path}"
        return os.path.normpath(os.path.join(self.cwd, path)) if self.cwd else os.path.normpath(path)

    def write(self, destination: str, outputs: Outputs, at: Location, *, append: bool = False) -> None:
        """Put `outputs` into a file."""
        if destination.startswith("/dev/") or (not append and all(not output.text for output in outputs)):
            return
        path = self.resolve(destination)
        self.files[path] = ANYTHING if append or self.branch else outputs
        known = None if HOLE in path else path
        verdicts = [] if append else [judge(known, output.text) for output in outputs]
        shapes = {verdict.shape for verdict in verdicts}
        bad: list[tuple[str, str, Location]] = []
        for output, verdict in zip(outputs, verdicts, strict=False):
            bad.extend((reason, literal, self._within(output, literal, at)) for reason, literal in verdict.bad)
            if known == REWARD_JSON or (verdict.is_reward and (known is None or known not in REWARD_FILES)):
                self._add_metrics(output, verdict.metrics, at)
        text = only(outputs)
        if append and self.trail is not None and path in self.trail.entries:
            text = HOLE
        hopeless = all(any(reason == "not-json" for reason, _ in verdict.bad) for verdict in verdicts)
        certain = bool(verdicts) and (HOLE not in text or hopeless)
        shape = shapes.pop() if len(shapes) == 1 else "unknown"
        self.add_write(Write(known, shape, at, tuple(bad), certain, self.conditional), text)

    def add_write(self, write: Write, text: str = HOLE) -> None:
        """Put down a write and, as far as it is known, what it writes."""
        if self.trail is not None:
            self.trail.wrote(write, text, REWARD_FILES)
        if len(self.writes) < MAX_FACTS:
            self.writes.append(write)
            self.texts.append(text)

    def _add_metrics(self, output: Output, metrics: tuple[tuple[str, bool], ...], at: Location) -> None:
        for name, nested in metrics:
            metric = Metric(name, nested, self._within(output, name, at))
            if metric not in self.metrics and len(self.metrics) < MAX_FACTS:
                self.metrics.append(metric)

    def _within(self, output: Output, literal: str, at: Location) -> Location:
        """Where `literal` stands inside the node that an output comes from, by preference between quotes."""
        if output.source is None or output.node is None:
            return at
        data = output.source.data[output.node.start_byte : output.node.end_byte]
        sought = literal.encode("utf-8", "replace")
        quoted = re.search(rb"[\"']" + re.escape(sought) + rb"\\?[\"']", data)
        offset = quoted.start() + 1 if quoted else max(data.find(sought), 0)
        return output.source.location(output.node, offset)


def may_be_reward(write: Write) -> bool:
    """Whether `write` can be the one that the platform reads."""
    return write.path is None or write.path in REWARD_FILES


def joined(first: Outputs, second: Outputs) -> Outputs:
    """All that may be printed by one command after another."""
    if first == NOTHING:
        return second
    if second == NOTHING:
        return first
    if len(first) * len(second) > 6 or sum(len(o.text) for o in first + second) > MAX_PRINTED:
        return ANYTHING
    pairs = ((one, other) for one in first for other in second)
    return tuple(Output(a.text + b.text, *(a[1:] if a.node is not None else b[1:])) for a, b in pairs)


def either(alternatives: list[Outputs]) -> Outputs:
    """All that may be printed by one of several branches."""
    found = dict.fromkeys(output for outputs in alternatives for output in outputs)
    return tuple(found) if len(found) <= 6 else ANYTHING


def only(outputs: Outputs) -> str:
    """The one text that is printed, or a HOLE."""
    return outputs[0].text if len(outputs) == 1 else HOLE
