"""Files and functions stay small enough to be read at one sitting; an exception has a number and a reason."""

import ast
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent
FILE_LINES = 320
FUNCTION_LINES = 40
EXCEPTIONS: dict[str, tuple[int, str]] = {
    "src/gradewright/cli/prove.py:prove": (60, "half are the options with their help"),
    "src/gradewright/cli/sample.py:sample": (50, "half are the options with their help"),
    "src/gradewright/cli/validate.py:validate": (70, "three quarters are the options with their help"),
}
"""`file` or `file:function` to the lines allowed and why."""

FILES = sorted(
    path for folder in ("src", "tools", "tests", "benchmarks") for path in (REPOSITORY / folder).rglob("*.py")
    if not {"bases", "faults", "_data"} & set(path.relative_to(REPOSITORY).parts)
)  # fmt: skip


def allowed(name: str, limit: int) -> int:
    return EXCEPTIONS.get(name, (limit, ""))[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(REPOSITORY).as_posix())
def test_sizes(path: Path) -> None:
    name = path.relative_to(REPOSITORY).as_posix()
    text = path.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    assert lines <= allowed(name, FILE_LINES), f"{name} has {lines} lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            limit = allowed(f"{name}:{node.name}", FUNCTION_LINES)
            assert length <= limit, f"{name}:{node.lineno} {node.name} has {length} lines"


def test_exceptions_are_needed_and_explained() -> None:
    for name, (number, reason) in EXCEPTIONS.items():
        assert reason, name
        assert number > (FUNCTION_LINES if ":" in name else FILE_LINES), name
        assert (REPOSITORY / name.split(":")[0]).is_file(), name
