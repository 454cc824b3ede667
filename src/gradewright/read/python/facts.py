"""The facts of a Python script that takes part in grading. It is parsed and followed, never run."""

import ast
import re
import sys
import warnings
from typing import Any

from gradewright.finding import Location
from gradewright.model import PYTHON, Grader
from gradewright.read.files import Text, staged_path
from gradewright.read.python.expressions import WRITERS
from gradewright.read.python.flow import IMPORTED, Program, Scope
from gradewright.read.python.honesty import honesty_of
from gradewright.read.python.imports import imports_of
from gradewright.read.python.isolation import import_paths, isolation_of
from gradewright.read.python.objects import Resolver
from gradewright.read.python.reward import Judge, with_moves
from gradewright.read.python.runs import started, tests_in_process
from gradewright.read.python.sinks import Sinks
from gradewright.read.python.stubs import stubs_of
from gradewright.read.python.walk import walk

MAX_TOKENS = 60_000
"""A script with more words and marks than this is not parsed: each takes about 1 KB as a syntax tree."""

MAX_BASES = 8
CHECKED_FROM = 48 << 10
REWARD_NAMES = re.compile(r"reward|/logs|verifier", re.I)
TOKEN = re.compile(r"\w+|[^\w\s]")
BYTE_ORDER_MARK = "\ufeff"
DYNAMIC = frozenset({
    "getattr", "globals", "locals", "vars", "eval", "exec", "__import__", "__dict__", "dir", "getmembers",
    "methodcaller",
})  # fmt: skip
"""What can reach a function or a method that the script does not mention by its name."""

OPAQUE_NAMES = frozenset({"eval", "exec", "__import__"})
FIXTURES = frozenset({
    "asyncSetUp", "asyncTearDown", "runTest", "setUp", "setUpClass", "setUpModule", "setup_class", "setup_method",
    "setup_module", "tearDown", "tearDownClass", "tearDownModule", "teardown_class", "teardown_method",
    "teardown_module",
})  # fmt: skip
"""What unittest and pytest call by its name."""

OPAQUE_MODULES = frozenset({"importlib", "runpy", "ctypes", "cffi", "imp", "code", "pty", "multiprocessing"})
UNFOLLOWED = frozenset({
    "FileHandler", "FileInput", "RotatingFileHandler", "TimedRotatingFileHandler", "WatchedFileHandler",
    "copytree", "dictConfig", "dump_stats", "dup2", "extract", "extractall", "fileConfig", "make_archive",
    "methodcaller", "unpack_archive", "urlretrieve",
})  # fmt: skip
"""Functions of the standard library that may write a file in a way that is not followed."""

DATA_LIBRARIES = frozenset({
    "numpy", "pandas", "scipy", "yaml", "requests", "PIL", "bs4", "lxml", "openpyxl", "toml", "tomli", "jsonschema",
    "regex", "dateutil", "networkx", "sklearn", "pydantic", "httpx", "docx", "pypdf", "PyPDF2", "cv2", "sympy",
    "rapidfuzz", "Levenshtein", "attr", "attrs", "orjson", "simplejson", "ujson", "rapidjson", "typing_extensions",
})  # fmt: skip
"""Libraries that write no file unless they are told to by a call named like SAVING."""

SAVING = re.compile(r"to_\w+|save\w*|imwrite|imsave|dump_\w+|safe_dump|tofile|write_\w+")


def parse(text: str) -> ast.Module | None:
    """The syntax tree of a script; None if this Python cannot parse it or it is too dense to be worth its memory."""
    if len(text) > CHECKED_FROM and sum(1 for _ in TOKEN.finditer(text)) > MAX_TOKENS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.removeprefix(BYTE_ORDER_MARK))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def program_of(tree: ast.Module) -> Program:
    """The program with the scopes marked that are used."""
    program = walk(tree)
    mark_used(program)
    return program


def python_facts(text: Text, *, role: str, native: bool) -> Grader:
    """The facts of the Python script `text`; `role` is `grader` or `helper`.

    A script that does not parse has none and is opaque; what is wrong with it is for `engines` to say.
    """
    grader = Grader(
        language=PYTHON,
        role=role,
        native=native,
        size=len(text.data),
        metrics=(),
        writes=(),
        runs=(),
        reads=(),
        stubs=(),
        contract=None,
        opaque=True,
        at=Location(text.path),
        names_reward=bool(REWARD_NAMES.search(text.text)),
    )
    tree = parse(text.text)
    if tree is None:
        return grader
    try:
        return _with_facts(grader, tree, text)
    except RecursionError:
        return grader


def _with_facts(grader: Grader, tree: ast.Module, text: Text) -> Grader:
    program = program_of(tree)
    program.staged = staged_path(text.path)
    resolver = Resolver(program)
    resolver.follow_changes()
    sinks = Sinks(resolver)
    sinks.collect()
    judge = Judge(resolver, text.path, text.text)
    outputs = with_moves(sinks.outputs, sinks.moves)
    judge.take(outputs, relative="chdir" not in program.calls)
    runs, followed = started(resolver, judge.at)
    hands_over = is_opaque(program)
    reads = {site.node.value: None for site in program.texts if site.scope.used} | sinks.reads
    grader = grader._replace(
        metrics=tuple(judge.metrics),
        writes=tuple(judge.writes),
        runs=runs,
        reads=tuple(reads),
        stubs=stubs_of(program, text.text, judge),
        opaque=hands_over or not followed,
        imports=tuple(imports_of(tree, text.path, text.text)),
        signs=tuple(
            dict.fromkeys(
                (
                    *honesty_of(
                        judge, outputs, sinks.moves, runs, is_grader=grader.role == "grader", opaque=hands_over
                    ),
                    *isolation_of((*runs, *tests_in_process(resolver, judge.at))),
                    *import_paths(resolver, runs, judge.at),
                )
            )
        ),
    )
    program.release()
    return grader


def mark_used(program: Program) -> None:
    """Mark every function and class that code mentions which is itself used, starting from the script's own level.

    Functions with a decorator count as used (something registers them), and so do tests, which pytest collects.
    """
    by_name: dict[str, list[Scope]] = {}
    children: dict[Scope, list[Scope]] = {}
    for scope in program.scopes[1:]:
        by_name.setdefault(scope.name, []).append(scope)
        if scope.parent:
            children.setdefault(scope.parent, []).append(scope)
    pending = [program.module, *(scope for scope in program.scopes if scope.used or _is_test(scope))]
    seen: set[str] = set()
    while pending:
        scope = pending.pop()
        scope.used = True
        fresh = (scope.names | scope.attributes) - seen
        if DYNAMIC & fresh:
            pending.extend(other for other in program.scopes if not other.used)
        seen |= fresh
        for name in fresh:
            pending.extend(other for other in by_name.get(name, ()) if not other.used)
        all_called = scope.kind == "class" and not _is_plain(scope, by_name)
        inside = [child for child in children.get(scope, ()) if all_called or _is_called_unseen(child)]
        pending.extend(child for child in inside if not child.used)


def _is_called_unseen(scope: Scope) -> bool:
    """Whether a scope may run although its name is not mentioned: lambdas, special and decorated methods."""
    special = scope.name.startswith("__") or bool(getattr(scope.node, "decorator_list", ()))
    return scope.kind == "lambda" or (special and scope.parent is not None and scope.parent.kind == "class")


def _is_plain(scope: Scope, by_name: dict[str, list[Scope]], depth: int = 0) -> bool:
    """Whether nobody but the script itself calls the methods of a class: no base or decorator from elsewhere."""
    node = scope.node
    decorators = [part.func if part.__class__ is ast.Call else part for part in node.decorator_list]
    foreign = any(getattr(part, "id", getattr(part, "attr", "")) != "dataclass" for part in decorators)
    if foreign or node.keywords or depth > MAX_BASES:
        return False
    bases = [by_name.get(getattr(base, "id", ""), ()) for base in node.bases]
    return all(len(own) == 1 and own[0].kind == "class" and _is_plain(own[0], by_name, depth + 1) for own in bases)


def _is_test(scope: Scope) -> bool:
    if scope.kind == "class":
        return scope.name.startswith("Test")
    return scope.name.startswith(("test_", "pytest_")) or scope.name in FIXTURES


def is_opaque(program: Program) -> bool:
    """Whether the script hands control to code that is not followed and may write files."""
    foreign: set[str] = set()
    saves = any(SAVING.fullmatch(name) for name in program.calls if name not in ("write_text", "write_bytes"))
    for scope in program.scopes:
        for name, binds in scope.binds.items():
            for bind in binds:
                if bind.how == IMPORTED and _is_foreign(bind.value, saves):
                    if name == "*":
                        return True
                    foreign.add(name)
    if any(scope.used for scope in program.handed) or _is_unfollowed(program):
        return True
    return any(scope.used and (scope.names & foreign or scope.names & OPAQUE_NAMES) for scope in program.scopes)


def _is_unfollowed(program: Program) -> bool:
    """Whether a call may write a file in a way that is not followed."""
    calls = program.calls
    own = {scope.name for scope in program.scopes}
    if any(name in calls for name in UNFOLLOWED - own):
        return True
    named = [argument for site in calls.get("getattr", ()) for argument in site.node.args[1:2]]
    if any(argument.__class__ is ast.Constant and argument.value in WRITERS for argument in named):
        return True
    options = [keyword.arg for site in calls.get("basicConfig", ()) for keyword in site.node.keywords]
    return "filename" in options or "handlers" in options


def _is_foreign(dotted: Any, saves: bool) -> bool:
    module = dotted.partition(".")[0]
    if module in DATA_LIBRARIES:
        return saves
    return module in OPAQUE_MODULES or module not in sys.stdlib_module_names
