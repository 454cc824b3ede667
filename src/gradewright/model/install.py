"""Commands that fetch something from another machine."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gradewright.model.grader import Run

Words = tuple[str | None, ...]


class Download(NamedTuple):
    """A command that needs the network: how it is called in a message, and what it fetches in no certain version."""

    shown: str
    unpinned: tuple[str, ...] = ()


_PYTHON = re.compile(r"(?:python|pypy)[\d.]*\Z")
_PIP = re.compile(r"pip[\d.]*\Z")
_SYSTEM = {"apt": "install", "apt-get": "install", "apk": "add", "dnf": "install", "yum": "install"}
"""Package managers of the system, whose versions are given with the image; nobody pins them."""

_NODE = {"npm": ("add", "ci", "i", "install"), "pnpm": ("add", "i", "install"), "yarn": ("add", "install")}
_OTHERS = {"cargo": "install", "conda": "install", "gem": "install", "go": "install", "mamba": "install"}
_FETCHERS = ("curl", "wget")
_URL = re.compile(r"(?:https?|ftp|git|ssh)://(?:[^@/]*@)?([^/:]++)|git@([^:]++):")
_HERE = re.compile(r"localhost|127\..*|0\.0\.0\.0|\[.*|[^.]*|.*\.(?:local|internal|localhost)")
"""Hosts that are this machine or a service beside it."""

_OFFLINE = frozenset({
    "--no-index", "--offline", "--prefer-offline", "--no-download", "--find-links", "-f", "--index-url", "-i",
    "--default-index", "--registry", "--dry-run",
})  # fmt: skip
"""Options with which a package may come from somewhere else than the public index."""

_VALUES = frozenset({
    "--cache-dir", "--constraint", "--directory", "--editable", "--extra-index-url", "--group", "--index",
    "--only-binary", "--no-binary", "--prefix", "--progress-bar", "--project", "--proxy", "--python", "--requirement",
    "--retries", "--root", "--target", "--timeout", "--trusted-host", "--upgrade-strategy", "--with-editable",
    "--with-requirements", "-c", "-e", "-p", "-r", "-t",
})  # fmt: skip
_LISTED = frozenset({"--constraint", "--requirement", "--with-requirements", "-c", "-r"})
"""Options that name a file in which versions may be given."""

_TOOLING = frozenset({"pip", "setuptools", "wheel", "uv"})
_PINNED = re.compile(r"==|~=|@|\s@\s|[/\\]|\.whl\b|\.tar\.gz\b")


def download(run: Run) -> Download | None:
    """What `run` fetches; None for a command that needs no network, or of which that cannot be told."""
    words = run.words
    if words and _PYTHON.match(_name(words[0])) and words[1:2] == ("-m",):
        words = words[2:]
    if not words or words[0] is None:
        return None
    program, rest = _name(words[0]), words[1:]
    if program in _FETCHERS or (program == "git" and rest[:1] == ("clone",)):
        return Download(f"{program} clone" if program == "git" else program) if _is_remote(rest) else None
    if _OFFLINE & {(word or "").partition("=")[0] for word in rest}:
        return None
    return _installed(program, rest)


def _installed(program: str, rest: Words) -> Download | None:
    verb, given = _verb(rest)
    if program in _SYSTEM:
        return Download(f"{program} {verb}") if verb == _SYSTEM[program] and _fetched(given) else None
    if program == "uv" and verb in ("pip", "tool"):
        program = "pip" if verb == "pip" else "uvx"
        verb, given = _verb(given)
        program, verb = ("pip", verb) if program == "pip" or verb == "install" else ("uvx", verb)
        return _python(f"uv {rest[0]} {verb}", given) if program == "pip" and verb == "install" else _uvx(given, verb)
    if (_PIP.match(program) or program == "pipx") and verb == "install":
        return _python(f"{program} install", given)
    if program == "uv" and verb == "add":
        return _python("uv add", given)
    if program == "uvx":
        return _uvx(rest, "run")
    if verb in _NODE.get(program, ()) and (verb == "ci" or _fetched(given)):
        return Download(f"{program} {verb}", tuple(_loose_node(given)))
    if _OTHERS.get(program) == verb and verb:
        return Download(f"{program} {verb}", tuple(_loose_others(program, given)))
    return None


def _python(shown: str, given: Words) -> Download | None:
    packages = [word for word in _fetched(given) if not re.match(r"[./~]|.*\.whl\Z", word)]
    listed = bool(_LISTED & set(given))
    if not packages and not listed:
        return None
    return Download(shown, () if listed else tuple(_loose(packages)))


def _uvx(given: Words, verb: str) -> Download | None:
    """`uvx --with a==1 b`: the options end at the command, which is a package itself unless `--from` names it."""
    if verb != "run":
        return None
    packages: list[str] = []
    source = ""
    index = 0
    while index < len(given) and (given[index] or "-").startswith("-"):
        option, _, value = (given[index] or "").partition("=")
        if not value and (option in _VALUES or option in ("--from", "--with", "-w")):
            index += 1
            value = (given[index] if index < len(given) else None) or ""
        if option == "--from":
            source = value
        elif option in ("--with", "-w"):
            packages += value.split(",")
        index += 1
    command = given[index] if index < len(given) else None
    if command is None:
        return None
    names = {_plain_name(package) for package in packages}
    packages += [source] if source else [command] if _plain_name(command) not in names else []
    listed = bool(_LISTED & set(given[:index]))
    return Download("uvx", () if listed else tuple(_loose(packages)))


def _loose(packages: list[str]) -> Iterator[str]:
    for package in packages:
        name = _plain_name(package)
        if name and name not in _TOOLING and not _PINNED.search(package):
            yield package


def _loose_node(given: Words) -> Iterator[str]:
    for package in _fetched(given):
        version = package[1:].partition("@")[2]
        if version in ("", "latest", "next") and not package.startswith((".", "/")) and ":" not in package:
            yield package


def _loose_others(program: str, given: Words) -> Iterator[str]:
    if {"--version", "-v", "--file", "--path", "--git"} & set(given):
        return
    for package in _fetched(given):
        if package.endswith("@latest") if program == "go" else not re.search(r"[=@:/]", package):
            yield package


def _fetched(given: Words) -> list[str]:
    """The words that are no options, nor values of such."""
    found = []
    for before, word in zip((None, *given), given, strict=False):
        if word and not word.startswith("-") and before not in _VALUES:
            found.append(word)
    return found


def _verb(rest: Words) -> tuple[str, Words]:
    """The first word that is no option nor setting, and what follows it."""
    for index, word in enumerate(rest):
        if word is None:
            break
        if not word.startswith("-") and "=" not in word:
            return word, rest[index + 1 :]
    return "", ()


def _is_remote(words: Words) -> bool:
    hosts = [match for word in words if word and (match := _URL.match(word))]
    return any(not _HERE.fullmatch((match[1] or match[2]).lower()) for match in hosts)


def _name(word: str | None) -> str:
    return (word or "").rpartition("/")[2]


def _plain_name(package: str) -> str:
    match = re.match(r"[A-Za-z0-9][\w.-]*", package)
    return match[0].lower().replace("_", "-") if match else ""
