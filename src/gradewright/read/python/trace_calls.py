"""How a value is traced through calls: functions of the script, and those of libraries that hand values on."""

import ast
from collections.abc import Callable
from typing import Any

from gradewright.read.python.flow import Scope, Site
from gradewright.read.python.kinds import CLASS, FUNCTION, MAX_ITEMS, MAX_VALUES, MODULE, OBJECT, Frame
from gradewright.read.python.sources import MADE
from gradewright.read.python.trace import (
    ANY,
    LOOSE,
    NO_PICKS,
    NUMERIC,
    TESTED,
    Picks,
    Spot,
    Way,
)
from gradewright.read.python.trace_forms import Formed

SAME = frozenset({
    "float", "int", "int.from_bytes", "round", "str", "format", "repr", "list", "tuple", "sorted", "reversed", "set",
    "frozenset", "iter", "dict", "collections.OrderedDict", "collections.defaultdict", "collections.deque",
    "collections.Counter", "compile", "json.dumps", "json.loads", "json.load", "simplejson.dumps", "simplejson.loads",
    "ujson.loads", "orjson.loads", "orjson.dumps", "yaml.safe_load", "yaml.load", "yaml.full_load", "toml.load",
    "toml.loads", "tomllib.load", "tomllib.loads", "csv.reader", "csv.DictReader", "ast.literal_eval", "pickle.load",
    "pickle.loads", "io.StringIO", "io.BytesIO", "copy.copy", "copy.deepcopy", "decimal.Decimal",
    "fractions.Fraction", "math.floor", "math.ceil", "math.trunc", "dataclasses.asdict", "vars", "textwrap.dedent",
    "typing.cast", "numpy.float64", "numpy.float32", "numpy.array", "numpy.asarray", "numpy.clip", "numpy.round",
    "numpy.nan_to_num", "next", "types.SimpleNamespace",
})  # fmt: skip
"""Functions whose result is their first argument in another form."""

REDUCED = frozenset({
    "sum", "math.fsum", "statistics.mean", "statistics.fmean", "statistics.median", "numpy.mean", "numpy.sum",
    "numpy.average", "numpy.median", "statistics.harmonic_mean",
})  # fmt: skip
"""Functions that make one number of many."""

MATCHERS = frozenset({"re.search", "re.match", "re.fullmatch", "re.findall", "re.split", "re.sub"})
SAME_METHODS = frozenset({
    "read", "readline", "readlines", "strip", "lstrip", "rstrip", "decode", "encode", "split", "splitlines", "group",
    "groups", "json", "item", "total_seconds", "timestamp", "strftime", "isoformat", "date", "time", "lower", "upper",
    "replace", "mean", "sum", "copy", "to_dict", "to_json", "model_dump", "model_dump_json", "tolist", "rjust", "ljust",
    "zfill", "format", "partition", "rpartition", "removeprefix", "removesuffix", "as_integer_ratio", "astimezone",
    "hex", "search", "match", "findall", "most_common", "elements", "astype", "to_numpy", "result", "dict",
})  # fmt: skip
FOLDED = frozenset({"bool", "all", "any"})


class Called(Formed):
    """Traces calls."""

    def call(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        if self.is_source(node, spot, way):
            return
        for callee in self.values(node.func, spot)[:MAX_VALUES]:
            if callee.kind == FUNCTION:
                self._own(callee.data, node, spot, way, picks)
            elif callee.kind == CLASS:
                self._made(callee.data, node, spot, way, picks)
            elif callee.kind == MODULE:
                self._library(callee.data, node, spot, way, picks)
            else:
                self._method(node, spot, way, picks)

    def is_source(self, node: Any, spot: Spot, way: Way) -> bool:
        """Whether a call is one of the places that are looked for; what is behind it is not followed then."""
        raise NotImplementedError

    def _own(self, scope: Scope, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        frame = self.resolver.entered(scope, Site(node, spot.point, spot.scope, control=spot.control), spot.frame)
        if frame is None:
            self.handed(node, spot, way)
        else:
            self.returned(scope, frame, way, picks)

    def handed(self, node: Any, spot: Spot, way: Way) -> None:
        """Follow what is handed to something that is not followed itself."""
        loose = way.at_most(LOOSE)
        for argument in node.args[:MAX_ITEMS]:
            self.follow(argument.value if argument.__class__ is ast.Starred else argument, spot, loose)
        for keyword in node.keywords:
            self.follow(keyword.value, spot, loose)

    def _made(self, scope: Scope, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        """An object of a class of the script: its fields are followed where they are asked for by name."""
        names = list(scope.binds) if "__init__" not in scope.binds else []
        pairs = [(keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg]
        pairs += list(zip(names, node.args, strict=False))
        self.members(pairs, node, spot, way, picks)

    # --- functions of libraries ---

    def _library(self, dotted: str, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        handler = FUNCTIONS.get(dotted)
        if handler:
            handler(self, node, spot, way, picks)
        elif dotted in SAME and (node.args or node.keywords):
            self._handed_on(dotted, node, spot, way, picks)
        elif dotted in REDUCED and node.args:
            self.follow(node.args[0], spot, way, (ANY,))
        elif dotted in MATCHERS and len(node.args) > 1:
            self.follow(node.args[-1 if dotted == "re.sub" else 1], spot, way)
        elif dotted.startswith(("numpy.", "math.", "statistics.", "operator.")) or dotted in ("abs", "pow", "divmod"):
            for argument in node.args[:MAX_ITEMS]:
                self.follow(argument, spot, way.at_most(NUMERIC))
        else:
            self.handed(node, spot, way)
            self.added(node, way, picks[1:])

    def _handed_on(self, dotted: str, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        if dotted in ("sorted", "next", "reversed", "set", "list", "iter") and picks and dotted != "list":
            picks = (ANY, *picks[1:])
        inner = (ANY, *picks) if dotted == "next" else picks
        for argument in node.args[:1]:
            self.follow(argument, spot, way, inner)
        if dotted in ("dict", "types.SimpleNamespace"):
            self.members([(word.arg, word.value) for word in node.keywords if word.arg], node, spot, way, picks)
        self.added(node, way, picks[1:])

    def extreme(self, node: Any, spot: Spot, way: Way, _: Picks) -> None:
        """`min` and `max`: to clamp by literals leaves a number what it is; taken with another it is a comparison."""
        if len(node.args) == 1:
            self.follow(node.args[0], spot, way, (ANY,))
            return
        for argument in node.args[:MAX_ITEMS]:
            others = [one for one in node.args if one is not argument]
            clamps = all(self.is_fixed(one, spot) for one in others)
            self.follow(argument, spot, way if clamps else way.at_most(NUMERIC))

    def folded(self, node: Any, spot: Spot, way: Way, _: Picks) -> None:
        inner = NO_PICKS if getattr(node.func, "id", "") == "bool" else (ANY,)
        for argument in node.args[:1]:
            self.follow(argument, spot, way.at_most(TESTED), inner)

    def zipped(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        which = picks[1] if len(picks) > 1 else ANY
        chosen = node.args[which:][:1] if which.__class__ is int else node.args
        for argument in chosen[:MAX_ITEMS]:
            self.follow(argument, spot, way, (ANY, *picks[2:]))

    def numbered(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        if picks[1:2] != (0,):
            for argument in node.args[:1]:
                self.follow(argument, spot, way, (ANY, *picks[2:]))

    def mapped(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        for callee in self.values(node.args[0], spot) if node.args else ():
            if callee.kind == FUNCTION:
                self.returned(callee.data, None, way, picks[1:])
        self.handed(node, spot, way)

    def filtered(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        for argument in node.args[1:2]:
            self.follow(argument, spot, way, picks)

    # --- methods ---

    def _method(self, node: Any, spot: Spot, way: Way, picks: Picks) -> None:
        function = node.func
        if function.__class__ is not ast.Attribute:
            self.handed(node, spot, way)
            return
        name, base = function.attr, function.value
        own = self.resolver._own_methods(name)
        for scope in own:
            self._own(scope, node, spot, way, picks)
        if own:
            return
        if name in ("get", "pop", "setdefault", "getattr"):
            self._member(node, base, spot, way, picks)
        elif name == "values":
            self.follow(base, spot, way, (ANY, *picks[1:]))
        elif name == "items":
            if picks[1:2] != (0,):
                self.follow(base, spot, way, (ANY, *picks[2:]))
        elif name in SAME_METHODS:
            self.follow(base, spot, way, self._through(name, picks))
            self.handed(node, spot, way)
        else:
            self.follow(base, spot, way.at_most(LOOSE))
            self.handed(node, spot, way)

    def _through(self, name: str, picks: Picks) -> Picks:
        return (
            picks
            if name in ("copy", "to_dict", "model_dump", "json", "model_dump_json", "dict", "to_json")
            else NO_PICKS
        )

    def _member(self, node: Any, base: Any, spot: Spot, way: Way, picks: Picks) -> None:
        key = self.picked(node.args[0], spot) if node.args else ANY
        self.follow(base, spot, way, (key, *picks))
        if node.args:
            self.follow(node.args[0], spot, way.at_most(LOOSE))
        for default in node.args[1:2]:
            self.follow(default, spot, way, picks)

    # --- who makes what is called ---

    def called(self, function: Any, spot: Spot, depth: int = 0) -> tuple[str, Any]:
        """The dotted name of what is called, with MADE behind what made its object; and the call that made it."""
        for value in self.values(function, spot):
            if value.kind == MODULE:
                return value.data, None
        names: list[str] = []
        while function.__class__ is ast.Attribute:
            names.append(function.attr)
            function = function.value
            if function.__class__ is ast.Attribute and getattr(function.value, "id", "") in ("self", "cls"):
                break
        for maker, there in self._makers(function, spot) if names and depth < 3 else ():
            dotted, _ = self.called(maker.func, there, depth + 1)
            if dotted and MADE not in dotted:
                return f"{dotted}{MADE}.{'.'.join(reversed(names))}", maker
        return "", None

    def _makers(self, node: Any, spot: Spot) -> "list[tuple[Any, Spot]]":
        """The calls that may have made an object."""
        if node.__class__ is ast.Call:
            return [(node, spot)]
        if node.__class__ is ast.Attribute:
            binds = self.program.attributes.get(node.attr, [])
        elif node.__class__ is ast.Name:
            found = self.lookup(node.id, spot.point)
            binds = list(found.binds) or self.program.module.binds.get(node.id, [])
        else:
            return []
        return [
            (bind.value, Spot(bind.origin, bind.scope, None, bind.control))
            for bind in binds[:MAX_VALUES]
            if bind.value.__class__ is ast.Call
        ]

    # --- lists ---

    @property
    def additions(self) -> dict[int, list[tuple[Any, Frame | None]]]:
        """For the expression that creates a list or a set: where something is added to it."""
        if self._additions is None:
            self._additions = {}
            for name in ("append", "extend", "add", "insert", "appendleft", "update"):
                for site in self.program.calls.get(name, ())[:MAX_ADDITIONS]:
                    if site.scope.used and site.node.func.__class__ is ast.Attribute:
                        self._note_addition(site)
        return self._additions

    _additions: dict[int, list[tuple[Any, Frame | None]]] | None = None

    def _note_addition(self, site: Site) -> None:
        assert self._additions is not None
        for frame in self.resolver.frames_of(site.scope):
            base = site.node.func.value
            makers = [value.node for value in self.resolver.of_site(base, site, frame) if value.kind != OBJECT]
            makers = [maker for maker in makers if maker is not None]
            if not makers and base.__class__ is ast.Name:
                makers = [bind.value for bind in self.lookup(base.id, site.point).binds if bind.value is not None]
            for maker in makers[:MAX_VALUES]:
                self._additions.setdefault(id(maker), []).append((site, frame))


MAX_ADDITIONS = 200
Handler = Callable[[Called, Any, Spot, Way, Picks], None]
FUNCTIONS: dict[str, Handler] = {
    "min": Called.extreme,
    "max": Called.extreme,
    "numpy.minimum": Called.extreme,
    "numpy.maximum": Called.extreme,
    **dict.fromkeys(FOLDED, Called.folded),
    "zip": Called.zipped,
    "enumerate": Called.numbered,
    "map": Called.mapped,
    "filter": Called.filtered,
}
