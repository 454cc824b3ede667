"""What programs do besides printing: set the shell's options, change folders, copy and write files, end the script."""

import os.path
import re
from collections.abc import Callable, Iterator

from gradewright.read.shell.inline import shell_code
from gradewright.read.shell.print import PRINTERS
from gradewright.read.shell.programs import PRINTING, SILENT
from gradewright.read.shell.state import ANYTHING, BROKEN, EXITED, HOLE, NOTHING, RETURNED, Call, Outputs, Shell

ENDS = {"exit": EXITED, "return": RETURNED, "break": BROKEN, "continue": BROKEN}
COPY_VALUES = frozenset({"-m", "-o", "-g", "-S", "--mode", "--owner", "--group"})
AWK_STATEMENT = re.compile(r"[^;}\n]++")
INTO_FILE = re.compile(r">[ \t]*+[\"$a-zA-Z(]")
AWK_STARTS = re.compile(r"\bsystem\b|\|\s*+\"")
SED_WRITES = re.compile(r"w\s++/")
IN_PLACE = re.compile(r"-[a-zA-Z]*i|--in-place")
ECHOING = SILENT | PRINTING | {"echo", "printf", "cat", "sed"}


def _set(shell: Shell, command: Call) -> Outputs:
    for index, word in enumerate(command.values[1:], 1):
        turned_on = word.startswith("-")
        if not word.startswith(("-", "+")):
            continue
        option = command.values[index + 1] if word.endswith("o") and index + 1 < len(command.values) else ""
        if "e" in word[1:] or option == "errexit":
            shell.errexit = turned_on
        if option == "pipefail":
            shell.pipefail = turned_on
    return NOTHING


def _end(shell: Shell, command: Call) -> Outputs:
    shell.ended = ENDS.get(command.values[0], shell.ended)  # a file may have the same name
    return NOTHING


def _trap(shell: Shell, command: Call) -> Outputs:
    signals = {word.removeprefix("SIG") for word in command.values[2:]}
    if signals & {"EXIT", "0", "ERR"}:
        if command.values[1] in ("-", ""):
            shell.trap = None
        else:
            shell.trapped = shell.trapped or "ERR" in signals
            shell.trap = command.values[1], command
    return NOTHING


def _cd(shell: Shell, command: Call) -> Outputs:
    target = next((word for word in command.values[1:] if not word.startswith("-")), HOLE)
    shell.cwd = shell.resolve(target)
    return NOTHING


def _copy(shell: Shell, command: Call) -> Outputs:
    words, folder = _operands(command.values[1:])
    if len(words) + bool(folder) < 2:
        shell.opaque = shell.opaque or "-d" not in command.values
        return NOTHING
    *sources, target = [*words, folder + "/"] if folder else words
    for source in sources:
        known = shell.files.get(shell.resolve(source), ANYTHING)
        name = source.rstrip("/").rsplit("/", 1)[-1]
        if "*" in name or "?" in name or not os.path.splitext(name)[1]:  # many files, or most likely a folder
            name = HOLE
        is_folder = target.endswith(("/", "/logs/verifier")) or target == "." or len(sources) > 1
        shell.write(f"{target.rstrip('/')}/{name}" if is_folder else target, known, command.at)
    return NOTHING


def _link(shell: Shell, command: Call) -> Outputs:
    """From here on one file may have two names."""
    shell.opaque = True
    return _copy(shell, command)


def _operands(words: list[str]) -> tuple[list[str], str]:
    """The files that `cp` and its kin are given, and the folder named by `-t`, which comes before them."""
    operands: list[str] = []
    folder = ""
    left = iter(words)
    for word in left:
        if word == "-t":
            folder = next(left, "")
        elif word.startswith("--target-directory="):
            folder = word.partition("=")[2]
        elif word in COPY_VALUES:
            next(left, "")
        elif not word.startswith("-"):
            operands.append(word)
    return operands, folder


def _tee(shell: Shell, command: Call) -> Outputs:
    append = any(word in ("-a", "--append") for word in command.values[1:])
    printed = command.stdin or ANYTHING
    for word in command.values[1:]:
        if not word.startswith("-"):
            shell.write(word, printed, command.at, append=append)
    return printed


def _sed(shell: Shell, command: Call) -> Outputs:
    if any(IN_PLACE.match(word) for word in command.values[1:]):
        shell.write(command.values[-1], ANYTHING, command.at, append=True)
        return NOTHING
    shell.opaque = shell.opaque or any(SED_WRITES.search(word) for word in command.values[1:])
    return ANYTHING


def _awk(shell: Shell, command: Call) -> Outputs:
    words = iter(command.values[1:])
    program = next((word for word in words if not _is_awk_option(word, words)), "")
    if any(word.startswith(("-f", "-i", "-E", "--file", "--exec", "--include")) for word in command.values[1:]):
        shell.opaque = True
    shell.opaque = shell.opaque or HOLE in program or _awk_writes(program)
    return ANYTHING


def _awk_writes(program: str) -> bool:
    """Whether an awk program prints into a file or starts a command."""
    printed = (statement.partition("print")[2] for statement in AWK_STATEMENT.findall(program))
    return AWK_STARTS.search(program) is not None or any(map(INTO_FILE.search, printed))


def _is_awk_option(word: str, following: Iterator[str]) -> bool:
    """Whether `word` is an option; its value, if that is a word of its own, is taken from `following`."""
    if word in ("-F", "-v", "--assign", "--field-separator"):
        next(following, "")
    return word.startswith("-")


def _dd(shell: Shell, command: Call) -> Outputs:
    for word in command.values[1:]:
        if word.startswith("of="):
            shell.write(word[3:], ANYTHING, command.at)
    return ANYTHING


def _read(shell: Shell, command: Call) -> Outputs:
    for word in command.values[1:]:
        if not word.startswith("-"):
            shell.variables[word] = HOLE
    return NOTHING


def _shift(shell: Shell, command: Call) -> Outputs:
    if shell.positional:
        shell.positional = shell.positional[1:] if len(command.values) == 1 else [HOLE]
    return NOTHING


def _xargs(shell: Shell, command: Call) -> Outputs:
    words = command.values[1:]
    harmless = any(word.rsplit("/", 1)[-1] in ECHOING for word in words)
    shell.opaque = shell.opaque or (bool(words) and not harmless)
    return ANYTHING


def _find(shell: Shell, command: Call) -> Outputs:
    for index, word in enumerate(command.values[:-1]):
        if word.startswith(("-exec", "-ok")):
            program = command.values[index + 1].rsplit("/", 1)[-1]
            shell.opaque = shell.opaque or program not in ECHOING
        if word.startswith("-fprint"):
            shell.write(command.values[index + 1], ANYTHING, command.at)
    return ANYTHING


def _su(shell: Shell, command: Call) -> Outputs:
    for index, word in enumerate(command.values[:-1]):
        if word in ("-c", "--command"):
            return shell_code(shell, command.nodes[index + 1], command.values[index + 1])
    shell.opaque = True
    return ANYTHING


EFFECTS: dict[str, Callable[[Shell, Call], Outputs]] = {
    "set": _set, "trap": _trap, "cd": _cd, "pushd": _cd, "cp": _copy, "mv": _copy, "install": _copy, "ln": _link,
    "tee": _tee, "sed": _sed, "gsed": _sed, "awk": _awk, "gawk": _awk, "mawk": _awk, "dd": _dd, "read": _read,
    "mapfile": _read, "readarray": _read, "shift": _shift, "xargs": _xargs, "find": _find, "su": _su,
    "runuser": _su, **dict.fromkeys(ENDS, _end), **PRINTERS,
}  # fmt: skip
