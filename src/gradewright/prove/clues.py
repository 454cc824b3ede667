"""What a grader's own text tells about what it looks for: the way in for changes that only fool it."""

import ast
import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gradewright.contract import AGENT_FOLDERS, TESTS_DIR
from gradewright.model import PYTHON, Grader
from gradewright.prove.edit import content
from gradewright.prove.stage import Stage, listing
from gradewright.prove.subject import Subject
from gradewright.read.contract_block import contract_span
from gradewright.read.grader import read_grader
from gradewright.read.python.facts import parse

MAX_SCRIPTS = 20
MAX_LITERALS = 200
MAX_TARGETS = 4
MAX_NAME = 200
_SCRIPTS = (".py", ".sh", ".bash")
_TYPES = frozenset({
    "c", "cfg", "conf", "cpp", "css", "csv", "geojson", "go", "h", "htm", "html", "ini", "ipynb", "java", "jpeg", "jpg",
    "js", "json", "jsonl", "log", "md", "npy", "parquet", "patch", "pdf", "png", "py", "r", "rb", "rs", "rst", "sh",
    "sql", "sqlite", "svg", "tex", "toml", "ts", "tsv", "txt", "xlsx", "xml", "yaml", "yml", "zip",
})  # fmt: skip
"""Extensions of files that agents are asked for: other names with a dot in a script are mostly no files."""

_ANSWERS = re.compile(r"expect|gold|answer|truth|reference|solution|correct|oracle", re.IGNORECASE)
_QUOTED = re.compile(r"\"((?:[^\"\\\n]|\\.)*+)\"?+|'([^'\n]*+)'?+")
_PATHLIKE = re.compile(r"[\w./-]++")
_PATH_ENTRY = re.compile(r"(?:^|[\s;&])PATH=[\"']?+([^\"'\s;&]++)", re.MULTILINE)
_HERE = ("$PWD", "${PWD}", "$(pwd)", ".")


class Clues(NamedTuple):
    """What the scripts and files beside a grader tell.

    `literals` are texts in its code; `targets` the places of files that it looks for where the agent works; `answers`
    places of files beside it that may hold what it compares with; `modules` those its Python code imports; `searched`
    folders of the agent that its scripts put on PATH.
    """

    literals: tuple[str, ...]
    targets: tuple[str, ...]
    answers: tuple[str, ...]
    modules: tuple[str, ...]
    searched: tuple[str, ...]


def clues(subject: Subject, stage: Stage) -> Clues:
    """What the grader on `stage` tells; nothing of what cannot be read or parsed."""
    names = sorted(listing(stage.path(TESTS_DIR)))
    scripts = [name for name in names if name.endswith(_SCRIPTS)][:MAX_SCRIPTS]
    texts = {name: _own_text(content(stage, f"{TESTS_DIR}/{name}") or b"") for name in scripts}
    literals = _distinct(text for name in scripts for text in _literals(name, texts[name]))
    facts = [found for name in scripts if (found := _facts(stage.path(f"{TESTS_DIR}/{name}")))]
    reads = [path for grader in facts for path in grader.reads]
    words = [word for name in scripts if not name.endswith(".py") for word in _PATHLIKE.findall(texts[name])]
    shipped = {os.path.basename(name) for name in names}
    searched = _distinct(folder for name in scripts for folder in _searched(texts[name], subject.folder))
    return Clues(
        literals=literals[:MAX_LITERALS],
        targets=_distinct(_targets([*reads, *literals, *words], subject.folder, shipped))[:MAX_TARGETS],
        answers=_answers(names, scripts),
        modules=_distinct(item.module for grader in facts if grader.language == PYTHON for item in grader.imports),
        searched=searched,
    )


def _facts(path: str) -> Grader | None:
    return read_grader(path, [], role="helper", native=False)


def _own_text(data: bytes) -> str:
    """A script without the part that a scaffold brought."""
    text = data.decode("utf-8", "replace")
    span = contract_span(text)
    return text[: span[0]] + text[span[1] :] if span else text


def _literals(name: str, text: str) -> Iterator[str]:
    """The texts in a script, documentation left out."""
    tree = parse(text) if name.endswith(".py") else None
    if tree is None:
        for match in _QUOTED.finditer(text):
            yield match[1] or match[2] or ""
        return
    documentation = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documentation:
            value = node.value.decode("utf-8", "replace") if isinstance(node.value, bytes) else node.value
            yield from [value] if isinstance(value, str) else []


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text.strip() and len(text) <= 4096))


def _targets(texts: Iterable[str], folder: str, shipped: set[str]) -> Iterator[str]:
    """The places of files below `folder` among texts that may be paths, except those that lie beside the grader."""
    for text in texts:
        relative = text.removeprefix(f"{folder}/").removeprefix("./")
        extension = os.path.splitext(relative)[1].lower()[1:]
        if len(relative) > MAX_NAME or not _PATHLIKE.fullmatch(relative) or extension not in _TYPES:
            continue
        parts = relative.split("/")
        if not {"", ".", ".."} & set(parts) and parts[-1] not in shipped and not parts[-1].startswith("reward"):
            yield f"{folder}/{relative}"


def _answers(names: list[str], scripts: list[str]) -> tuple[str, ...]:
    """Those that are called like answers first, then other data, then the code itself."""
    data = [name for name in names if name not in scripts and not name.endswith(("Dockerfile", ".toml"))]
    ranked = sorted(data, key=lambda name: _ANSWERS.search(name) is None) + scripts
    return tuple(f"{TESTS_DIR}/{name}" for name in ranked)


def _searched(text: str, folder: str) -> Iterator[str]:
    """The folders of the agent that a shell script puts on PATH."""
    for match in _PATH_ENTRY.finditer(text):
        for entry in match[1].split(":"):
            start, _, rest = entry.partition("/")
            place = f"{folder}/{rest}".rstrip("/") if start in _HERE else entry.rstrip("/")
            if _PATHLIKE.fullmatch(place) and f"{place}/".startswith(tuple(f"{root}/" for root in AGENT_FOLDERS)):
                yield place
