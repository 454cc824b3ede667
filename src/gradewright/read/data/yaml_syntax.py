"""YAML, as PyYAML's safe loader reads it: the reading of the platforms, where `012` is 10 and `yes` is true.

The text is composed into nodes first. They tell, before any value is made, what an alias bomb would expand to, which
keys are given twice, and where everything stands.
"""

import re
from typing import Any

from gradewright.finding import Location
from gradewright.model import DUPLICATE_KEY, SYNTAX, TOO_DEEP, Problem, quoted
from gradewright.read.data.limits import MAX_DEPTH, MAX_PROBLEMS, conflict, too_deep, too_many
from gradewright.read.data.yaml_causes import explain
from gradewright.read.files import line_column

_MAX_NODES = 100_000
"""A node costs up to 1 KiB of memory, and as much time as 30 bytes of text."""

_MAX_NUMBER = 400
"""Characters. Base 60 numbers (`1:00:00`) cost the square of their length, and the parser refuses 4,300 digits."""

_NESTED = re.compile(r"(?:[-?:][ \t]++){40}")
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_MERGE = "tag:yaml.org,2002:merge"
_SAFE_LOADED = ("dataset", "config")
"""What the platform reads with `yaml.safe_load`, whose parser is stricter with tabs than the one in C."""

_HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
"""An escape such as JSON has for half of a character: only the parser in C refuses it."""


class RefusedError(Exception):
    """The text is not YAML that can be read; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


def read_yaml(text: str, path: str, role: str) -> tuple[Any | None, list[Problem]]:
    """The value of a YAML text of one document; None without a problem for an empty one."""
    text = text.removeprefix("\ufeff")  # allowed, and not counted in the parser's offsets
    try:
        loader, root = compose(text, path, role)
        if root is None:
            return None, []
        survey = Survey(text, path, role)
        survey.measure(root)
        tabs = _tabs(text, path, role) if role in _SAFE_LOADED else []
        return _construct(loader, root, text, path, role), [*survey.problems, *tabs]
    except RefusedError as refused:
        return None, [refused.problem]


def compose(text: str, path: str = "", role: str = "") -> tuple[Any, Any]:
    """The loader and the root node (None for an empty text); raises `RefusedError`."""
    import yaml

    _guard(text, path, role)
    try:
        return _composed(text)
    except yaml.YAMLError as error:
        if "Unicode character escape" in str(error) and _HALF_CHARACTER.search(text):
            return compose(_whole_characters(text), path, role)
        raise RefusedError(conflict(text, path, role) or explain(text, path, role, error)) from None
    except (RecursionError, ValueError):
        raise RefusedError(too_deep(path, role)) from None


def _whole_characters(text: str) -> str:
    """The text with a stand-in for half characters, of the same length."""
    return _HALF_CHARACTER.sub(r"\\uFFFD", text)


def _composed(text: str) -> tuple[Any, Any]:
    import yaml

    loader = yaml.CSafeLoader(text)
    return loader, loader.get_single_node()


def _tabs(text: str, path: str, role: str) -> list[Problem]:
    if "\t" not in text:
        return []
    from gradewright.read.data.yaml_tabs import refused_tab

    offset = refused_tab(_whole_characters(text))
    if offset is None:
        return []
    at = Location(path, *line_column(text, offset))
    return [Problem(SYNTAX, role, at, "a tab where YAML allows only spaces", cure="replace it by spaces")]


def _guard(text: str, path: str, role: str) -> None:
    """Refuse too many nodes and too deep a nesting before anything is built; free for ordinary texts."""
    flow = text.count("[") + text.count("{")
    breaks = text.count("\n")
    marks = flow + breaks + text.count(",") + text.count(": ") + text.count("- ")
    if marks < _MAX_NODES // 4 and flow < MAX_DEPTH and " " * 40 not in text and not _NESTED.search(text):
        return
    import yaml

    nodes = level = 0
    try:
        for event in yaml.parse(text, yaml.CSafeLoader):
            if isinstance(event, yaml.CollectionEndEvent):
                level -= 1
            elif isinstance(event, yaml.NodeEvent):
                nodes += 1
                level += isinstance(event, yaml.CollectionStartEvent)
            if level > MAX_DEPTH:
                line, column = _at(text, event.start_mark)
                raise RefusedError(too_deep(path, role, line, column))
            if nodes > _MAX_NODES:
                raise RefusedError(too_many(path, role, _MAX_NODES, "values"))
    except yaml.YAMLError as error:
        if "nesting" in str(error):  # the parser reads ahead and gives up at 1,000 levels
            raise RefusedError(too_deep(path, role)) from None


class Survey:
    """One walk over the nodes: repeated keys, and what the aliases expand to."""

    def __init__(self, text: str, path: str, role: str) -> None:
        self.problems: list[Problem] = []
        self._text, self._path, self._role = text, path, role
        self._sizes: dict[int, tuple[int, int]] = {}

    def measure(self, node: Any) -> tuple[int, int]:
        """How many values `node` stands for, aliases followed, and how deep; raises `RefusedError`."""
        known = self._sizes.get(id(node))
        if known == (0, 0):
            raise RefusedError(self._problem(TOO_DEEP, node, "contains itself through an alias"))
        if known:
            return known
        if isinstance(node.value, str):
            self._number(node)
            return 1, 0
        self._sizes[id(node)] = (0, 0)
        size = height = 1
        for child in self._children(node):
            below, levels = self.measure(child)
            size += below
            height = max(height, levels + 1)
        if size > _MAX_NODES:
            raise RefusedError(too_many(self._path, self._role, _MAX_NODES, "values once its aliases are expanded"))
        if height > MAX_DEPTH:
            raise RefusedError(too_deep(self._path, self._role, *_at(self._text, node.start_mark)))
        self._sizes[id(node)] = size, height
        return size, height

    def _children(self, node: Any) -> list[Any]:
        if not node.value or not isinstance(node.value[0], tuple):
            return list(node.value)
        seen: dict[tuple[str, str], Any] = {}
        for key, _ in node.value:
            if isinstance(key.value, str) and key.tag != _MERGE:
                first = seen.setdefault((key.tag, key.value), key)
                if first is not key:
                    self._repeated(first, key)
        return [part for pair in node.value for part in pair]

    def _repeated(self, first: Any, again: Any) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            line, _ = _at(self._text, first.start_mark)
            detail = f"key {quoted(again.value)} was given before, on line {line}"
            problem = self._problem(DUPLICATE_KEY, again, detail)
            self.problems.append(problem._replace(subject=again.value, cure="keep one of the two"))

    def _number(self, node: Any) -> None:
        if len(node.value) > _MAX_NUMBER and node.tag in _NUMBERS:
            raise RefusedError(
                self._problem(SYNTAX, node, "a number has too many digits")._replace(cure="put it in quotes")
            )

    def _problem(self, kind: str, node: Any, detail: str) -> Problem:
        return Problem(kind, self._role, Location(self._path, *_at(self._text, node.start_mark)), detail)


def _construct(loader: Any, root: Any, text: str, path: str, role: str) -> Any:
    import yaml

    try:
        return loader.construct_document(root)
    except yaml.YAMLError as error:
        raise RefusedError(explain(text, path, role, error)) from None
    except RecursionError:
        raise RefusedError(too_deep(path, role)) from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise RefusedError(_unreadable_scalar(loader, root, text, path, role)) from None


def _unreadable_scalar(loader: Any, root: Any, text: str, path: str, role: str) -> Problem:
    """The first value that its type does not take, such as the date `2024-13-45`."""
    waiting, at = [root], Location(path)
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting += reversed(node)
        elif not isinstance(node.value, str):
            waiting += reversed(node.value)
        elif not _constructs(loader, node):
            at = Location(path, *_at(text, node.start_mark))
            detail = f"{quoted(node.value)} is no {node.tag.rpartition(':')[2]}"
            return Problem(SYNTAX, role, at, detail, cure="put it in quotes")
    return Problem(SYNTAX, role, at, "a value that cannot be read")


def _constructs(loader: Any, node: Any) -> bool:
    try:
        loader.construct_object(node)
    except Exception:
        return False
    return True


def _at(text: str, mark: Any) -> tuple[int, int]:
    """PyYAML counts exotic line breaks as well, so that only its offset can be used."""
    return line_column(text, mark.index)
