"""Which files the data of a script is read from, and whether a command has given it."""

from typing import Any

from gradewright.read.python.influences import Influences
from gradewright.read.python.kinds import Place
from gradewright.read.python.library import OPENERS
from gradewright.read.python.objects import Resolver
from gradewright.read.python.sources import MADE, known_texts
from gradewright.read.python.trace import DIRECT, Spot, Way
from gradewright.read.python.trace_calls import Called

EXIST_METHODS = frozenset({"exists", "is_file", "is_dir"})
EXIST_FUNCTIONS = frozenset({"os.path.exists", "os.path.isfile", "os.path.isdir", "os.path.lexists", "os.access"})
FILE_METHODS = frozenset({"read_text", "read_bytes", "open", "glob", "rglob", "iterdir", "stat", *EXIST_METHODS})
LISTED = frozenset({"os.listdir", "os.scandir", "os.walk", "glob.glob", "glob.iglob", "os.path.getsize", "os.stat"})


class Origins(Called):
    """Finds the files that data is read from, and whether a command has given it."""

    def __init__(self, resolver: Resolver) -> None:
        super().__init__(resolver)
        self.paths: set[str] = set()
        self.commanded = False

    def start(self, node: Any, place: Place) -> None:
        """Find out where `node` comes from."""
        self.paths, self.commanded, self.visits = set(), False, 0
        self.links = 0
        self.seen.clear()
        self.bounds.clear()
        self.controlled.clear()
        self.pending.clear()
        self.follow(node, Spot(place.point, place.scope, place.frame, None), Way(DIRECT))
        self.run()

    def decided(self, *_: Any) -> None:
        """Tests on the way do not matter here."""

    def is_source(self, node: Any, spot: Spot, _: Way) -> bool:
        name = getattr(node.func, "attr", "")
        dotted, _ = self.called(node.func, spot)
        if dotted.startswith("subprocess.") or dotted in ("os.system", "os.popen"):
            self.commanded = True
            return True
        if dotted in OPENERS or dotted in LISTED or dotted in EXIST_FUNCTIONS:
            self.paths.update(known_texts(self.values(node.args[0], spot)) if node.args else ())
            return True
        if name in FILE_METHODS and (not dotted or MADE in dotted):
            self.paths.update(known_texts(self.values(node.func.value, spot)))
            return True
        return False


Origins.forms = {kind: getattr(Origins, handler.__name__) for kind, handler in Influences.forms.items()}
