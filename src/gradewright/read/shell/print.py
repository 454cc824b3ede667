"""What commands print, as far as it can be told: `echo`, `printf`, `cat`, `dirname`, `jq` and the like."""

import os.path
import re
from collections.abc import Callable, Iterator

from gradewright.read.shell.state import ANYTHING, HOLE, NOTHING, Call, Output, Outputs, Shell
from gradewright.read.shell.words import unescaped

CONVERSION = re.compile(r"%(%|[-+ #0]*\d*(?:\.\d+)?[a-zA-Z])")
ECHO_OPTION = re.compile(r"-[neE]+\Z")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?\Z")
JQ_VALUES = {"--arg": 2, "--argjson": 2, "--slurpfile": 2, "--rawfile": 2, "--indent": 1, "-f": 1, "--from-file": 1}
JQ_PART = re.compile(
    r'\s+|"(?:[^"\\]++|\\.|\\\Z)*+(?:"|\Z)|[{}\[\]:,]|-?\d+(?:\.\d+)?|\$?[A-Za-z_][A-Za-z_0-9]*|.', re.S
)


def _printed(shell: Shell, command: Call, text: str, index: int = 1) -> Outputs:
    node = command.nodes[index] if index < len(command.nodes) else None
    return (Output(text, shell.source, node),)


def _echo(shell: Shell, command: Call) -> Outputs:
    index, escapes, newline = 1, False, "\n"
    while index < len(command.values) and ECHO_OPTION.match(command.values[index]):
        newline = "" if "n" in command.values[index] else newline
        escapes = escapes or "e" in command.values[index]
        index += 1
    text = " ".join(command.values[index:])
    return _printed(shell, command, (unescaped(text) if escapes else text) + newline, index)


def _printf(shell: Shell, command: Call) -> Outputs:
    values = command.values[1:]
    if values[:1] == ["-v"]:
        if len(values) > 1:
            shell.variables[values[1]] = HOLE
        return NOTHING
    if values[:1] == ["--"]:
        values = values[1:]
    if not values:
        return ANYTHING
    form, *arguments = values
    form = unescaped(form)
    conversions = sum(match[1] != "%" for match in CONVERSION.finditer(form))
    rounds = -(-len(arguments) // conversions) if conversions and arguments else 1
    left = iter(arguments)
    text = "".join(CONVERSION.sub(lambda match: _converted(match[1], left), form) for _ in range(min(rounds, 50)))
    return _printed(shell, command, text, 1 if CONVERSION.sub("", form).strip() or len(values) < 2 else 2)


def _converted(conversion: str, left: Iterator[str]) -> str:
    if conversion == "%":
        return "%"
    value = next(left, "")
    if HOLE in value:
        return HOLE if conversion != "s" else value
    if conversion == "s":
        return value
    if conversion == "b":
        return unescaped(value)
    return _number(conversion, value)


def _number(conversion: str, value: str) -> str:
    kind = conversion[-1]
    if not NUMBER.match(value) or len(conversion) > 8 or kind not in "dfgei":
        return HOLE
    try:
        return f"%{conversion}" % (int(value) if kind in "di" else float(value))
    except ValueError:
        return HOLE


def _cat(shell: Shell, command: Call) -> Outputs:
    files = [word for word in command.values[1:] if word == "-" or not word.startswith("-")]
    if files in ([], ["-"]) and len(files) == len(command.values) - 1:
        return command.stdin or ANYTHING
    return shell.files.get(shell.resolve(files[0]), ANYTHING) if len(files) == 1 else ANYTHING


def _dirname(shell: Shell, command: Call) -> Outputs:
    path = command.values[-1]
    if len(command.values) < 2 or (HOLE in path and "/" not in path):
        return ANYTHING
    return _printed(shell, command, f"{os.path.dirname(path) or '.'}\n")


def _basename(shell: Shell, command: Call) -> Outputs:
    path = command.values[1] if len(command.values) == 2 else HOLE
    return _printed(shell, command, f"{os.path.basename(path.rstrip('/'))}\n")


def _pwd(shell: Shell, command: Call) -> Outputs:
    return _printed(shell, command, f"{shell.cwd or HOLE}\n")


def _realpath(shell: Shell, command: Call) -> Outputs:
    path = shell.resolve(command.values[-1])
    return _printed(shell, command, f"{path if path.startswith('/') else HOLE}\n")


def _mktemp(shell: Shell, command: Call) -> Outputs:
    """A name that nobody else uses: it can be told from others, but not what it is."""
    shell.steps += 1
    return _printed(shell, command, f"/tmp/{HOLE}{shell.steps}\n")  # noqa: S108


def _jq(shell: Shell, command: Call) -> Outputs:
    """The object that a jq program builds, where the whole program is nothing but that object."""
    index = 1
    while index < len(command.values) and command.values[index].startswith("-"):
        index += 1 + JQ_VALUES.get(command.values[index], 0)
    program = command.values[index].strip() if index < len(command.values) else ""
    if not program.startswith("{") or not program.endswith("}"):
        return ANYTHING
    text = _jq_object(JQ_PART.findall(program))
    return _printed(shell, command, text, index) if text else ANYTHING


def _jq_object(symbols: list[str]) -> str:
    """A jq object construction as JSON with HOLEs; empty when it is more than that."""
    found = [symbol for symbol in symbols if not symbol.isspace()]
    parts: list[str] = []
    expecting = [""]
    index = 0
    while index < len(found):
        symbol = found[index]
        if symbol == "{":
            parts.append(symbol)
            expecting.append("key")
        elif symbol == "}":
            parts.append(symbol)
            expecting.pop()
        elif symbol == ",":
            parts.append(symbol)
        elif index + 1 < len(found) and found[index + 1] == ":":
            parts.append((symbol if symbol.startswith('"') else f'"{symbol}"') + ":")
            value, index = _jq_value(found, index + 2)
            parts.append(value)
            continue
        else:
            return ""
        index += 1
    return "".join(parts) if expecting == [""] else ""


def _jq_value(symbols: list[str], index: int) -> tuple[str, int]:
    """The value that starts at `index`, and where it ends: a literal, or a HOLE for what is worked out."""
    if symbols[index : index + 1] == ["{"]:
        return "", index
    start, depth = index, 0
    while index < len(symbols) and (depth or symbols[index] not in ",}"):
        depth += (symbols[index] in "([{") - (symbols[index] in ")]}")
        index += 1
    value = "".join(symbols[start:index])
    is_literal = NUMBER.match(value) or value in ("true", "false", "null") or (index == start + 1 and value[0] == '"')
    return value if is_literal and "\\(" not in value else HOLE, index


PRINTERS: dict[str, Callable[[Shell, Call], Outputs]] = {
    "echo": _echo,
    "printf": _printf,
    "cat": _cat,
    "dirname": _dirname,
    "basename": _basename,
    "pwd": _pwd,
    "realpath": _realpath,
    "readlink": _realpath,
    "mktemp": _mktemp,
    "jq": _jq,
}
