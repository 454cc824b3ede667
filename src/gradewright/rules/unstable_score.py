"""The same work gets another score when it is graded again.

## Why is this bad?
What differs between two agents, or between two versions of a skill, may be the grader. We grade again as it is, with
other hash seeds, with the files made in another order, in another time zone and on another date.

## How to fix it
Sort what is listed, compare sets as sets, take no part of a score from `random`, the clock or the network.

## When to ignore it
If the score is of a kind that cannot be exact, such as a run time, and the verdict stays the same.

## Example
```python
first = next(iter({row["name"] for row in rows}))   # another one in each run
```
"""

from collections.abc import Iterator

from gradewright.finding import Finding, Rule, Severity
from gradewright.model import REPEAT, Probe, Proof, Trial

RULE = Rule("RW208", "unstable-score", Severity.ERROR, Proof)
_TOLERANCE = 1e-9


def check(proof: Proof) -> Iterator[Finding]:
    """One finding for each sample, with the first repetition that differs."""
    told = set()
    for probe in proof.of_kind(REPEAT):
        name = probe.origin.sample.name
        if name not in told and _is_comparable(probe) and _differ(probe.origin, probe.trial):
            told.add(name)
            yield _finding(proof, probe)


def _is_comparable(probe: Probe) -> bool:
    """Whether neither run was ended by us, which may be this machine's fault."""
    ended = (trial.ended and not trial.outcome.out_of_memory for trial in (probe.origin, probe.trial))
    return all(ended) and not probe.origin.stale


def _finding(proof: Proof, probe: Probe) -> Finding:
    message = (
        f"case `{proof.case}`: sample `{probe.origin.sample.name}` gets "
        f"{_scores(probe.origin, probe.trial)}: {probe.what}"
    )
    hint = probe.trial.cure("make the score depend on the work alone")
    return RULE.at(proof, message, hint=hint, related=probe.origin.evidence)


def _differ(one: Trial, other: Trial) -> bool:
    if one.reward.state != other.reward.state or one.reward.metrics.keys() != other.reward.metrics.keys():
        return True
    return any(abs(value - other.reward.metrics[name]) > _TOLERANCE for name, value in one.reward.metrics.items()) or (
        abs((one.reward.overall or 0) - (other.reward.overall or 0)) > _TOLERANCE
    )


def _scores(one: Trial, other: Trial) -> str:
    if one.shown != other.shown:
        return f"{one.shown}, then {other.shown}"
    names = sorted(one.reward.metrics.keys() | other.reward.metrics.keys())
    name = next(n for n in names if one.reward.metrics.get(n) != other.reward.metrics.get(n))
    values = [f"{trial.reward.metrics[name]:g}" if name in trial.reward.metrics else "none" for trial in (one, other)]
    return f"{values[0]} for metric `{name}`, then {values[1]}"
