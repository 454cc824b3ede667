"""Work that fails scores higher with something in it that only fools the grader.

## Why is this bad?
Agents find such ways by themselves, and a leaderboard then measures who does. An *error* is a way from failing to
passing that the platform leaves open: code of the agent that the grader loads, links to the expected answers, a
reward that was there before the run. A *warning* is a rise that stays below the threshold, or words in place of work
where the grader looks at words.

## How to fix it
Run tests from `/tests` with `python3 -I` or `--confcutdir=/tests -c /dev/null`, refuse links, remove old rewards
first, and judge what was made rather than what was said about it.

## When to ignore it
If text is all there is to judge, and a person or another check looks at it too.

## Example
```sh
cd /workspace && python3 -m pytest tests   # loads the agent's conftest.py
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import ATTACK, Probe, Proof

RULE = Rule("RW210", "gameable-score", Severity.ERROR, Proof)


_EXISTS = "exists:outputs"
"""Where files with nothing in them pass, a link shows no more than that."""


def check(proof: Proof) -> Iterator[Finding]:
    """One finding for each attack, shown by the sample that it raised over the threshold, if there is one."""
    found: dict[str, list[Probe]] = {}
    for probe in proof.of_kind(ATTACK):
        if probe.raised and not probe.origin.stale:
            found.setdefault(probe.name, []).append(probe)
    idle = {probe.origin.sample.name for probe in found.get(_EXISTS, ()) if _passes(proof, probe)}
    for probes in found.values():
        best = next((probe for probe in probes if _passes(proof, probe)), probes[0])
        by_text = best.by_text or (best.name.startswith("link:") and best.origin.sample.name in idle)
        yield _finding(proof, best, [probe for probe in probes if probe is not best], by_text=by_text)


def _passes(proof: Proof, probe: Probe) -> bool:
    return proof.passes(probe.trial) and not proof.passes(probe.origin)


def _finding(proof: Proof, probe: Probe, others: list[Probe], *, by_text: bool) -> Finding:
    why = ""
    if not _passes(proof, probe):
        why = f", below the {proof.threshold:g} of a pass"
    elif by_text:
        why = ": words in place of work, which is a leak if there is something better to check"
    too = ", ".join(f"`{other.origin.sample.name}`" for other in others[:4])
    message = (
        f"case `{proof.case}`: {probe.what}; sample `{probe.origin.sample.name}` gets {_scores(probe)}"
        + (f" ({too} too)" if too else "")
        + why
    )
    level = Severity.WARNING if why else Severity.ERROR
    related = [place for one in (probe, *others) for place in one.origin.evidence]
    return RULE.at(proof, message, hint=probe.trial.cure("keep this out of the score"), severity=level, related=related)


def _scores(probe: Probe) -> str:
    """What rose, before and after."""
    before, after = probe.origin, probe.trial
    if (after.reward.overall or 0.0) > (before.reward.overall or 0.0):
        return f"{before.shown} and then {after.shown}"
    rises = ((name, value, before.reward.metrics.get(name, value)) for name, value in after.reward.metrics.items())
    name, value, old = max(rises, key=lambda rise: rise[1] - rise[2])
    return f"{old:g} and then {value:g} for metric `{name}`"
