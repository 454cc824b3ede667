"""Which influences on a score a script can have at all, told by the words in it."""

import re

from gradewright.contract import ARM_KEY
from gradewright.read.contract_block import contract_block, contract_span
from gradewright.read.python.reward import Judge
from gradewright.read.python.trace import FLIPPED, LOOSE, MATCHED, TESTED

SERVICES = "requests|httpx|aiohttp|url|socket|http|openai|anthropic|litellm|cohere|mistral|groq|together|google"
FLOORS = (
    (LOOSE, re.compile(SERVICES)),
    (LOOSE, re.compile(rf"{ARM_KEY}|listdir|scandir|iterdir|glob|\b(?:frozen)?set\b|union|intersection|difference")),
    (MATCHED, re.compile(r"\b(?:time|timeit|datetime|date|Timestamp)\b")),
    (TESTED, re.compile(r"random|secrets|uuid|\bhash\b")),
)
"""What a script has to name for an influence of this closeness to matter; the agent's own number matters always."""


def floor_of(judge: Judge) -> int:
    """The least closeness that matters; what an untouched contract block names is known, and no influence."""
    text, first, last = judge.text, 0, 0
    block = contract_block(text, judge.file)
    span = contract_span(text) if block and block.intact else None
    if span:
        first, last = (text.count("\n", 0, place) + 1 for place in span)
        text = text[: span[0]] + text[span[1] :]
    if any(not first <= line <= last for line in judge.resolver.program.sets):
        return LOOSE
    return next((floor for floor, words in FLOORS if words.search(text)), FLIPPED)
