"""Containers that a script hands to code that is not followed: what they hold then is not known."""

import ast
import builtins
from collections.abc import Iterator
from typing import Any

from gradewright.read.python.flow import FUNCTIONS, IMPORTED, Site, find
from gradewright.read.python.kinds import BAG, OBJECT, SEQUENCE, Value
from gradewright.read.python.objects import Resolver

CALLERS = frozenset({
    "Process", "Thread", "Timer", "apply", "apply_async", "call_soon", "getattr", "heappush", "heapreplace", "insort",
    "insort_left", "insort_right", "partial", "run_in_executor", "setitem", "shuffle", "starmap", "submit", "to_thread",
})  # fmt: skip
"""What is called by these names changes a container, or starts a function with it."""

BUILT_IN = frozenset(dir(builtins)) - CALLERS
MAX_SITES = 400


def handed_over(resolver: Resolver) -> set[int]:
    """The expressions that create such containers, by their ids."""
    followed = set(_followed(resolver))
    found: set[int] = set()
    for sites in list(resolver.program.calls.values()):
        for site in sites[:MAX_SITES]:
            if site.scope.used and id(site.node) not in followed and _may_change(resolver, site):
                for argument in _arguments(site.node):
                    found.update(_created(resolver, argument, site))
    return found


def _followed(resolver: Resolver) -> Iterator[int]:
    """The calls of which it is known what their arguments become in the function."""
    for scope in resolver.program.scopes:
        fixed = scope.kind in FUNCTIONS and not scope.node.args.vararg and not scope.node.args.kwarg
        if fixed and any(frame is not None for frame in resolver.frames_of(scope)):
            yield from (id(site.node) for site in resolver.call_sites(scope))


def _may_change(resolver: Resolver, site: Site) -> bool:
    function = site.node.func
    if function.__class__ is ast.Attribute:
        return function.attr in CALLERS or bool(resolver._own_methods(function.attr))
    if function.__class__ is not ast.Name or function.id in CALLERS:
        return True
    binds = find(function.id, site.point).binds
    return not all(bind.how == IMPORTED for bind in binds) if binds else function.id not in BUILT_IN


def _arguments(call: Any) -> Iterator[Any]:
    pending = [*call.args, *(word.value for word in call.keywords)]
    while pending:
        node = pending.pop()
        if node.__class__ is ast.Starred:
            pending.append(node.value)
        elif node.__class__ in (ast.Tuple, ast.List):
            pending += node.elts
        elif node.__class__ is ast.Dict:
            pending += node.values
        elif node.__class__ in (ast.Name, ast.Attribute, ast.Subscript):
            yield node


def _created(resolver: Resolver, node: Any, site: Site) -> Iterator[int]:
    for frame in resolver.frames_of(site.scope):
        for value in resolver.of_site(node, site, frame):
            if value.kind in (OBJECT, SEQUENCE, BAG):
                yield _id(value)


def _id(value: Value) -> int:
    return id(value.data.node if value.kind == OBJECT else value.node)
