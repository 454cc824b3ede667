"""What the words of a shell script stand for, as far as it can be told."""

import os.path
import re
from collections.abc import Callable
from typing import Any

from gradewright.contract import ENVIRONMENT
from gradewright.read.shell.flows import variable_origins
from gradewright.read.shell.state import HOLE, Shell, only

ESCAPE = re.compile(r"\\(\n|.)", re.S)
IN_QUOTES = re.compile(r"\\([$`\"\\\n])")
ANSI = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|.)", re.S)
ANSI_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "E": "\x1b"}
MAX_VALUE = 1 << 16
"""Characters. Nothing needs a longer value, and one that doubles itself must not grow for ever."""

MAX_WORDS = 50
"""More words than this from one are not told apart."""

TRUSTED_DEFAULTS = ("/logs", "/tests")
ITSELF = frozenset({"0", "BASH_SOURCE", "BASH_SOURCE[0]"})


def unescaped(text: str) -> str:
    """`$'...'`, the format of printf and `echo -e`, without their backslashes."""
    return ANSI.sub(_escape, text) if "\\" in text else text


def _escape(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "xu" and len(code) > 1:
        return chr(int(code[1:], 16)) or HOLE
    if code[0] in "01234567":
        return chr(int(code, 8) & 0xFF)
    return ANSI_LETTERS.get(code, code if code in "\\'\"?" else "\\" + code)


def value(shell: Shell, node: Any) -> str:
    """The text that `node` stands for, with HOLEs."""
    reader = READERS.get(node.type)
    if reader:
        text = reader(shell, node)
        return text if len(text) <= MAX_VALUE else HOLE
    if node.child_count == 0:
        return shell.source.text(node)
    shell.opaque = shell.opaque or node.type == "ERROR"
    return HOLE


def words_of(shell: Shell, node: Any) -> list[str]:
    """The words that `node` stands for: several where braces outside of quotes list alternatives."""
    if node.type != "concatenation" or not any(child.text == b"{" for child in node.children):
        return [value(shell, node)]
    words = [""]
    group: list[str] | None = None
    for child in node.children:
        text = value(shell, child)
        if child.text == b"{":
            group = [] if group is None else [HOLE]
        elif child.text == b"}" and group is not None:
            words = [word + one for word in words for one in _alternatives(group)][: MAX_WORDS + 1]
            group = None
        elif group is None:
            words = [word + text for word in words]
        else:
            group.append(text if child.type == "word" or "," not in text else HOLE)
    return words if group is None and len(words) <= MAX_WORDS else [HOLE]


def _alternatives(group: list[str]) -> list[str]:
    """What braces with `group` between them stand for; without a comma they are letters like others."""
    text = "".join(group)
    if HOLE in text or len(text) > MAX_VALUE:
        return [HOLE]
    return text.split(",") if "," in text else ["{" + text + "}"]


def _word(shell: Shell, node: Any) -> str:
    text = shell.source.text(node)
    if text.startswith("~"):
        return HOLE + text[1:]
    return ESCAPE.sub(lambda m: "" if m[1] == "\n" else m[1], text) if "\\" in text else text


def _raw(shell: Shell, node: Any) -> str:
    return shell.source.text(node)[1:-1]


def _ansi(shell: Shell, node: Any) -> str:
    return unescaped(shell.source.text(node)[2:-1])


def _string(shell: Shell, node: Any) -> str:
    return _filled(shell, node, 1 if node.type == "string" else 2, 1)


def _heredoc(shell: Shell, node: Any) -> str:
    return _filled(shell, node, 0, 0)


def _filled(shell: Shell, node: Any, skip_start: int, skip_end: int) -> str:
    """A text in which expansions are filled in. Its plain parts are cut from the source: the tree loses blanks."""
    parts = []
    position = node.start_byte + skip_start
    for child in node.named_children:
        if child.type in EXPANSIONS:
            parts.append(_plain(shell, position, child.start_byte))
            parts.append(value(shell, child))
            position = child.end_byte
        elif child.type == "ERROR":
            shell.opaque = True
    parts.append(_plain(shell, position, node.end_byte - skip_end))
    return "".join(parts)


def _plain(shell: Shell, start: int, end: int) -> str:
    text = shell.source.data[start:end].decode("utf-8", "replace")
    return IN_QUOTES.sub(lambda m: "" if m[1] == "\n" else m[1], text) if "\\" in text else text


def _concatenation(shell: Shell, node: Any) -> str:
    return "".join(value(shell, child) for child in node.children)


def _variable(shell: Shell, node: Any) -> str:
    return lookup(shell, shell.source.text(node)[1:])


def _expansion(shell: Shell, node: Any) -> str:
    """`${NAME}` and its forms with a default; others, which cut or replace, are not worked out."""
    children = node.children
    if len(children) < 3 or not children[1].is_named:
        return HOLE
    name = shell.source.text(children[1])
    if len(children) == 3:
        return lookup(shell, name)
    operator = children[2].type
    if operator in (":-", "-", ":=", "="):
        default = "".join(value(shell, child) for child in children[3:-1])
        text = _or_default(shell, name, default)
        if operator in (":=", "="):
            shell.variables[name] = text
        return text
    return lookup(shell, name) if operator in (":?", "?") else HOLE


def _substitution(shell: Shell, node: Any) -> str:
    return only(shell.run(shell, node)).rstrip("\n")


def _process(shell: Shell, node: Any) -> str:
    shell.run(shell, node)
    return HOLE


def _arithmetic(shell: Shell, node: Any) -> str:
    """A sum is worked out on a single way only; the commands in it run all the same."""
    pending = node.named_children[::-1]
    while pending:
        child = pending.pop()
        if child.type == "command_substitution":
            shell.run(shell, child)
        elif child.named_child_count:
            pending += child.named_children[::-1]
    return str(shell.trail.sum(shell, node)) if shell.trail is not None else HOLE


def lookup(shell: Shell, name: str) -> str:
    """The value of a variable: one the script has set, or one the platform documents."""
    if shell.trail is not None:
        shell.trail.flow |= variable_origins(shell.trail, name)
    if name in shell.variables:
        return shell.variables[name]
    if name.isdigit() and name != "0" and shell.positional is not None:
        return shell.positional[int(name[:4]) - 1] if int(name[:4]) <= len(shell.positional) else ""
    if name in ITSELF:
        return shell.staged
    if name == "PWD":
        return shell.cwd or HOLE
    return ENVIRONMENT.get(name, HOLE)


def _or_default(shell: Shell, name: str, default: str) -> str:
    """`${NAME:-default}`. Somebody may set a variable that the script does not: such a default is not certain."""
    if name.isdigit() and name != "0" and shell.positional is not None:
        return lookup(shell, name) or default
    known = shell.variables.get(name)
    if known is not None:
        return known or default
    if name in ENVIRONMENT or os.path.normpath(default).startswith(TRUSTED_DEFAULTS):
        return default
    return HOLE


EXPANSIONS = frozenset({"simple_expansion", "expansion", "command_substitution", "arithmetic_expansion"})
READERS: dict[str, Callable[[Shell, Any], str]] = {
    "word": _word,
    "raw_string": _raw,
    "ansi_c_string": _ansi,
    "string": _string,
    "translated_string": _string,
    "heredoc_body": _heredoc,
    "concatenation": _concatenation,
    "command_name": _concatenation,
    "simple_expansion": _variable,
    "expansion": _expansion,
    "command_substitution": _substitution,
    "process_substitution": _process,
    "arithmetic_expansion": _arithmetic,
}
