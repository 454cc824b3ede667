"""Read `tests/rules/<name>.md`: the specification of one rule, as cases that can be built and checked.

A case is a `##` heading, lines `base: skill|case|task|trial` and `target: harbor|skillevaluator` where wanted, blocks
whose info string is `LANGUAGE PATH [FLAG...]`, and one block `findings` with the exact output of the rule. Blocks whose
info string is `fixed PATH [FLAG...]` hold what these files are after the rule's fixes, unsafe ones included; a fix that
is refused leaves the file as it was. `trials.py` says what the files of `base: trial` mean.

Instead of a language, an info string may start with `remove PATH`, `folder PATH`, `fifo PATH` or `link PATH` (the
content is what the link points at). Flags: `crlf`, `bom`, `latin-1`, `escapes` (the content is read like a Python
string, so that `\\0` is a NUL), `repeat=N` (the content N times), `unended` (no newline at the end).
"""

import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

BASES = Path(__file__).parent / "bases"
RULES = Path(__file__).parent / "rules"
TRIAL = "trial"
"""The base of cases that describe how gradings ended, and have no files of a skill."""

LONG_FIXES = frozenset({"outdated-contract-block"})
"""Rules whose fixed files would take hundreds of lines; `test_fix.py` looks at these."""

ACTIONS = ("remove", "folder", "fifo", "link")
FINDING_LINE = re.compile(r"\S.*?: (?P<code>[A-Z]{2}\d{3}) (note|warning|error) .")
OPENING = re.compile(r"(?P<ticks>`{3,})(?P<info>[^`]*)$")


class Block(NamedTuple):
    """A fenced block: its info string in words, its lines, and the number of its first line (0-based)."""

    info: tuple[str, ...]
    lines: tuple[str, ...]
    start: int

    @property
    def content(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


class Case(NamedTuple):
    """One section of a specification."""

    rule: str
    title: str
    base: str
    target: str
    files: tuple[Block, ...]
    findings: tuple[Block, ...]
    fixed: tuple[Block, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.rule}: {self.title}"

    @property
    def fixable(self) -> bool:
        return any("[fix]" in line or "[unsafe fix]" in line for block in self.findings for line in block.lines)

    @property
    def speaks(self) -> bool:
        return any(line.strip() for block in self.findings for line in block.lines)


class Specification(NamedTuple):
    """All cases of a rule, and the prose around their blocks."""

    rule: str
    cases: tuple[Case, ...]
    prose: str


def read_specification(path: Path) -> Specification:
    """Take a specification apart. Raises ValueError for a block that is never closed."""
    lines = path.read_text(encoding="utf-8").split("\n")
    cases: list[Case] = []
    prose: list[str] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        opening = OPENING.match(line)
        if opening:
            block = _block(path, lines, number, opening)
            if not cases:
                raise ValueError(f"{path}:{number + 1}: a block before the first `##` heading")
            cases[-1] = _with_block(cases[-1], block)
            number = block.start + len(block.lines)
        else:
            prose.append(line)
            if line.startswith("## "):
                cases.append(Case(path.stem, line[3:].strip(), "", "both", (), ()))
            elif cases:
                cases[-1] = _with_option(cases[-1], line)
        number += 1
    return Specification(path.stem, tuple(cases), "\n".join(prose))


def complaints(specification: Specification, code: str) -> list[str]:
    """What keeps `specification` from being one of the rule `code`."""
    cases = specification.cases
    found = [
        (len({case.title for case in cases}) < len(cases), "two cases have the same heading"),
        (not any(case.speaks for case in cases), "no case in which the rule speaks"),
        (not any(case.findings and not case.speaks for case in cases), "no case in which it is silent"),
        ("TODO" in specification.prose, "a TODO is left"),
        (_lacks_fixed(specification), "a fix is offered, and no case has a block `fixed`"),
    ]
    texts = [text for applies, text in found if applies]
    for case in cases:
        if len(case.findings) != 1:
            texts.append(f"`{case.title}` needs exactly one block of findings; empty means silence")
        for block in case.findings:
            texts += filter(None, (_complaint(line, code) for line in block.lines))
    return texts


def _lacks_fixed(specification: Specification) -> bool:
    cases = specification.cases
    fixable = any(case.fixable for case in cases) and specification.rule not in LONG_FIXES
    return fixable and not any(case.fixed for case in cases)


def _complaint(line: str, code: str) -> str | None:
    if not line.strip() or line.startswith(" "):
        return None
    match = FINDING_LINE.match(line)
    if not match:
        return f"not a line of findings: {line}"
    return None if match["code"] == code else f"a finding of another rule: {line}"


def build(case: Case, folder: Path) -> None:
    """Write the files of `case` into `folder`, which does not exist yet."""
    if case.base and case.base != TRIAL:
        shutil.copytree(BASES / case.base, folder)
    else:
        folder.mkdir()
    for block in case.files:
        action, path, *flags = block.info
        target = folder / path
        if action == "remove":
            shutil.rmtree(target) if target.is_dir() else target.unlink()
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if action == "folder":
            target.mkdir()
        elif action == "fifo":
            os.mkfifo(target)
        elif action == "link":
            target.unlink(missing_ok=True)
            target.symlink_to(block.content.strip())
        else:
            target.write_bytes(_encoded(block.content, flags))


def after_fixing(case: Case) -> dict[str, bytes]:
    """What the files named in the blocks `fixed` of `case` have to hold."""
    return {block.info[1]: _encoded(block.content, list(block.info[2:])) for block in case.fixed}


def rewrite(path: Path, title: str, output: str) -> None:
    """Put `output` into the findings block of the case `title`."""
    case = next(case for case in read_specification(path).cases if case.title == title)
    block = case.findings[0]
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[block.start : block.start + len(block.lines)] = output.splitlines()
    path.write_text("\n".join(lines), encoding="utf-8")


def _block(path: Path, lines: list[str], number: int, opening: re.Match[str]) -> Block:
    ticks = opening["ticks"]
    for end in range(number + 1, len(lines)):
        closing = lines[end].rstrip()
        if closing.startswith(ticks) and not closing.strip("`"):
            return Block(tuple(opening["info"].split()), tuple(lines[number + 1 : end]), number + 1)
    raise ValueError(f"{path}:{number + 1}: this block is never closed")


def _with_block(case: Case, block: Block) -> Case:
    if block.info == ("findings",):
        return case._replace(findings=(*case.findings, block))
    if block.info[:1] == ("fixed",) and len(block.info) > 1:
        return case._replace(fixed=(*case.fixed, block))
    if len(block.info) < 2:
        raise ValueError(f"{case.id}: the block `{' '.join(block.info)}` names no file")
    return case._replace(files=(*case.files, block))


def _with_option(case: Case, line: str) -> Case:
    key, separator, value = line.partition(": ")
    if separator and key in ("base", "target"):
        return case._replace(**{key: value.strip()})
    return case


def _encoded(content: str, flags: list[str]) -> bytes:
    for flag in flags:
        if flag == "unended":
            content = content.removesuffix("\n")
        elif flag == "escapes":
            content = content.encode("latin-1", "backslashreplace").decode("unicode_escape")
        elif flag == "crlf":
            content = content.replace("\n", "\r\n")
        elif flag == "bom":
            content = "\ufeff" + content
        elif flag.startswith("repeat="):
            content *= int(flag.removeprefix("repeat="))
        elif flag != "latin-1":
            raise ValueError(f"no such flag: `{flag}`")
    return content.encode("latin-1" if "latin-1" in flags else "utf-8", "surrogateescape")
