"""The contract block of scaffolded graders: it reads the run and writes the reward, and is not to be edited."""

import re

from gradewright.contract import CONTRACT_STAMPS
from gradewright.finding import Location
from gradewright.model import ContractBlock

CONTRACT_START = re.compile(r"^# --- gradewright contract (\S++) \(sha256:([0-9a-f]{16})\) ---[ \t\r]*+$", re.M)
CONTRACT_END = re.compile(r"^# --- end of gradewright contract ---(?=[ \t\r]*+$)", re.M)


def contract_block(text: str, path: str) -> ContractBlock | None:
    """The block in a script: its place, the version it names, whether its hash still fits and is today's."""
    start = CONTRACT_START.search(text)
    if start is None:
        return None
    at = Location(path, text.count("\n", 0, start.start()) + 1, 1)
    end = CONTRACT_END.search(text, start.end())
    if end is None:
        return ContractBlock(start[1], False, at)
    lines = text[start.end() : end.start()].split("\n")[1:-1]
    intact = _hash([line.rstrip("\r") for line in lines]) == start[2]
    first = _bytes(text[: start.start()])
    last = first + _bytes(text[start.start() : end.end()])
    return ContractBlock(start[1], intact, at, first, last, (start[1], start[2]) in CONTRACT_STAMPS.values())


def contract_span(text: str) -> tuple[int, int] | None:
    """Where the block begins and where its last line ends, in characters; None if one of its marks is missing."""
    start = CONTRACT_START.search(text)
    end = CONTRACT_END.search(text, start.end()) if start else None
    return (start.start(), end.end()) if start and end else None


def _hash(lines: list[str]) -> str:
    from hashlib import sha256

    return sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
