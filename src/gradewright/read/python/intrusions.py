"""Where a Python grader reads the reference solution, and where it lets the agent's code run inside itself."""

import ast
import posixpath
import re
from collections.abc import Iterator

from gradewright.model import AGENT_IMPORT, READS_SOLUTION, Run, Sign
from gradewright.read.python.flow import Site
from gradewright.read.python.influences import Influences
from gradewright.read.python.kinds import BAG, HOLE, MODULE, SEQUENCE, TEXT, Frame, Values
from gradewright.read.python.sources import agent_path, known_texts, solution_path
from gradewright.read.python.trace import spot_of

READING = {
    **dict.fromkeys(("read_text", "read_bytes", "iterdir", "glob", "rglob"), -1),
    **dict.fromkeys(
        ("open", "listdir", "scandir", "walk", "loadtxt", "read_csv", "read_json", "read_excel", "run_path", "copy",
         "copy2", "copyfile", "copytree", "parse", "connect", "get_data", "imread", "load_workbook"), 0,
    ),
    **dict.fromkeys(("spec_from_file_location", "load_source", "SourceFileLoader"), 1),
}  # fmt: skip
"""Calls that read a file or a folder, with the position of its path; -1 is the object that a method is called on."""

COMPARING = frozenset({"cmp", "dircmp", "insert", "append"})
PROGRAMS = re.compile(r"cat|diff|cmp|cp|rsync|ln|source|\.|head|tail|md5sum|sha256sum|jq|(?:ba|da|z)?sh|python[\d.]*")
SHELL_OPERATOR = re.compile(r"&&|\|\||[;|&\n]")
PATHS_OF_LIBRARIES = re.compile(r"/(?:site|dist)-packages(?:/|\Z)")
LOADING = {"spec_from_file_location": 1, "run_path": 0, "load_source": 1, "SourceFileLoader": 1, "addsitedir": 0}
ADDING = ("insert", "append", "extend")
EXECUTING = ("exec", "eval")


class Intrusions:
    """Looks at calls that take a path."""

    def __init__(self, tracer: Influences) -> None:
        self.tracer = tracer
        self.resolver = tracer.resolver
        self.calls = tracer.program.calls
        self.at = tracer.judge.at

    def ways(self, name: str) -> Iterator[tuple[Site, Frame | None]]:
        """The calls of `name` that can be reached, in each way in which they are."""
        for site in self.calls.get(name, ()):
            if site.scope.used:
                for frame in self.resolver.frames_of(site.scope):
                    yield site, frame

    def argument(self, site: Site, frame: Frame | None, position: int) -> Values:
        node = site.node
        if position < 0:
            function = node.func
            return self.resolver.of_site(function.value, site, frame) if hasattr(function, "value") else ()
        given = node.args[position:][:1] or [
            word.value for word in node.keywords if word.arg in ("path", "file", "location")
        ]
        return self.resolver.of_site(given[0], site, frame) if given else ()

    # --- the reference solution ---

    def solutions(self, runs: tuple[Run, ...]) -> Iterator[Sign]:
        """Every read of the reference solution."""
        for name, position in READING.items():
            for site, frame in self.ways(name):
                values = self.argument(site, frame, position)
                if not known_texts(values) and position == 0 and name == "open":
                    values = self.argument(site, frame, -1)
                yield from self._read(site, frame, values)
        for name in COMPARING & self.calls.keys():
            for site, frame in self.ways(name):
                if name in ADDING and not self._is_search_path(site, frame):
                    continue
                for argument in site.node.args:
                    yield from self._read(site, frame, self.resolver.of_site(argument, site, frame))
        for run in runs:
            path = _solution_of(run)
            if path:
                yield Sign(READS_SOLUTION, run.at, path, certain=not run.conditional)

    def _read(self, site: Site, frame: Frame | None, values: Values) -> Iterator[Sign]:
        mode = site.node.args[1:2]
        if mode and getattr(mode[0], "value", "") in ("w", "a", "x", "wb", "ab"):
            return
        for text in known_texts(values):
            path = solution_path(text.split(HOLE)[0]) if text.startswith("/") else ""
            if path:
                certain = len(values) == 1 and self._is_sure(site, frame)
                yield Sign(READS_SOLUTION, self.at(site.node), path, certain)

    def _is_sure(self, site: Site, frame: Frame | None) -> bool:
        """Whether code runs on every run, and nothing catches its errors."""
        while True:
            site = self.tracer.site(site)
            if site.conditional or site.control is not None:
                return False
            if frame is None:
                return True
            site, frame = frame.site, frame.outer

    # --- the agent's code ---

    def imports(self) -> Iterator[Sign]:
        """Every place where code of the agent is loaded into the grader."""
        for name in ADDING:
            for site, frame in self.ways(name):
                if self._is_search_path(site, frame) and site.node.args:
                    yield from self._loaded(site, self.resolver.of_site(site.node.args[-1], site, frame))
        for name, position in LOADING.items():
            for site, frame in self.ways(name):
                yield from self._loaded(site, self.argument(site, frame, position))
        for name in EXECUTING:
            for site, frame in self.ways(name):
                yield from self._executed(site, frame)
        yield from self._search_paths()

    def _search_paths(self) -> Iterator[Sign]:
        """`sys.path = [...] + sys.path`, `sys.path += [...]`, `sys.path[:0] = [...]`."""
        program = self.tracer.program
        binds = [bind for bind in program.attributes.get("path", ()) if bind.scope.used and bind.value is not None]
        sites = [(bind.value, Site(bind.value, bind.origin, bind.scope)) for bind in binds]
        for change in program.changes:
            bases = self.resolver.of_site(change.base, change.site) if change.base.__class__ is ast.Attribute else ()
            if change.value is not None and any(value.data == "sys.path" for value in bases if value.kind == MODULE):
                sites.append((change.value, change.site))
        for value, site in sites:
            for part in (getattr(value, "left", None), getattr(value, "right", None), value):
                if part is not None:
                    yield from self._loaded(site, self.resolver.of_site(part, site))

    def _is_search_path(self, site: Site, frame: Frame | None) -> bool:
        function = site.node.func
        bases = self.resolver.of_site(function.value, site, frame) if hasattr(function, "value") else ()
        return any(value.kind == MODULE and value.data == "sys.path" for value in bases)

    def _loaded(self, site: Site, values: Values) -> Iterator[Sign]:
        for text in _texts(values):
            path = agent_path(text.split(HOLE)[0])
            if path and not PATHS_OF_LIBRARIES.search(path):
                yield Sign(AGENT_IMPORT, self.at(site.node), path)

    def _executed(self, site: Site, frame: Frame | None) -> Iterator[Sign]:
        if site.node.args and site.node.func.__class__.__name__ == "Name":
            path = self.tracer.agents(site.node.args[0], spot_of(site, frame))
            if path:
                yield Sign(AGENT_IMPORT, self.at(site.node), path)


def _texts(values: Values) -> list[str]:
    """The texts among `values`, and those that lists among them hold."""
    found = known_texts(values)
    for value in values:
        if value.kind == SEQUENCE:
            found += [text for item in value.data for text in known_texts(item)]
        elif value.kind == BAG:
            found += [one.data for one in value.data if one.kind == TEXT]
    return found


def _solution_of(run: Run) -> str:
    """The part of the reference solution that a program is given to read, or that is started."""
    words = [word or "" for word in run.words]
    commands = [words]
    if words[1:2] == ["-c"] and len(words) > 2:
        commands = [command.split() for command in SHELL_OPERATOR.split(words[2])]
    for command in commands:
        if not command:
            continue
        if solution_path(command[0]):
            return command[0]
        if PROGRAMS.fullmatch(posixpath.basename(command[0])):
            found = next((word for word in command[1:] if solution_path(word)), "")
            if found:
                return found
    return ""
