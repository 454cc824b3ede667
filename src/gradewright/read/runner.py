"""Where test runners look for tests and settings, told from their command line and the folder they are started in."""

import posixpath
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gradewright.contract import AGENT_FOLDERS

PYTEST = frozenset({"py.test", "pytest"})
STARTERS = frozenset({"uvx", "pipx"})
SHORT_VALUES = frozenset("ckmnoprW")
LONG_VALUES = frozenset({
    "--assert", "--basetemp", "--benchmark-json", "--capture", "--color", "--cov-config", "--cov-report", "--ctrf",
    "--deselect", "--dist", "--durations", "--durations-min", "--html", "--ignore", "--ignore-glob", "--import-mode",
    "--json-report-file", "--junit-prefix", "--junit-xml", "--junitxml", "--log-cli-level", "--log-file",
    "--log-level", "--max-worker-restart", "--maxfail", "--maxprocesses", "--override-ini", "--pastebin",
    "--report-log", "--reruns", "--reruns-delay", "--show-capture", "--tb", "--timeout", "--timeout-method",
    "--verbosity", "--numprocesses", "--random-order-seed", "--rootdir", "--confcutdir", "--config-file",
})  # fmt: skip
"""Options of pytest and its frequent plugins whose value may be a word of its own."""

APART = ("--noconftest", "--confcutdir", "--rootdir", "--config-file", "-c", "--pyargs", "--version", "--help", "-h")
"""Options of those who care where settings come from, and of those who run no test."""

Words = Sequence[str | None]


class Collection(NamedTuple):
    """What a test runner is told to collect: its paths, and whether the author said where settings come from."""

    paths: tuple[str | None, ...]
    apart: bool = False


def is_agents(path: str) -> bool:
    """Whether the agent works in the folder, or the file, at the absolute `path`."""
    return any(path == folder or path.startswith(folder + "/") for folder in AGENT_FOLDERS)


def agents_folder(words: Words, cwd: str | None) -> str | None:
    """The place from which pytest takes settings that the agent can write; None if there is none or it cannot be told.

    `words` is the whole command, `cwd` the folder it is started in: empty for that of the image, None if unknown. The
    answer is a folder, or a dot for the folder of the image.
    """
    start = pytest_start(words)
    if start is None:
        return None
    collection = _collection(words[start + 1 :])
    if collection.apart:
        settings = _settings_file(words[start + 1 :])
        return next(_agents_paths((settings,), cwd and posixpath.normpath(cwd)), None) if settings else None
    return next(_agents_paths(collection.paths or (".",), cwd), None)


def pytest_start(words: Words) -> int | None:
    """The position of the word `pytest` in a command that starts it, be it as a module or by a runner."""
    for position, word in enumerate(words):
        program = (word or "").rpartition("/")[2]
        is_module = position > 0 and words[position - 1] == "-m"
        if program in PYTEST and (position == 0 or is_module or words[0] in STARTERS):
            return position
    return None


def is_shadowed(words: Words) -> bool:
    """Whether Python looks for the module that `words` run in the current folder first: `python -m`, without `-P`."""
    program = (words[0] or "").rpartition("/")[2] if words else ""
    if not program.startswith(("python", "pypy")):
        return False
    for word in words[1:]:
        if word is None or not word.startswith("-") or word.startswith("--"):
            return False
        if "P" in word or "I" in word:
            return False
        if word.endswith("m"):
            return True
    return False


def discovery_folder(words: Words, cwd: str | None) -> str | None:
    """The agent's folder in which `python -m unittest` looks for tests by itself; None as for `agents_folder`."""
    if "unittest" not in words or words[words.index("unittest") - 1] != "-m":
        return None
    rest = list(words[words.index("unittest") + 1 :])
    if rest and rest[0] != "discover":
        return None
    start: str | None = "."
    for position, word in enumerate(rest[1:], 1):
        if word is None:
            return None
        before = rest[position - 1]
        if before in ("-s", "--start-directory") or (position == 1 and not word.startswith("-")):
            start = word
    return next(_agents_paths((start,), cwd), None)


def _collection(words: Words) -> Collection:
    paths: list[str | None] = []
    left = iter(words)
    for word in left:
        if word is None:
            return Collection((None,))
        name = word.partition("=")[0]
        if name in APART or (word.startswith("-c") and not word.startswith("--")):
            return Collection((), apart=True)
        if not word.startswith("-") or word == "-":
            paths.append(word.partition("::")[0])
        elif _takes_next(word):
            next(left, None)
    return Collection(tuple(paths))


def _settings_file(words: Words) -> str | None:
    """The file that `-c` names; None if there is none or it cannot be told."""
    for word, following in zip(words, (*words[1:], None), strict=True):
        if word in ("-c", "--config-file"):
            return following
        if word and word.startswith(("-c", "--config-file=")):
            return word.partition("=")[2] if word.startswith("--") else word[2:].removeprefix("=")
    return None


def _takes_next(option: str) -> bool:
    if option.startswith("--"):
        return option in LONG_VALUES
    return len(option) == 2 and option[1] in SHORT_VALUES


def _agents_paths(paths: Sequence[str | None], cwd: str | None) -> Iterator[str]:
    for path in paths:
        if path is None:
            return
        if path.startswith("/"):
            if is_agents(posixpath.normpath(path)):
                yield posixpath.normpath(path)
        elif cwd is None:
            return
        elif not cwd:
            yield from () if path.startswith("..") else (".",)
        elif is_agents(posixpath.normpath(posixpath.join(cwd, path))):
            yield cwd
