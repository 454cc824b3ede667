"""The programs that a Python script starts."""

import re
from collections.abc import Callable
from typing import Any

from gradewright.finding import Location
from gradewright.model import Run
from gradewright.read.python.flow import Site
from gradewright.read.python.kinds import (
    HOLE,
    MODULE,
    SEQUENCE,
    TEXT,
    Frame,
    Place,
    Value,
    Values,
)
from gradewright.read.python.objects import Resolver

STARTERS = frozenset({
    "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen",
    "subprocess.getoutput", "subprocess.getstatusoutput", "os.system", "os.popen", "os.execv", "os.execvp",
    "os.spawnv", "asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell",
})  # fmt: skip
NAMES = frozenset(dotted.rpartition(".")[2] for dotted in STARTERS)
READERS = frozenset({
    "cat", "cmp", "diff", "du", "echo", "file", "find", "git", "grep", "head", "jq", "ls", "md5sum", "sha256sum",
    "stat", "tail", "true", "wc", "which",
})  # fmt: skip
"""Programs that write no file unless their output is redirected."""

SHELL_WORD = re.compile(r"[^\s|&;<>()$`\"']+")


def started(resolver: Resolver, at: Callable[[Any], Location]) -> tuple[tuple[Run, ...], bool]:
    """Every program that may be started, and whether none of them can write a reward."""
    runs: dict[Run, None] = {}
    followed = True
    for name in NAMES & resolver.program.calls.keys():
        for site in resolver.program.calls[name]:
            if not site.scope.used:
                continue
            for frame in resolver.frames_of(site.scope):
                words = _words(resolver, site, frame)
                if words is None:
                    continue
                cwd = _cwd(resolver, site, frame)
                runs[Run(words, at(site.node), _script(words), conditional=site.conditional, cwd=cwd)] = None
                followed = followed and _only_reads(words)
    return tuple(runs), followed


def _moved_to(resolver: Resolver, site: Site) -> str | None:
    """The folder that the script has gone to before a call, if it goes to a known one only; None if not."""
    calls = [call for call in resolver.program.calls.get("chdir", ()) if call.scope.used]
    if len(calls) != 1 or calls[0].node.lineno >= site.node.lineno or calls[0].conditional or not calls[0].node.args:
        return None
    values = resolver.of_site(calls[0].node.args[0], calls[0])
    return _word(values)


def tests_in_process(resolver: Resolver, at: Callable[[Any], Location]) -> tuple[Run, ...]:
    """What `pytest.main([...])` stands for: pytest, started in the folder that the script is in."""
    runs = []
    for site in resolver.program.calls.get("main", ()):
        callees = resolver.of_site(site.node.func, site) if site.scope.used else ()
        if any(value.kind == MODULE and value.data == "pytest.main" for value in callees):
            values = resolver.of_site(site.node.args[0], site) if site.node.args else ()
            words = _from(values[0]) if len(values) == 1 else (None,)
            runs.append(
                Run(
                    ("pytest", *words), at(site.node), None, conditional=site.conditional, cwd=_moved_to(resolver, site)
                )
            )
    return tuple(runs)


def _words(resolver: Resolver, site: Site, frame: Frame | None) -> tuple[str | None, ...] | None:
    """The command line of a call, its unknown words as None; None if the call starts no program."""
    place = Place(site.node, site.point, site.scope, frame)
    callees = resolver.at(site.node.func, place)
    if not any(value.kind == MODULE and value.data in STARTERS for value in callees):
        return None
    values = resolver.argument_at(place, 0, "args")
    if values is None or len(values) != 1:
        return (None,)
    return _from(values[0])


def _cwd(resolver: Resolver, site: Site, frame: Frame | None) -> str | None:
    """The folder that a call starts a program in; None if it does not say, or if that is not known."""
    values = resolver.argument_at(Place(site.node, site.point, site.scope, frame), 9, "cwd")
    if values is None:
        return _moved_to(resolver, site)
    return _word(values)


def _from(value: Value) -> tuple[str | None, ...]:
    if value.kind == SEQUENCE:
        return tuple(_word(item) for item in value.data) or (None,)
    if value.kind == TEXT and HOLE not in value.data:
        simple = SHELL_WORD.findall(value.data)
        plain = " ".join(simple) == " ".join(value.data.split())
        return tuple(simple) if plain and simple else ("sh", "-c", value.data)
    return (None,)


def _word(values: Values) -> str | None:
    if len(values) == 1 and values[0].kind == TEXT and HOLE not in values[0].data:
        return str(values[0].data)
    return None


def _script(words: tuple[str | None, ...]) -> str | None:
    """The script file that an interpreter is given, if it is."""
    program = (words[0] or "").rpartition("/")[2]
    if not re.fullmatch(r"(ba|da)?sh|python[\d.]*", program) or len(words) < 2:
        return None
    first = words[1]
    return first if first and not first.startswith("-") else None


def _only_reads(words: tuple[str | None, ...]) -> bool:
    program = (words[0] or "").rpartition("/")[2]
    return program in READERS and not any(word and word.startswith(("-o", "--output", "-exec")) for word in words)
