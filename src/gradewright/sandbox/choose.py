"""Which sandbox to use."""

from gradewright.sandbox.bubblewrap import Bubblewrap
from gradewright.sandbox.container import Container
from gradewright.sandbox.process import Process
from gradewright.sandbox.protocol import Sandbox, SandboxError

AUTO = "auto"
SANDBOXES: tuple[type[Sandbox], ...] = (Bubblewrap, Container, Process)
"""The best first; the last is used only if it is asked for, because it keeps nothing from this machine's files."""

NAMES = (AUTO, *(kind.name for kind in SANDBOXES))


def choose(name: str = AUTO) -> Sandbox:
    """The sandbox called `name`, or with `auto` the first that works and keeps scripts from this machine's files.

    Raises `SandboxError` if there is none of that name, or if it does not work here, with what to do.
    """
    if name not in NAMES:
        raise SandboxError(f"there is no sandbox `{name}`; the names are {', '.join(NAMES)}")
    reasons = []
    for kind in SANDBOXES:
        sandbox = kind()
        if name not in (AUTO, sandbox.name) or (name == AUTO and not sandbox.boundary):
            continue
        health = sandbox.health_check()
        if health.works:
            return sandbox
        reasons.append(f"{sandbox.name}: {health.reason}; {health.remedy}")
    raise SandboxError("no sandbox works here: " + " | ".join(reasons))
