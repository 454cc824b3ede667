"""What commands leave behind on one way through a script: their exit status, and where their output comes from."""

import re
from itertools import pairwise

from gradewright.contract import ARM_KEY
from gradewright.model import AGENT_SCORE, CLOCK, NETWORK, RANDOM, READS_ARM, STDERR_IN_REWARD
from gradewright.read.runner import is_agents, pytest_start
from gradewright.read.shell.decide import FAILURE, tested
from gradewright.read.shell.flows import file_origins
from gradewright.read.shell.programs import HARMLESS_SOURCES, SHELLS
from gradewright.read.shell.state import ALIVE, HOLE, Call, Shell
from gradewright.read.shell.trail import OTHER, SEARCH, SETUP, SUCCESS, TESTS, TOOL, Origin, Question, Trail

ALWAYS_FINE = frozenset({
    ":", "echo", "export", "printf", "set", "shift", "shopt", "sleep", "sync", "tee", "trap", "true", "umask", "unset",
})  # fmt: skip
PREPARING = frozenset({
    ".", "add-apt-repository", "apk", "apt", "apt-get", "cd", "chgrp", "chmod", "chown", "corepack", "dnf", "mkdir",
    "nvm", "popd", "pushd", "rm", "source", "touch", "yum",
})  # fmt: skip
"""Programs whose failure tells nothing about the agent's work."""

INSTALLERS = frozenset({"npm", "pip", "pip3", "pnpm", "poetry", "uv", "yarn"})
INSTALLING = frozenset({"add", "ci", "i", "install", "pip", "sync", "tool", "venv"})
SEARCHING = frozenset({"egrep", "fgrep", "grep", "rg", "zgrep"})
PYTHON = re.compile(r"(?:python|pypy)[\d.]*\Z")
INTERPRETERS = frozenset({"node", "ruby", "perl", "php", "Rscript", "java", "go", "cargo"}) | SHELLS
STAGING = frozenset({"cp", "install", "ln", "mv", "rsync"})
"""Programs that put the task's own files where the agent works; the last word names the place."""

COMPARING = frozenset({"cmp", "comm", "diff"})
COPYING = frozenset({"cat", "echo", "mapfile", "printf", "read", "readarray", "tee"})
"""Programs that hand on all of what they get, error messages included."""

HANDING_ON = frozenset({
    "basename", "bc", "cat", "column", "cp", "cut", "dc", "dd", "echo", "expr", "fold", "head", "install", "ln", "mv",
    "numfmt", "paste", "printf", "read", "rev", "sed", "sort", "tac", "tail", "tee", "tr", "xargs", "mapfile",
    "readarray",
})  # fmt: skip
"""Programs whose output, or copy, is made of their input and their words."""

ARGUMENTS = frozenset({"basename", "bc", "echo", "expr", "jq", "printf"})
"""Those whose words are more than the names of files."""

NO_FILES = frozenset({"basename", "bc", "dc", "echo", "expr", "printf", "read", "tee", "tr", "xargs"})
PLAIN_JQ = re.compile(r"\.[\w.\[\]\"'-]*+(?:\s*+//\s*+[\w.\"]++)?(?:\s*+\|\s*+(?:tostring|tonumber|floor|round))?\Z")
AWK_FIELD = re.compile(r"\{\s*+(?:print|printf[^$]*+)\s*+\(?\$\w++\)?[^{}+*/-]*+\}\Z")
SELECTED = re.compile(r"-[a-zA-Z]*o|--only-matching")
TOOL_PLACES = ("/.", "venv", "/node_modules/", "conda", "/opt/")
"""Parts of paths of programs that were installed, be it below a home folder."""

URL = re.compile(r"https?://([^/:\s\"']+)")
LOCAL = re.compile(r"localhost\Z|127\.|0\.0\.0\.0|\[|[\w-]+\Z|.*\.(?:local|internal)\Z|.*" + HOLE)
NAME = re.compile(r"[A-Za-z_]\w*+")
ON_THE_SPOT = re.compile(r"-[a-zA-Z]*[cemprE]\Z|--(?:eval|print)\Z")
"""Options after which code is given, or the name of a module."""

SPACE = re.compile(r"\s")
FRESH = re.compile(r"-(?:[acm]min|[acm]time)\Z")
RAW = frozenset({"cat", "dd", "head", "hexdump", "od", "shasum", "sha256sum", "tr", "xxd"})
STATUS = re.compile(HOLE + r"\?\d+\Z|\d{1,3}\Z")


def before(shell: Shell, command: Call, program: str) -> None:
    """Work out, before a command has its effects, where what it prints or copies comes from."""
    trail: Trail = shell.trail
    trail.clock += 1
    is_text = program in ARGUMENTS or (
        program in SEARCHING and not any(HOLE in word for word in _files(command, program))
    )
    named = {one for one in trail.flow if is_text or one.what not in (RANDOM, CLOCK)}
    if program in SEARCHING:
        named = {one for one in named if one.what != RANDOM}  # what was input to a test may be looked for
    incoming = {*named, *trail.stdin}
    if program not in COPYING:
        incoming = {one for one in incoming if one.what != STDERR_IN_REWARD}
    flow: set[Origin] = set()
    if program in HANDING_ON or _hands_on(command, program):
        flow = incoming
        if program not in NO_FILES:
            flow.update(origin for word in _files(command, program) for origin in file_origins(shell, word))
    elif program not in SHELLS:
        flow = {origin for origin in incoming if origin.what in (RANDOM, CLOCK)} if program == "awk" else set()
    own = _own_origins(shell, command, program)
    flow.update(own)
    trail.flow = {origin if origin.at else origin._replace(at=command.at) for origin in flow}
    trail.tested = frozenset(own)
    if program in SEARCHING or program in COMPARING:
        trail.tested |= incoming | _fetched(shell, command, program)


def _files(command: Call, program: str) -> list[str]:
    words = [word for word in command.values[1:] if not word.startswith("-")]
    if program in ("cp", "mv", "install", "ln"):
        return words[:-1]
    if program == "dd":
        return [word[3:] for word in words if word.startswith("if=")]
    skipped = 1 if program in ("awk", "gawk", "mawk", "jq", "sed", "yq", *SEARCHING) else 0
    return words[skipped:]


def _fetched(shell: Shell, command: Call, program: str) -> set[Origin]:
    """What a search or a comparison reads that another machine has sent."""
    origins = {origin for word in _files(command, program) for origin in file_origins(shell, word)}
    return {origin for origin in origins if origin.what == NETWORK}


def _hands_on(command: Call, program: str) -> bool:
    words = [word for word in command.values[1:] if not word.startswith("-")]
    first = words[0].strip() if words else ""
    if program in ("jq", "yq"):
        return bool(PLAIN_JQ.match(first)) or (first.startswith("{") and "-n" in "".join(command.values[1:3]))
    if program in ("awk", "gawk", "mawk"):
        return bool(AWK_FIELD.search(first))
    return program in SEARCHING and any(SELECTED.match(word) for word in command.values[1:])


def _own_origins(shell: Shell, command: Call, program: str) -> list[Origin]:
    """What a command brings in by itself."""
    words = command.values[1:]
    if program == "shuf" or (program == "openssl" and words[:1] == ["rand"]):
        return [Origin(RANDOM, program, command.at)]
    if program == "date" and not any(word.startswith(("-d", "--date", "-r", "--reference")) for word in words):
        return [Origin(CLOCK, " ".join(command.values[:2]), command.at)]
    if program == "find" and any(FRESH.match(word) for word in words):
        return [Origin(CLOCK, next(word for word in words if FRESH.match(word)), command.at)]
    if program == "awk" and any("rand()" in word for word in words):
        return [Origin(RANDOM, "rand()", command.at)]
    if program in RAW and any(word.startswith(("/dev/urandom", "/dev/random")) for word in words):
        return [Origin(RANDOM, "/dev/urandom", command.at)]
    if program in ("curl", "wget"):
        hosts = [match[1] for word in words for match in URL.finditer(word)]
        return [Origin(NETWORK, host, command.at) for host in hosts if not LOCAL.match(host)]
    if (program == "jq" or program in SEARCHING) and any(ARM_KEY in word for word in words if word[:1] != "/"):
        return [Origin(READS_ARM, ARM_KEY, command.at)]
    script = _agents_program(shell, command, program)
    return [Origin(AGENT_SCORE, script, command.at)] if script else []


def _agents_program(shell: Shell, command: Call, program: str) -> str:
    """The agent's own program, if that is what the command runs."""
    word = command.values[0] if "/" in command.values[0] else ""
    if not word and (program in INTERPRETERS or PYTHON.match(program)):
        word = _script_of(command.values[1:])
    path = shell.resolve(word) if word else ""
    is_own = any(part in path for part in TOOL_PLACES) or path in shell.files
    is_own = is_own or any(path == place or path.startswith(place + "/") for place in shell.trail.staged)
    return path if is_agents(path) and not is_own and HOLE not in path else ""


def _script_of(words: list[str]) -> str:
    """The file that an interpreter is given; empty if code or a module follows."""
    index = next((index for index, word in enumerate(words) if not word.startswith("-")), len(words))
    if index == len(words) or any(map(ON_THE_SPOT.match, words[:index])) or SPACE.search(words[index]):
        return ""
    return words[index] if "/" in words[index] or "." in words[index] else ""


def after(shell: Shell, command: Call, program: str, script: str | None, *, inline: bool) -> None:
    """Put down the exit status of a command that has been followed, and what it may have done out of sight."""
    _note_effects(shell, command, program, script)
    _note_staged(shell, command, program)
    if inline and program in SHELLS:
        shell.ended = ALIVE
        return
    status = _status(shell, command, program, script, inline=inline)
    if status is not None:
        shell.variables["?"] = status


def _note_effects(shell: Shell, command: Call, program: str, script: str | None) -> None:
    trail: Trail = shell.trail
    own = _agents_program(shell, command, program)
    if program in ("eval", "source", ".") and not command.values[-1].endswith(HARMLESS_SOURCES):
        trail.blind = True
    elif shell.opaque:
        trail.foreign = trail.clock
    if own:
        trail.programs.add(own)
    elif script:
        trail.runs = trail.clock
    if program in FILING:
        FILING[program](shell, command)
    if pytest_start(command.values) is not None:
        trail.named.update(shell.resolve(part) for word in command.values for part in word.split("=")[-1:])
    if program in ("let", "unset"):
        for name in (match[0] for word in command.values[1:] for match in NAME.finditer(word)):
            shell.variables[name] = "" if program == "unset" else HOLE
    if program in ("read", "mapfile", "readarray"):
        trail.origins.update(dict.fromkeys(command.values[1:], frozenset(trail.flow)))


def _note_staged(shell: Shell, command: Call, program: str) -> None:
    sources = [word for word in command.values[1:-1] if word[:1] != "-"]
    if program in STAGING and not any(is_agents(shell.resolve(word)) for word in sources):
        shell.trail.staged.append(shell.resolve(command.values[-1]).rstrip("/"))


def _note_download(shell: Shell, command: Call) -> None:
    """What `curl -o` and `wget -O` fetch stands in the file that they name."""
    words = command.values[1:] if shell.trail.flow else []
    for option, name in pairwise(words):
        if option == "--output-document" or (option[:1] == "-" and option[1:2] != "-" and option[-1:] in ("o", "O")):
            shell.trail.written.setdefault(shell.resolve(name), frozenset(shell.trail.flow))


def _forget(shell: Shell, command: Call) -> None:
    """`rm`: a reward that is gone counts no more."""
    trail: Trail = shell.trail
    for word in command.values[1:]:
        path = shell.resolve(word)
        for reward in list(trail.entries):
            if reward == path or ("*" in path and reward.startswith(path.partition("*")[0])):
                del trail.entries[reward]


FILING = {"curl": _note_download, "rm": _forget, "wget": _note_download}


def _status(shell: Shell, command: Call, program: str, script: str | None, *, inline: bool) -> str | None:
    trail: Trail = shell.trail
    if program in ("exit", "return"):
        trail.left_at = command.at
        trail.left_by = " ".join(shell.source.text(node) for node in command.nodes[:2])
        word = command.values[1] if len(command.values) > 1 else ""
        return (
            word
            if STATUS.match(word)
            else trail.status("ask", question=_question(shell, command, OTHER))
            if word
            else None
        )
    if program in ("break", "continue"):
        return None
    if program in ALWAYS_FINE:
        return SUCCESS
    if program == "false":
        return FAILURE
    if program == "test" or program == "[":
        words = command.values[1:] if program == "test" else command.values[1:-1]
        return tested(shell, trail, words, command.at)
    kind = _kind(command, program, script, inline=inline)
    return trail.status("ask", question=_question(shell, command, kind))


def _kind(command: Call, program: str, script: str | None, *, inline: bool) -> str:
    if pytest_start(command.values) is not None or (script or "").startswith("/tests/") or inline:
        return TESTS
    if program in SEARCHING:
        return SEARCH
    if program in ("hash", "type", "which") or (program == "command" and command.values[1:2] == ["-v"]):
        return TOOL
    if program in PREPARING or (program in INSTALLERS and command.values[1:2] and command.values[1] in INSTALLING):
        return SETUP
    return OTHER


def _question(shell: Shell, command: Call, kind: str) -> Question:
    words = [word for word in command.values[1:] if not word.startswith("-")]
    subject = shell.resolve(words[-1]) if kind == SEARCH and len(words) > 1 else command.values[0]
    trail: Trail = shell.trail
    if kind == SEARCH and (not is_agents(subject) or subject in trail.written or subject in trail.named):
        kind = OTHER
    question = Question(kind, ("run", str(trail.clock)), subject, command.at)
    trail.depends(question, shell.trail.tested)
    return question
