"""Every regular expression of the package takes time in proportion to its input, be it hostile."""

import ast
import re
import time
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "gradewright"
ATOMS = (
    *("#", "\n", " ", "a", "score", '"', "'", "$(", "<<", ".", "=", "[", "{", "TODO ", "\\"),
    *("0", "(", "-", "\n\t", ": ", '\\"', "a.", "/", "%"),
)
OPENERS = ("", "a", '"')
METHODS = ("match", "search", "fullmatch", "findall", "finditer", "sub", "split")
LENGTHS = (2_500, 5_000, 20_000, 40_000, 160_000)
NOTICED = 0.002
"""Seconds of the processor. What takes less at one length is not tried at the next: of a megabyte, the largest text
there is, even a quadratic pattern would make no more than a second."""

FLOOR = 0.02
"""Seconds of the processor below which two times are not compared, because they are mostly noise."""

STOPS_EARLY = {
    "gradewright.read.data.json_parts._RUN_AND_BRACKET": '\\"',
    "gradewright.read.data.json_positions._TOKEN": '\\"',
    "gradewright.read.data.json_syntax._TOKEN": '\\"',
}
"""Patterns whose loop ends at the first quote that nothing closes, and what they are not to be repeated on."""


def trees() -> dict[str, ast.Module]:
    paths = [path for path in sorted(PACKAGE.rglob("*.py")) if path.stem not in ("__main__", "__init__")]
    names = [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in paths]
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in zip(names, paths, strict=True)}


def called(tree: ast.Module) -> Iterator[tuple[str, str, list[ast.expr]]]:
    """What is applied in a module: the name of the pattern (or `re`), the method, and its arguments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS and isinstance(node.value, ast.Name):
            yield node.value.id, node.attr, []
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            yield node.func.value.id, node.func.attr, node.args


def compiled(value: Any) -> Iterator[re.Pattern[Any]]:
    """The patterns in the value of a module's attribute."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from compiled(part)


def collected() -> dict[str, tuple[re.Pattern[Any], set[str]]]:
    """Every pattern by where it stands, with the methods by which it is applied."""
    found: dict[str, tuple[re.Pattern[Any], set[str]]] = {}
    used: dict[str, set[str]] = {}
    parsed = trees()
    for module, tree in parsed.items():
        origin = {
            alias.name: str(node.module)
            for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }  # fmt: skip
        for name, method, arguments in called(tree):
            used.setdefault(f"{origin.get(name, module)}.{name}", set()).add(method)
            if name == "re" and method in METHODS and arguments and isinstance(arguments[0], ast.Constant):
                found[f"{module}:{arguments[0].lineno}"] = re.compile(arguments[0].value), {method}
    for module in parsed:
        for name, value in vars(import_module(module)).items():
            for number, pattern in enumerate(compiled(value)):
                methods = used.get(f"{module}.{name}", set()) & set(METHODS)
                if name in _assigned(parsed[module]):
                    found[f"{module}.{name}.{number}"] = pattern, methods or {"search"}
    return found


def _assigned(tree: ast.Module) -> set[str]:
    """The names that a module gives a value itself, and does not import."""
    targets = (target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets)
    return {target.id for target in targets if isinstance(target, ast.Name)}


PATTERNS = collected()


def seconds(pattern: re.Pattern[Any], method: str, text: str | bytes) -> float:
    start = time.process_time()
    if method == "sub":
        pattern.sub("" if isinstance(text, str) else b"", text)
    elif method == "finditer":
        for _ in pattern.finditer(text):
            pass
    else:
        getattr(pattern, method)(text)
    return time.process_time() - start


def repeated(opener: str, atom: str, length: int, pattern: re.Pattern[Any]) -> str | bytes:
    text = opener + atom * (length // len(atom)) + "\x01"
    return text.encode() if isinstance(pattern.pattern, bytes) else text


def atoms_of(pattern: re.Pattern[Any]) -> list[str]:
    """The fixed atoms, and the words of the pattern itself."""
    source = pattern.pattern.decode() if isinstance(pattern.pattern, bytes) else pattern.pattern
    words = re.findall(r"[A-Za-z]{2,}", re.sub(r"\\[a-zA-Z]|\[[^\]]*\]", " ", source))
    return [*ATOMS, *words[:8]]


def _is_slow(pattern: re.Pattern[Any], method: str, opener: str, atom: str) -> bool:
    """Whether twice the input takes three times as long. The lengths grow, so that even 2^n is noticed in time."""
    for short, long in pairwise(LENGTHS):
        texts = [repeated(opener, atom, length, pattern) for length in (short, long)]
        if long == LENGTHS[-1] and seconds(pattern, method, texts[0]) < NOTICED:
            continue
        if seconds(pattern, method, texts[1]) < FLOOR:
            continue
        times = [min(seconds(pattern, method, text) for _ in range(3)) for text in texts]
        if times[1] > FLOOR and times[1] > 1.5 * times[0] * long / short:
            return True
    return False


def test_there_are_patterns() -> None:
    assert len(PATTERNS) > 80


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_a_pattern_takes_linear_time(name: str) -> None:
    pattern, methods = PATTERNS[name]
    slow = [
        (method, opener, atom)
        for method in sorted(methods)
        for atom in atoms_of(pattern)
        for opener in OPENERS
        if atom != STOPS_EARLY.get(name.rpartition(".")[0]) and _is_slow(pattern, method, opener, atom)
    ]
    assert not slow
