"""Good work still passes with something clearly broken in it.

## Why is this bad?
We break each passing sample in one place at a time: an output deleted, emptied, cut in half, with other numbers, with
its lines swapped, or replaced by something else. A grader that does not notice would not notice it in an agent's work
either. The share of mutants that it notices is its mutation score.

## How to fix it
Check what was changed. The message names the metrics that stayed as they were, one of which should have noticed.

## When to ignore it
If the change makes no difference to good work. Better record that: in the sample's `expect.toml`, by the name of the
change and with a reason.

## Example
```python
score = float(len(json.loads(OUT.read_text())) == len(rows))   # the number of rows, and not what is in them
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import MUTANT, Probe, Proof

RULE = Rule("RW209", "surviving-mutant", Severity.WARNING, Proof)


_WHOLE = ("overall", "reward")


def check(proof: Proof) -> Iterator[Finding]:
    """One finding for each kind of change in each file, whichever samples it was made to."""
    survivors: dict[str, list[Probe]] = {}
    for probe in proof.of_kind(MUTANT):
        if not probe.accepted and not probe.noticed:
            survivors.setdefault(probe.name, []).append(probe)
    for probes in survivors.values():
        yield _finding(proof, probes)


def _finding(proof: Proof, probes: list[Probe]) -> Finding:
    probe = probes[0]
    before, after = probe.origin, probe.trial
    others = ", ".join(f"`{other.origin.sample.name}`" for other in probes[1:5])
    shown = f"gets {before.shown} as before" if before.shown == after.shown else f"gets {after.shown}"
    message = (
        f"case `{proof.case}`: passes for a clearly wrong output: {probe.what}; sample "
        f"`{before.sample.name}` {shown}{_blame(probe)}" + (f"; the same goes for {others}" if others else "")
    )
    related = [place for one in probes for place in one.origin.evidence]
    return RULE.at(proof, message, hint=after.cure("check what was changed"), related=related)


def _blame(probe: Probe) -> str:
    """The metrics that did not move."""
    before, after = probe.origin.reward.metrics, probe.trial.reward.metrics
    still = [f"`{name}`" for name, value in before.items() if after.get(name) == value and name not in _WHOLE]
    return f"; {', '.join(still[:4])} did not notice" if still else ""
