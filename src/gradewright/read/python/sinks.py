"""Where a script puts text into files: every call that writes, creates or moves one, with what it may write."""

import ast
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from gradewright.contract import VERIFIER_DIR
from gradewright.read.python.flow import Site
from gradewright.read.python.kinds import (
    FILE,
    HOLE,
    JSON,
    MODULE,
    TEXT,
    UNKNOWN,
    Frame,
    Place,
    Value,
    Values,
    merged,
)
from gradewright.read.python.library import OPENERS, TEMPORARY
from gradewright.read.python.objects import Resolver
from gradewright.read.python.texts import (
    as_texts,
    concatenated,
    joined_path,
)

STDOUT = "/dev/stdout"
NO_PATH: Values = (Value(TEXT, HOLE),)
NOTHING_YET: Values = ()
LEAVING = frozenset({"replace", "rename", "renames", "move"})
MAX_SINKS = 400


INTO_FOLDERS = frozenset({"copy", "copy2", "move"})


def _inside(source: Values, target: Values) -> Values:
    """Where a file comes to lie that is put into what may be a folder."""
    folders = [value.data for value in target if value.kind == TEXT and value.data]
    if not any(folder[-1] == "/" or folder == VERIFIER_DIR for folder in folders):
        return target
    names = (Value(TEXT, value.data.rpartition("/")[2] if value.kind == TEXT else HOLE, value.node) for value in source)
    return joined_path([target, tuple(names)])


class Output(NamedTuple):
    """Any of `contents` is put into any of the files `paths`; no contents: what is written is not known."""

    paths: Values
    contents: Values
    site: Site
    frame: Frame | None
    node: Any
    appended: bool = False


class Move(NamedTuple):
    """A file is moved, copied or linked to another path; `leaves` nothing behind if it is moved."""

    source: Values
    target: Values
    site: Site
    frame: Frame | None
    leaves: bool


class Sinks:
    """Collects the outputs and moves of a script."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.outputs: list[Output] = []
        self.moves: list[Move] = []
        self.reads: dict[str, None] = {}
        self.filled: set[int] = set()
        self.created: list[Output] = []

    def collect(self) -> None:
        """Look at every call that can be reached, in each way in which it is reached."""
        calls = self.resolver.program.calls
        for name, handler in HANDLERS.items():
            for site in calls.get(name, ())[:MAX_SINKS]:
                if site.scope.used:
                    for frame in self.resolver.frames_of(site.scope):
                        handler(self, site, frame)
        self.outputs += [output for output in self.created if id(output.node) not in self.filled]

    def place(self, site: Site, frame: Frame | None) -> Place:
        return Place(site.node, site.point, site.scope, frame)

    def dotted(self, place: Place) -> str:
        """The name of the library function that is called, or nothing."""
        for value in self.resolver.at(place.node.func, place):
            if value.kind == MODULE:
                return str(value.data)
        return ""

    def put(self, paths: Values, contents: Values, site: Site, frame: Frame | None, *, appended: bool = False) -> None:
        self.outputs.append(Output(paths, contents, site, frame, site.node, appended))

    def opened(self, values: Values) -> Iterator[tuple[Values, bool]]:
        """The paths of open files, and whether they are appended to. Calls that opened them count as filled."""
        for value in values:
            if value.kind == FILE:
                self.filled.add(id(value.data.node))
                yield self.path_of(value.data), "a" in self.mode_of(value.data)
            elif value.kind == MODULE and value.data in ("sys.stdout", "sys.__stdout__"):
                yield (Value(TEXT, STDOUT),), False

    def path_of(self, place: Place, depth: int = 0) -> Values:
        """The path that a call of `open` or `.open` opens."""
        dotted = self.dotted(place)
        if not dotted:
            return self.resolver.at(place.node.func.value, place)
        if dotted in TEMPORARY:
            return NO_PATH
        values = self.resolver.argument_at(place, 0, "file") or NO_PATH
        files = [value for value in values if value.kind == FILE]
        if not files or depth > 2:
            return values
        self.filled.update(id(value.data.node) for value in files)
        return merged(self.path_of(value.data, depth + 1) for value in files)

    def mode_of(self, place: Place) -> str:
        """The mode in which a file is opened; `w` where it cannot be told."""
        dotted = self.dotted(place)
        if dotted == "os.open":
            names = {part.attr for part in ast.walk(place.node) if part.__class__ is ast.Attribute}
            return "w" if names & {"O_WRONLY", "O_RDWR", "O_CREAT"} else "r"
        if dotted in TEMPORARY:
            return "w"
        mode = self.resolver.argument_at(place, 1 if dotted else 0, "mode")
        if mode is None:
            return "r"
        texts = [value.data for value in mode if value.kind == TEXT]
        return texts[0] if len(texts) == len(mode) == 1 else "w"

    # --- handlers ---

    def write_text(self, site: Site, frame: Frame | None) -> None:
        function = site.node.func
        if function.__class__ is ast.Attribute:
            place = self.place(site, frame)
            contents = self.resolver.argument_at(place, 0, "data") or UNKNOWN
            self.put(self.resolver.at(function.value, place), contents, site, frame)

    def write(self, site: Site, frame: Frame | None) -> None:
        function = site.node.func
        if function.__class__ is not ast.Attribute:
            return
        place = self.place(site, frame)
        if self.dotted(place) == "os.write":
            files, contents = self.resolver.argument_at(place, 0) or UNKNOWN, self.resolver.argument_at(place, 1)
        else:
            files, contents = self.resolver.at(function.value, place), self.resolver.argument_at(place, 0)
        for paths, appended in self.opened(files):
            self.put(paths, contents or UNKNOWN, site, frame, appended=appended)

    def write_lines(self, site: Site, frame: Frame | None) -> None:
        if site.node.func.__class__ is ast.Attribute:
            place = self.place(site, frame)
            for paths, appended in self.opened(self.resolver.at(site.node.func.value, place)):
                self.put(paths, UNKNOWN, site, frame, appended=appended)

    def dump(self, site: Site, frame: Frame | None) -> None:
        place = self.place(site, frame)
        files = self.resolver.argument_at(place, 1, "fp")
        if files is None:
            return
        contents: Values = UNKNOWN
        if self.dotted(place).endswith("json.dump"):
            inner = self.resolver.argument_at(place, 0, "obj") or UNKNOWN
            contents = tuple(Value(JSON, value, value.node or site.node, value.sure) for value in inner)
        for paths, appended in self.opened(files):
            self.put(paths, contents, site, frame, appended=appended)

    def print(self, site: Site, frame: Frame | None) -> None:
        place = self.place(site, frame)
        node = site.node
        file = next((keyword.value for keyword in node.keywords if keyword.arg == "file"), None)
        first = node.args[0] if node.args else None
        if file is None and (first is None or first.__class__ is not ast.Call or len(node.args) > 1):
            return
        parts: list[Values] = []
        for argument in node.args[:8]:
            parts += [(Value(TEXT, " "),)] if parts else []
            parts.append(as_texts(self.resolver.at(argument, place)))
        contents = concatenated([*parts, (Value(TEXT, "\n"),)])
        if file is None:
            if any(value.kind == JSON for value in contents):
                self.put((Value(TEXT, STDOUT),), contents, site, frame)
            return
        for paths, appended in self.opened(self.resolver.at(file, place)):
            self.put(paths, contents, site, frame, appended=appended)

    def open(self, site: Site, frame: Frame | None) -> None:
        """Opening a file for writing creates it, whoever fills it."""
        place = self.place(site, frame)
        dotted = self.dotted(place)
        if (dotted and dotted not in OPENERS) or (not dotted and site.node.func.__class__ is not ast.Attribute):
            return
        paths = self.path_of(place)
        if any(mark in self.mode_of(place) for mark in "wax+"):
            self.created.append(Output(paths, NOTHING_YET, site, frame, site.node))
        else:
            self._read(paths)

    def read(self, site: Site, frame: Frame | None) -> None:
        if site.node.func.__class__ is ast.Attribute:
            self._read(self.resolver.at(site.node.func.value, self.place(site, frame)))

    def _read(self, paths: Values) -> None:
        for path in paths:
            if path.kind == TEXT and HOLE not in path.data:
                self.reads[path.data] = None

    def touch(self, site: Site, frame: Frame | None) -> None:
        if site.node.func.__class__ is ast.Attribute:
            paths = self.resolver.at(site.node.func.value, self.place(site, frame))
            self.put(paths, NOTHING_YET, site, frame)

    def move(self, site: Site, frame: Frame | None) -> None:
        place = self.place(site, frame)
        dotted = self.dotted(place)
        if site.node.func.__class__ is not ast.Attribute:
            return
        if dotted.partition(".")[0] in ("os", "shutil"):
            source = self.resolver.argument_at(place, 0, "src") or NO_PATH
            target = self.resolver.argument_at(place, 1, "dst") or NO_PATH
            if site.node.func.attr in INTO_FOLDERS:
                target = _inside(source, target)
        elif len(site.node.args) == 1 and not dotted:
            source = self.resolver.at(site.node.func.value, place)
            target = self.resolver.argument_at(place, 0, "target") or NO_PATH
            if site.node.func.attr in ("symlink_to", "hardlink_to", "link_to"):
                source, target = target, source
        else:
            return
        self.moves.append(Move(source, target, site, frame, site.node.func.attr in LEAVING))


Handler = Callable[[Sinks, Site, Frame | None], None]
HANDLERS: dict[str, Handler] = {
    "write_text": Sinks.write_text,
    "write_bytes": Sinks.write_text,
    "write": Sinks.write,
    "writelines": Sinks.write_lines,
    "dump": Sinks.dump,
    "print": Sinks.print,
    "open": Sinks.open,
    "fdopen": Sinks.open,
    "touch": Sinks.touch,
    "read_text": Sinks.read,
    "read_bytes": Sinks.read,
    **dict.fromkeys(
        ("replace", "rename", "renames", "move", "copy", "copy2", "copyfile", "link", "symlink", "symlink_to",
         "hardlink_to", "link_to"), Sinks.move,
    ),
}  # fmt: skip
