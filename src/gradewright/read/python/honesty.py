"""The signs that tell whether the score of a Python script is earned, taken from what its rewards depend on."""

import posixpath
import re
from collections.abc import Iterable
from typing import Any

from gradewright.contract import REWARD_FILES, SOLUTION_DIR
from gradewright.model import AGENT_SCORE, Run, Sign
from gradewright.read.python.evidence import Evidence
from gradewright.read.python.exits import Exits
from gradewright.read.python.influences import Influences
from gradewright.read.python.intrusions import Intrusions
from gradewright.read.python.kinds import HOLE, JSON, OBJECT, TEXT, Value, Values
from gradewright.read.python.outcome_calls import Outcomer
from gradewright.read.python.reward import REWARD_KEYS, Judge
from gradewright.read.python.scores import Scores
from gradewright.read.python.sinks import Move, Output
from gradewright.read.python.sources import agent_path, known_texts
from gradewright.read.python.trace import DIRECT, TESTED, Way, spot_of
from gradewright.read.python.trace_forms import DOCUMENT
from gradewright.read.python.verdicts import verdicts_of

WRITTEN = {
    "write_text": (0, "data"),
    "write_bytes": (0, "data"),
    "write": (0, ""),
    "writelines": (0, ""),
    "dump": (0, "obj"),
}
OWN_TESTS = "/tests/"
TEST_MODULE = re.compile(r"(?:\A|[/\\])(?:test_[^/\\]*|[^/\\]*_test|conftest)\.py\Z")
"""Modules that pytest runs. They import the code under test as a rule."""


def honesty_of(
    judge: Judge,
    outputs: list[Output],
    moves: Iterable[Move],
    runs: tuple[Run, ...],
    *,
    is_grader: bool,
    opaque: bool,
) -> list[Sign]:
    """What the rewards among `outputs` depend on and should not, and what else in the script puts them in doubt."""
    tracer = Influences(judge)
    exits = Exits(tracer)
    scores = Scores(Outcomer(tracer))
    rewards = [output for output in outputs if _is_reward(judge, output)]
    for output in rewards:
        contents = _contents(tracer, output)
        _follow(tracer, output, contents)
        exits.note(output, contents)
        scores.take(output, contents)
    tracer.run()
    found = tracer.signs.values()
    signs = [sign for sign, path in found if sign.what != AGENT_SCORE or not _is_made(path, outputs, runs)]
    signs += [sign for move in moves for sign in _copied(judge, move)]
    signs += verdicts_of(judge, scores, Evidence(scores.outcomer), runs, opaque=opaque)
    intrusions = Intrusions(tracer)
    if SOLUTION_DIR[1:] in judge.text:
        signs += intrusions.solutions(runs)
    if (rewards or is_grader) and not TEST_MODULE.search(judge.file):
        signs += intrusions.imports()
        signs += exits.signs()
    return signs


def _is_reward(judge: Judge, output: Output) -> bool:
    for value in output.paths:
        if value.kind != TEXT:
            if any(_names_a_score(judge, content) for content in output.contents):
                return True
        elif _is_reward_path(value.data) or (HOLE in value.data[-1:] and _names_any(judge, output.contents)):
            return True
    return False


def _is_reward_path(path: str) -> bool:
    return posixpath.normpath(path) in REWARD_FILES or posixpath.basename(path) in ("reward.json", "reward.txt")


def _names_any(judge: Judge, contents: Values) -> bool:
    return any(_names_a_score(judge, content) for content in contents)


def _names_a_score(judge: Judge, content: Value) -> bool:
    inner = content.data if content.kind == JSON else content
    return inner.kind == OBJECT and bool(REWARD_KEYS & judge.resolver.entries(inner).items.keys())


def _contents(tracer: Influences, output: Output) -> list[Any]:
    """The expressions that an output puts into the file."""
    node = output.site.node
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name == "print":
        return list(node.args)
    if name not in WRITTEN:
        return []
    position, keyword = WRITTEN[name]
    if tracer.called(node.func, spot_of(output.site, output.frame))[0] == "os.write":
        position = 1
    return node.args[position:][:1] or [word.value for word in node.keywords if word.arg == keyword and keyword]


def _follow(tracer: Influences, output: Output, contents: list[Any]) -> None:
    """Follow what an output writes, and the tests that decide whether it does."""
    site, frame = output.site, output.frame
    for node in contents:
        tracer.follow(node, spot_of(site, frame), Way(DIRECT), (DOCUMENT,))
    tracer.decided(site.control, site.scope, frame, Way(TESTED))
    tracer.decided_calls(frame, Way(TESTED))


def _is_made(path: str, outputs: list[Output], runs: tuple[Run, ...]) -> bool:
    """Whether the script itself, or a program that it starts and that is not the agent's, may make a file."""
    name = posixpath.basename(path)
    if any(value.kind == TEXT and value.data == path for output in outputs for value in output.paths):
        return True
    for run in runs:
        words = [word for word in run.words if word]
        if any(name in word for word in words) or (len(words) < len(run.words) and not words):
            return True
        if any(word.startswith(OWN_TESTS) for word in words) or run.is_pytest:
            return True
    return not agent_path(path) and bool(runs)


def _copied(judge: Judge, move: Move) -> Iterable[Sign]:
    """A file of the agent that is made the reward."""
    if any(value.kind == TEXT and _is_reward_path(value.data) for value in move.target):
        for path in known_texts(move.source):
            if agent_path(path):
                yield Sign(AGENT_SCORE, judge.at(move.site.node), path, certain=True)
