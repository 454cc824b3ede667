"""Which Python packages an image gets, as far as its Dockerfile tells."""

import re
from collections.abc import Iterable, Iterator

from gradewright.model import Packages
from gradewright.read.task.commands import commands_of
from gradewright.read.task.dockerfile import Instruction, flags, words_of

_BARE = re.compile(r"(?:docker\.io/)?(?:library/)?(?:python|debian|ubuntu|alpine)(?::[\w.-]+)?(?:@sha256:[0-9a-f]+)?\Z")
_PIP = re.compile(r"pip(?:3(?:\.\d+)?)?\Z")
_PYTHON = re.compile(r"python(?:3(?:\.\d+)?)?\Z")
_REQUIREMENT = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*+)[ \t]*+(?:\[[^\]]*+\])?[ \t]*+(?:[=<>!~;].*+)?\Z")
_SEPARATORS = re.compile(r"[-_.]+")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


def _named(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WITH_VALUE = _named(
    """-i --index-url --extra-index-url -f --find-links --trusted-host --timeout --retries --cache-dir --progress-bar
    --no-binary --only-binary --upgrade-strategy --python --index --default-index --platform --proxy --log
    --index-strategy --link-mode --use-feature --exclude-newer -c --constraint --root-user-action"""
)
"""Options of `pip install` and `uv pip install` that take the next word, which is then no package."""

_ELSEWHERE = frozenset(["-t", "--target", "--prefix", "--root", "--no-deps", "-e", "--editable", "--group"])
_FILES = ("-r", "--requirement", "--requirements")

_SYSTEM = _named(
    """apt-transport-https asciinema bash build-base build-essential bzip2 ca-certificates clang cmake coreutils curl
    dos2unix expect ffmpeg file findutils fish g++ gawk gcc gdb gettext-base git gnupg gnupg2 gpg grep gzip iproute2
    iputils-ping jq less libc-dev libc6-dev libffi-dev libgl1 libglib2.0-0 libpq-dev libssl-dev libxml2-dev libxslt1-dev
    linux-headers locales lsb-release lsof lua5.4 make musl-dev nano ncat net-tools netcat-openbsd ninja-build nodejs
    npm openssh-client openssh-server openssl p7zip-full patch perl pkg-config postgresql-client procps psmisc python3
    python3-dev python3-minimal python3-pip python3-venv redis-server redis-tools ripgrep rsync ruby sed socat sqlite3
    strace sudo tar time tini tmux tree tzdata unzip util-linux vim wget xxd xz-utils zip zlib1g-dev zsh"""
)
"""Packages of Debian, Ubuntu and Alpine that bring no Python package beyond pip, setuptools and wheel."""

_HARMLESS = _named(
    """: [ ] adduser addgroup cat cd chmod chown cp curl date dpkg-reconfigure echo exit export false find git grep
    groupadd gunzip head id install ln locale-gen ls mkdir mktemp mv node npm npx printf pwd rm rmdir sed set
    sha256sum sleep sort tail tar tee test touch tr true uname unset update-ca-certificates update-locale
    useradd usermod wget which chpasswd gcc g++ make cmake cargo rustc go javac gem bundle mkfifo unzip zip du
    df wc cut awk gawk patch passwd ssh-keygen openssl sqlite3 psql createdb service ldconfig strip sync
    truncate dd yarn pnpm corepack apt-mark apt-key gpg dos2unix chsh visudo if then else elif fi for do done
    case esac while { } ( ) !"""
)
"""Commands that put no package into Python, whatever their arguments are."""


def packages_of(base: str, instructions: Iterable[Instruction]) -> Packages:
    """What `instructions`, those of the last stage and of the stages it builds on, install over the image `base`."""
    names: set[str] = set()
    files: set[str] = set()
    complete = _BARE.match(base) is not None
    for instruction in instructions:
        for word in _installed(instruction):
            if word.startswith("-r "):
                files.add(word[3:])
            elif requirement := _REQUIREMENT.match(word):
                names.add(normalised(requirement[1]))
            else:
                complete = False
    return Packages(frozenset(names), tuple(sorted(files)), complete)


def normalised(name: str) -> str:
    """The name of a package as indexes compare it (PEP 503)."""
    return _SEPARATORS.sub("-", name).lower()


def _installed(instruction: Instruction) -> Iterator[str]:
    """Requirements, `-r FILE` for files of them, and an empty text for everything else that may bring a package."""
    if instruction.name == "RUN":
        for words in commands_of(instruction):
            yield from _by_command(words)
    elif instruction.name == "ENV":
        if re.search(r"(?:\A|\s)(?:PATH|PYTHONPATH|PYTHONHOME|VIRTUAL_ENV)\b", instruction.rest):
            yield ""
    elif instruction.name in ("COPY", "ADD"):
        words = words_of(instruction.rest)
        own = any(name == "from" for name, _ in flags(instruction.rest))
        binary = all(word.rpartition("/")[2] in ("uv", "uvx") for word in words[:-1])
        if not words or "site-packages" in words[-1] or (own and not binary):
            yield ""


def _by_command(words: list[str]) -> Iterator[str]:
    while words and (_ASSIGNMENT.match(words[0]) or words[0] in ("sudo", "exec", "time", "then", "do", "else", "!")):
        if words[0].startswith(("PATH=", "PYTHONPATH=")):
            yield ""
        words = words[1:]
    if not words:
        return
    program, rest = words[0].rpartition("/")[2], words[1:]
    if _PYTHON.match(program) and rest[:2] == ["-m", "pip"]:
        program, rest = "pip", rest[2:]
    if program == "uv" and rest[:1] == ["pip"]:
        program, rest = "pip", rest[1:]
    if _PIP.match(program):
        yield from _by_pip(rest)
    elif program in ("apt-get", "apt", "apk"):
        yield from _by_system(rest)
    elif program == "pipx" or (program == "uv" and rest[:1] in (["tool"], ["cache"], ["python"])):
        return
    elif program not in _HARMLESS and rest not in (["--version"], ["-V"]):
        yield ""


def _by_pip(words: list[str]) -> Iterator[str]:
    while words and words[0].startswith("-"):
        words = words[2 if words[0] in _WITH_VALUE else 1 :]
    if words[:1] != ["install"]:
        if words[:1] in (["uninstall"], ["sync"]):
            yield ""
        return
    rest = iter(words[1:])
    for word in rest:
        option, _, value = word.partition("=")
        if word in _WITH_VALUE:
            next(rest, "")
        elif option in _FILES:
            yield f"-r {value or next(rest, '')}"
        elif option in _ELSEWHERE:
            yield ""
        elif not word.startswith("-"):
            yield word


def _by_system(words: list[str]) -> Iterator[str]:
    wanted = [word.partition("=")[0] for word in words if not word.startswith("-")]
    if wanted[:1] in (["install"], ["add"]) and any(word not in _SYSTEM for word in wanted[1:]):
        yield ""
