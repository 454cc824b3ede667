"""Branches of a shell script: what is known after them is what all of them agree on."""

from collections.abc import Callable, Sequence

from gradewright.read.shell.state import ALIVE, BROKEN, HOLE, NOTHING, Outputs, Shell, either

End = tuple[dict[str, str], str, int]
"""The variables, the working directory and what is ended at the end of a branch."""


def branches(shell: Shell, bodies: Sequence[Callable[[], Outputs]], *, exhaustive: bool) -> Outputs:
    """Follow each of `bodies` from the same state; afterwards only that is known on which all of them agree."""
    start = shell.variables, shell.cwd
    ends: list[End] = []
    printed: list[Outputs] = []
    shell.branch += 1
    for body in bodies:
        shell.variables, shell.cwd, shell.ended = start[0].copy(), start[1], ALIVE
        printed.append(body())
        ends.append((shell.variables, shell.cwd, shell.ended))
    shell.branch -= 1
    if not exhaustive:
        printed.append(NOTHING)
        ends.append((*start, ALIVE))
    going_on = [end for end in ends if end[2] == ALIVE] or ends
    shell.variables, shell.cwd, _ = _merged(going_on)
    shell.ended = min(end[2] for end in ends)
    if not shell.ended and any(end[2] > BROKEN for end in ends):
        shell.may_have_ended = True
    return either(printed)


def _merged(ends: list[End]) -> End:
    variables, cwd, ended = ends[0]
    for other, other_cwd, _ in ends[1:]:
        if variables != other:
            names = variables.keys() | other.keys()
            variables = {n: variables[n] if variables.get(n) == other.get(n) else HOLE for n in names}
        cwd = cwd if cwd == other_cwd else HOLE
    return variables, cwd, ended
