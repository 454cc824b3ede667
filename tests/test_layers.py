"""Imports point one way only: a module may import those of its own layer and of the layers before it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gradewright

PACKAGE = Path(gradewright.__file__).parent
LAYERS = """
    visible finding contract model stats settings read rules catalogue ignore baseline check write fix sandbox prove
    scaffold rubric convert harbor judge score grade report render failure hook cli __main__
""".split()  # noqa: SIM905 - a list of thirty literals is no easier to read
"""From left to right; docs/architecture.md says why."""

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "_data" not in path.parts)
ONLY_IN = {"copier": {"scaffold"}, "typer": {"cli"}, "click": {"cli"}, "rich": {"cli"}, "jinja2": {"render"}}


def parts(path: Path) -> tuple[str, ...]:
    """The module at `path` as its name's parts below the package."""
    names = path.relative_to(PACKAGE).with_suffix("").parts
    return names[:-1] if names[-1] == "__init__" else names


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every import of the module, also those inside functions: the line and the dotted name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: write imports in full"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def own(name: str) -> tuple[str, ...] | None:
    """The parts of a name below our package, or None for a module of others."""
    package, *rest = name.split(".")
    return tuple(rest) if package == "gradewright" else None


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_left(path: Path) -> None:
    here = parts(path)
    if not here:
        assert list(imports(path)) == [], "gradewright/__init__.py imports nothing"
        return
    assert here[0] in LAYERS, "a module of no layer: add it to LAYERS and to docs/architecture.md"
    for line, name in imports(path):
        there = own(name)
        if there and there[0] in LAYERS:
            assert LAYERS.index(there[0]) <= LAYERS.index(here[0]), f"{path.name}:{line} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_heavy_libraries_stay_in_their_layer(path: Path) -> None:
    for line, name in imports(path):
        layers = ONLY_IN.get(name.split(".")[0])
        assert layers is None or parts(path)[0] in layers, f"{path.name}:{line} imports {name}"


@pytest.mark.parametrize("path", sorted((PACKAGE / "rules").glob("[!_]*.py")), ids=lambda path: path.stem)
def test_rules_know_only_the_model(path: Path) -> None:
    import sys

    for line, name in imports(path):
        there = own(name)
        if there is None:
            assert name.split(".")[0] in sys.stdlib_module_names, f"{path.name}:{line} imports {name}"
            assert name.split(".")[0] not in {"os", "pathlib", "subprocess", "io"}, (
                f"{path.name}:{line}: rules open nothing"
            )
        else:
            assert there[0] in {"finding", "contract", "model"}, f"{path.name}:{line} imports {name}"


def test_the_map_names_every_layer() -> None:
    text = (Path(__file__).parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    here = {parts(path)[0] for path in MODULES if parts(path)}
    named = set(re.findall(r"^\| `(\w+)/?` \|", text, re.M))
    assert named & set(LAYERS) == here
    order = re.search(r"^    visible < .*?\n\n", text, re.M | re.S)
    assert order and re.findall(r"\w+", order[0]) == [layer for layer in LAYERS if layer in here]
