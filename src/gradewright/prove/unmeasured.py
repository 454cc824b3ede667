"""Say what a proof could not show, and why."""

import shlex
from collections.abc import Iterator

from gradewright.model import ATTACK, MUTANT, Proof, Trial
from gradewright.prove.lacking import remedies
from gradewright.sandbox.protocol import Sandbox


def unmeasured(proof: Proof, sandbox: Sandbox, *, quick: bool) -> Iterator[str]:
    """What was not measured, the most important first."""
    measured = [trial for trial in proof.trials if not trial.lacking]
    if not any(trial.sample.passes for trial in proof.trials):
        yield (
            "no sample is known to be good work, so nothing tells whether good work scores;"
            f" record one: `gradewright sample {_path(proof)} --case {proof.case} --name good --from FOLDER`"
        )
    lacking = list(dict.fromkeys(name for trial in proof.trials for name in trial.lacking))
    if lacking:
        count = len(proof.trials) - len(measured)
        how = " and ".join(remedies(lacking))
        yield f"{count} of {len(proof.trials)} samples: the grader asks for {_listed(lacking)} here; try {how}"
    yield from _unended(measured)
    if quick:
        yield "mutants, attacks and odd input, because of --quick"
    elif measured:
        yield from _kinds(proof, measured)
    for limit in sandbox.health_check().missing:
        yield f"the limit on {limit}, which the sandbox cannot hold here"


def _unended(measured: list[Trial]) -> Iterator[str]:
    late = [trial for trial in measured if trial.outcome.timed_out and trial.outcome.seconds < trial.allowed]
    if late:
        names = ", ".join(f"`{trial.sample.name}`" for trial in late)
        yield f"the score of {names}: more time is allowed than was given here; try `--seconds {late[0].allowed:g}`"


def _kinds(proof: Proof, measured: list[Trial]) -> Iterator[str]:
    if not proof.of_kind(MUTANT) and any(trial.sample.passes for trial in proof.trials):
        yield "mutants, because no sample of good work passes"
    if not proof.of_kind(ATTACK) and all(proof.passes(trial) for trial in measured):
        yield "attacks, because no sample fails"


def _path(proof: Proof) -> str:
    """What was named on the command line, quoted for a shell."""
    words = shlex.split(proof.replay)
    return shlex.quote(words[2]) if len(words) > 2 else "PATH"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
