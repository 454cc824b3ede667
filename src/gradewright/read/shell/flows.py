"""Where the values of variables and the content of files come from, on one way through a shell script."""

from gradewright.model import AGENT_SCORE, CLOCK, RANDOM
from gradewright.read.runner import is_agents
from gradewright.read.shell.state import HOLE, Shell
from gradewright.read.shell.trail import Origin, Trail

CLOCKS = frozenset({"EPOCHREALTIME", "EPOCHSECONDS", "SECONDS"})
CHANCES = frozenset({"RANDOM", "SRANDOM"})


def variable_origins(trail: Trail, name: str) -> frozenset[Origin]:
    """Where the value of a variable comes from."""
    if name in CHANCES:
        return frozenset({Origin(RANDOM, "$" + name, None)})
    if name in CLOCKS and name not in trail.origins:
        return frozenset({Origin(CLOCK, "$" + name, None)})
    return trail.origins.get(name, frozenset())


def file_origins(shell: Shell, word: str) -> frozenset[Origin]:
    """Where the content of a file comes from, if it is known to come from the agent, or where the script took it."""
    trail: Trail = shell.trail
    path = shell.resolve(word)
    if path in trail.written:
        return trail.written[path]
    if not is_agents(path) or HOLE in path or trail.runs or trail.foreign >= 0 or path in trail.named:
        return frozenset()
    return frozenset({Origin(AGENT_SCORE, path, None)})
