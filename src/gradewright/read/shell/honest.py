"""What the ways through a shell script tell about the worth of its score."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from gradewright.finding import Location
from gradewright.model import (
    ABSENCE_ONLY,
    AGENT_SCORE,
    CLOCK,
    CONSTANT_SCORE,
    EMPTY_PASSES,
    ERASING_EXIT,
    EXISTENCE_ONLY,
    FAILS_OPEN,
    NETWORK,
    RANDOM,
    READS_ARM,
    Sign,
)
from gradewright.read.runner import is_agents
from gradewright.read.shell.state import HOLE
from gradewright.read.shell.trail import COUNTED, PRESENCE, SEARCH, SETUP, TESTS, TOOL, Entry, Origin, Question
from gradewright.read.shell.ways import Way, Ways

NUMBER = re.compile(r"[+-]?\d{0,20}\.?\d{1,20}(?:[eE][+-]?\d{1,3})?\Z|\d{1,20}\.\Z")
CONTROLLING = frozenset({READS_ARM, RANDOM, NETWORK, CLOCK})
MAIN = ("overall", "reward", "score")
BESIDE = frozenset({"details", "message", "reason", "timestamp"})
MARK = "770077"
MAX_JSON = 4096

Outcome = tuple[Way, float, str]
"""A way, the score at its end, and the text of the reward."""


def honesty_signs(found: Ways, other_texts: Iterable[str], *, is_grader: bool) -> Iterator[Sign]:
    """The signs of a script; `other_texts` are all texts that it may write as a reward, whether or not it ever does."""
    yield from _origins(found)
    if is_grader:
        yield from _erasing(found)
    ways = [way for way in found.found if not _is_unprepared(way)]
    if not found.complete or not ways:
        return
    outcomes = [outcome for way in ways if (outcome := _outcome(way))]
    if len(outcomes) < len(ways):
        yield from _fallback(outcomes, len(ways))
        return
    certain = all(way.foreign < 0 for way in ways)
    texts = {text for _, _, text in outcomes}
    if len(texts) == 1:
        yield from _constant(outcomes, other_texts, certain=certain)
    else:
        yield from _open(outcomes)


def given_signs(found: Ways, constants: Mapping[Location, Sign]) -> Iterator[Sign]:
    """The same score on all ways, where code in another language writes it; `constants` by the place of the write."""
    rewards = [way.reward for way in found.found if way.reward and way.reward.order >= max(way.foreign, way.runs)]
    signs = [constants[reward.at] for reward in rewards if reward.at in constants]
    if found.complete and signs and len(signs) == len(found.found) and len({sign.detail for sign in signs}) == 1:
        yield signs[0]


def _is_unprepared(way: Way) -> bool:
    """Whether this way ends without a reward because some preparation failed, which says nothing about the checks."""
    return way.reward is None and bool(way.asked) and way.asked[-1][0].kind == SETUP


def _outcome(way: Way) -> Outcome | None:
    """The score at the end of a way; None if there is none, or if it cannot be told."""
    reward = way.reward
    if reward is None or HOLE in reward.text or reward.order < max(way.foreign, way.runs):
        return None
    text = " ".join(reward.text.split())
    score = _score(text)
    return None if score is None else (way, score, text)


def _score(text: str) -> float | None:
    if NUMBER.match(text):
        return float(text)
    if not text.startswith("{") or len(text) > MAX_JSON:
        return None
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return None
    main = values.get("overall", values.get("reward", values.get("score")))
    numbers = [main] if isinstance(main, int | float) else [v for v in values.values() if isinstance(v, int | float)]
    return float(max(numbers)) if numbers else None


def _constant(outcomes: list[Outcome], other_texts: Iterable[str], *, certain: bool) -> Iterator[Sign]:
    way, score, text = outcomes[0]
    others = {" ".join(other.split()) for other in other_texts}.difference(*(way.texts for way, _, _ in outcomes))
    reward: Entry = way.reward  # type: ignore[assignment]
    if score <= 0 and not (certain and all(way.runs == 0 for way, _, _ in outcomes)):
        return
    if score > 0 and others:
        yield Sign(FAILS_OPEN, reward.at, text, certain)
    else:
        yield Sign(CONSTANT_SCORE, reward.at, text, certain)


def _open(outcomes: list[Outcome]) -> Iterator[Sign]:
    """Failures, missing files and the like that earn the best score there is."""
    best = max(score for _, score, _ in outcomes)
    questions = dict.fromkeys(question for way, _, _ in outcomes for question, _ in way.asked)
    kinds = {question.kind for question in questions if question.kind != SETUP or _decides(question, outcomes)}
    if best <= 0:
        return
    if kinds and kinds <= {PRESENCE, SEARCH}:
        yield from _shallow(outcomes, kinds, best)
        return
    for question in questions:
        if question.kind in (TESTS, PRESENCE, TOOL):
            yield from _missed(outcomes, question, best)
        elif question.kind == COUNTED:
            yield from _uncounted(outcomes, question, best)


def _uncounted(outcomes: list[Outcome], question: Question, best: float) -> Iterator[Sign]:
    """No test was collected, or the run was cut off, and that earns the best score."""
    odd = [outcome for outcome in outcomes if (question, True) in outcome[0].asked]
    failed = [score for way, score, _ in outcomes if (question, False) in way.asked and _has_failed_tests(way)]
    if odd and failed and max(failed) < best and all(score >= best and _has_failed_tests(way) for way, score, _ in odd):
        reward: Entry = odd[0][0].reward  # type: ignore[assignment]
        yield Sign(FAILS_OPEN, question.at if question.at.line else reward.at, "status")


def _has_failed_tests(way: Way) -> bool:
    return any(question.kind == TESTS and not answer for question, answer in way.asked)


def _decides(question: Question, outcomes: list[Outcome]) -> bool:
    return any((question, False) in way.asked for way, _, _ in outcomes)


def _fallback(outcomes: list[Outcome], ways: int) -> Iterator[Sign]:
    """A grader leaves the reward behind and, where it fails, the script writes a good one."""
    for way, score, _ in outcomes:
        decided = [(question, answer) for question, answer in way.asked if question.kind != SETUP]
        is_alone = len(decided) == 1 and decided[0][0].kind == TESTS and not decided[0][1]
        if score > 0 and is_alone and len(outcomes) == 1 and ways == 2:
            yield Sign(FAILS_OPEN, way.reward.at, decided[0][0].subject, certain=score >= 1)  # type: ignore[union-attr]


def _missed(outcomes: list[Outcome], question: Question, best: float) -> Iterator[Sign]:
    failed = [outcome for outcome in outcomes if (question, False) in outcome[0].asked]
    passed = [outcome for outcome in outcomes if (question, True) in outcome[0].asked]
    if not failed or min(score for _, score, _ in failed) < best or min(score for _, score, _ in passed) >= best:
        return
    reward = failed[0][0].reward
    if reward is None:
        return
    if question.kind in (PRESENCE, TOOL):
        if question.kind == TOOL and _checks_more(passed, best):
            yield Sign(FAILS_OPEN, reward.at, question.subject)
        elif is_agents(question.subject) and _checks_more(passed, best):
            yield Sign(EMPTY_PASSES, reward.at, question.subject)
    elif all(way.ended_by == question for way, _, _ in failed):
        yield Sign(FAILS_OPEN, reward.at, question.subject)
    elif _is_inverted(failed, passed):
        yield Sign(FAILS_OPEN, reward.at, question.subject, certain=False)


def _checks_more(passed: list[Outcome], best: float) -> bool:
    """Whether what is there is looked into: it has the best score if all is found right, and less if nothing is."""
    deeper = [way for way, _, _ in passed if any(q.kind not in (PRESENCE, SETUP, TOOL) for q, _ in way.asked)]
    right = [score for way, score, _ in passed if way in deeper and all(answer for _, answer in way.asked)]
    wrong = [score for way, score, _ in passed if way in deeper and _is_bare(way)]
    return bool(right and wrong) and min(right) >= best and max(wrong) < best


def _is_bare(way: Way) -> bool:
    """Whether nothing but presence is answered with yes on this way."""
    return not any(answer for question, answer in way.asked if question.kind not in (PRESENCE, SETUP, TOOL))


def _is_inverted(failed: list[Outcome], passed: list[Outcome]) -> bool:
    """Whether a failing test run alone earns the score, and a passing one loses it."""
    return len(failed) == 1 and len(passed) == 1 and len(failed[0][0].asked) == 1


def _shallow(outcomes: list[Outcome], kinds: set[str], best: float) -> Iterator[Sign]:
    """A script that looks at nothing but what is there, or at what is not there."""
    idle = [outcome for outcome in outcomes if not any(answer for _, answer in outcome[0].asked)]
    full = [outcome for outcome in outcomes if all(answer for _, answer in outcome[0].asked)]
    if not idle or not full or any(way.foreign >= 0 or way.runs for way, _, _ in outcomes):
        return
    if idle[0][1] >= best:
        way = idle[0][0]
        yield Sign(ABSENCE_ONLY, way.reward.at if way.reward else way.asked[0][0].at, way.asked[0][0].subject)
    elif kinds == {PRESENCE} and full[0][1] >= best:
        way = full[0][0]
        yield Sign(EXISTENCE_ONLY, way.reward.at if way.reward else way.asked[0][0].at, way.asked[0][0].subject)


def _erasing(found: Ways) -> Iterator[Sign]:
    """A reward above zero, followed by an exit status that erases it."""
    rewarded = [way for way in found.found if way.reward is not None]
    erased = []
    for way in rewarded:
        outcome = _outcome(way)
        if way.fails and not _is_by_writer(way) and (outcome is None or outcome[1] > 0):
            erased.append(way)
    for way in erased[:1]:
        at = way.left_at or (way.ended_by.at if way.ended_by else way.reward.at)  # type: ignore[union-attr]
        yield Sign(ERASING_EXIT, at, way.left_by or "set -e", certain=found.complete and len(erased) == len(rewarded))


def _is_by_writer(way: Way) -> bool:
    """Whether what failed is the very command that wrote the reward, which then is no valid one."""
    command, reward = way.ended_by, way.reward
    if command is None or reward is None:
        return False
    return command.key == ("run", str(reward.order)) or command.at.line == reward.at.line


def _origins(found: Ways) -> Iterator[Sign]:
    """Where the score comes from, and what else decides about it."""
    rewarded = [way for way in found.found if way.reward is not None]
    signs: dict[Sign, int] = {}
    for way in rewarded:
        reward: Entry = way.reward  # type: ignore[assignment]
        if HOLE in reward.text and _is_score(reward.text):
            latest = {(one.what, one.detail): one for one in sorted(reward.origins, key=_place)}
            for origin in latest.values():
                made = origin.what == AGENT_SCORE and way.programs and origin.detail not in way.programs
                sign = Sign(origin.what, origin.at or reward.at, origin.detail, certain=not made)
                signs[sign] = signs.get(sign, 0) + 1
    for sign, count in signs.items():
        yield sign._replace(certain=sign.certain and count == len(rewarded) and found.complete)
    if found.complete:
        yield from _controlling(rewarded)


def _place(origin: Origin) -> tuple[int, int]:
    return (origin.at.line or 0, origin.at.column or 0) if origin.at else (0, 0)


def _controlling(rewarded: list[Way]) -> Iterator[Sign]:
    dependent = {key: origins for way in rewarded for key, origins in way.dependent.items()}
    said = set()
    for question in dict.fromkeys(question for way in rewarded for question, _ in way.asked):
        for origin in dependent.get(question.key, ()):
            if origin.what not in CONTROLLING or origin in said:
                continue
            yes = {way.reward.text for way in rewarded if way.reward and (question, True) in way.asked}
            no = {way.reward.text for way in rewarded if way.reward and (question, False) in way.asked}
            is_wanted = origin.what != NETWORK or _best(yes) > _best(no)
            if yes != no and yes and no and is_wanted:
                said.add(origin)
                yield Sign(origin.what, origin.at or question.at, origin.detail)


def _best(texts: set[str]) -> float:
    """The highest score among rewards; below zero if none can be told."""
    scores = [_score(" ".join(text.split())) for text in texts]
    return max((score for score in scores if score is not None), default=-1.0)


def _is_score(text: str) -> bool:
    """Whether the one unknown part of a reward is a number in it, and no text beside it."""
    plain = text.strip()
    if plain == HOLE:
        return True
    if plain.count(HOLE) != 1 or len(plain) > MAX_JSON:
        return False
    if not plain.startswith("{"):
        return True
    try:
        values = json.loads(plain.replace(HOLE, MARK))
    except (ValueError, RecursionError):
        return False
    names = [key for key in MAIN if key in values] or [key for key in values if key not in BESIDE]
    main = {key: values[key] for key in names}
    return MARK in json.dumps(main) and f'"{MARK}' not in json.dumps(main)
