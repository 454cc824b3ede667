"""Judge a text that goes into a reward file, as far as it is known: unknown parts are NULs."""

import json
import math
import re
from typing import Any, NamedTuple

from gradewright.contract import REWARD_JSON, REWARD_TXT

HOLE = "\0"
UNKNOWN = HOLE * 2
FILLER = '"\\u0000\\u0000"'
NOT_METRICS = frozenset({"overall", "details", "custom_metrics", "metrics"})
NUMBER = re.compile(r"[+-]?(\d[\d_]*+(\.[\d_]*+)?+|\.\d[\d_]*+)([eE][+-]?\d++)?+\Z")
NON_FINITE = re.compile(r"[+-]?(inf(inity)?|nan)\Z", re.I)
IN_NUMBERS = re.compile(r"[\s\d+\-._eEinfatyINFATY]*+\Z")
STRING = re.compile(r'"(?:[^"\\]++|\\.|\\\Z)*+(?:"|\Z)', re.S)
BROKEN = re.compile(r"\A\s*\{\s*[^\"}\s\0]|,\s*\}\s*\Z")
"""No JSON, whatever stands in the unknown parts: a key without double quotes comes first, or a comma last."""

MAX_LITERAL = 40


class Verdict(NamedTuple):
    """`bad` are pairs of a reason and the literal; `metrics` pairs of a name and whether it is nested."""

    shape: str = "unknown"
    bad: tuple[tuple[str, str], ...] = ()
    metrics: tuple[tuple[str, bool], ...] = ()
    is_reward: bool = False


class Literal(NamedTuple):
    """A number as it is spelt in JSON."""

    text: str


def judge(path: str | None, text: str) -> Verdict:
    """The shape of `text`, what in it no platform takes, and the metrics it names.

    Only a text that goes to one of the two reward files is ever bad.
    """
    if path == REWARD_TXT:
        return _judge_number(text)
    verdict = _judge_json(text, path == REWARD_JSON)
    return verdict if path == REWARD_JSON else verdict._replace(bad=())


def _judge_number(text: str) -> Verdict:
    literal = text.strip()
    shown = literal.replace(HOLE, "…")[:MAX_LITERAL]
    if HOLE in literal:
        strange = not IN_NUMBERS.match(literal.replace(HOLE, ""))
        return Verdict("text", (("non-numeric", shown),) if strange else ())
    if NON_FINITE.match(literal):
        return Verdict("text", (("non-finite", shown),))
    if not NUMBER.match(literal):
        return Verdict("text", (("non-numeric", shown),) if literal else ())
    return Verdict("text", _range(literal))


def _range(literal: str) -> tuple[tuple[str, str], ...]:
    value = float(literal[:400])
    if not math.isfinite(value):
        return (("non-finite", literal[:MAX_LITERAL]),)
    return () if 0 <= value <= 1 else (("out-of-range", literal[:MAX_LITERAL]),)


def _judge_json(text: str, is_reward: bool) -> Verdict:
    if text.lstrip().startswith("```"):
        return Verdict("unknown", (("not-json", "```"),))
    try:
        value = json.loads(_filled(text), parse_int=Literal, parse_float=Literal, parse_constant=Literal)
    except (ValueError, RecursionError):
        known = bool(text.strip()) and (HOLE not in text or bool(BROKEN.search(text)))
        shown = text.strip().split("\n")[0].replace(HOLE, "…")[:MAX_LITERAL]
        return Verdict("unknown", (("not-json", shown),) if known else ())
    if isinstance(value, dict):
        return _judge_object(value)
    if value == UNKNOWN or not is_reward:
        return Verdict()
    return Verdict("unknown", (("not-json", text.strip()[:MAX_LITERAL]),))


def _judge_object(value: dict[str, Any]) -> Verdict:
    custom = value.get("custom_metrics")
    nested = any(isinstance(item, dict | list) for item in value.values())
    uncertain = not nested and any(value.get(key) == UNKNOWN for key in NOT_METRICS - {"overall"})
    bad: list[tuple[str, str]] = []
    for key, item in value.items():
        if key not in NOT_METRICS - {"overall"}:
            bad.extend(_judge_value(item))
    names = [(key, False) for key in value if key not in NOT_METRICS and HOLE not in key]
    if isinstance(custom, dict):
        names += [(key, True) for key in custom if HOLE not in key]
        for item in custom.values():
            bad.extend(_judge_value(item))
    shape = "nested" if nested else "unknown" if uncertain else "flat"
    return Verdict(shape, tuple(dict.fromkeys(bad)), tuple(names), "overall" in value or "custom_metrics" in value)


def _judge_value(value: Any) -> tuple[tuple[str, str], ...]:
    if isinstance(value, bool):
        return (("boolean", str(value).lower()),)
    if isinstance(value, Literal):
        return (("non-finite", value.text),) if "a" in value.text or "y" in value.text else _range(value.text)
    if value is None:
        return (("non-numeric", "null"),)
    if isinstance(value, str) and value != UNKNOWN:
        shown = json.dumps(value.replace(HOLE, "…"), ensure_ascii=False)
        return (("non-numeric", shown[:MAX_LITERAL]),)
    return ()


def _filled(text: str) -> str:
    """`text` with each unknown part outside of a string made the string UNKNOWN."""
    if HOLE not in text:
        return text
    parts, position = [], 0
    for match in STRING.finditer(text):
        parts.append(text[position : match.start()].replace(HOLE, FILLER))
        parts.append(match.group().replace(HOLE, "\\u0000"))
        position = match.end()
    parts.append(text[position:].replace(HOLE, FILLER))
    return "".join(parts)
