"""What proofs show, for people: a table of samples for each case, what was tried, and what was not."""

from collections.abc import Iterator
from typing import Any

from gradewright.model import ATTACK, MUTANT, REPEAT, STRESS, Probe, Proof, Report, Trial

_SAID = {True: "pass", False: "fail", None: "-"}
_HEAD = ("sample", "expected", "got", "overall", "seconds")


def lines(report: Report) -> Iterator[str]:
    """The tables of all proofs, and what is still to be done first."""
    lacking = [proof for proof in report.proofs if not proof.aspects()["good work"]]
    if lacking:
        yield ""
        yield f"first: {lacking[0].unmeasured[0]}" if lacking[0].unmeasured else "first: record a sample of good work"
    for proof in report.proofs:
        yield ""
        yield f"case {proof.case}, as {proof.target} grades it (a pass is {proof.threshold:g})"
        yield from (f"  {line}" for line in _table([_HEAD, *(row(proof, trial) for trial in proof.trials)]))
        yield from (f"  {line}" for line in _tried(proof))
        yield from (f"  not measured: {what}" for what in proof.unmeasured)
        yield f"  coverage: {coverage(proof)}"
    if report.proofs:
        yield ""


def row(proof: Proof, trial: Trial) -> tuple[str, ...]:
    """The cells of a trial, as in `_HEAD`."""
    return (
        trial.sample.name,
        _SAID[trial.sample.passes],
        verdict(proof, trial),
        trial.shown,
        f"{trial.outcome.seconds:.2f}",
    )


def verdict(proof: Proof, trial: Trial) -> str:
    """How the trial came out, in one or two words."""
    if trial.lacking:
        return "unmeasured"
    if trial.outcome.timed_out:
        return "timed out"
    if trial.lost or trial.reward.overall is None:
        return "none"
    return _SAID[proof.passes(trial)]


def coverage(proof: Proof) -> str:
    """How much of a full proof there is, and what is not."""
    aspects = proof.aspects()
    without = [name for name, shown in aspects.items() if not shown]
    missing = f"; without {', '.join(without)}" if without else ""
    return f"{len(aspects) - len(without)} of {len(aspects)} parts of a proof{missing}"


def _tried(proof: Proof) -> Iterator[str]:
    noticed, mutants = proof.mutation()
    if proof.of_kind(MUTANT):
        accepted = len(proof.of_kind(MUTANT)) - mutants
        equivalent = f", {accepted} accepted as equivalent" if accepted else ""
        score = f" (mutation score {noticed / mutants:.2f})" if mutants else ""
        yield f"mutants: {noticed} of {mutants} noticed{score}{equivalent}"
    for kind, name in ((ATTACK, "attacks"), (STRESS, "odd inputs"), (REPEAT, "repetitions")):
        probes = proof.of_kind(kind)
        if probes:
            seconds = sum(probe.trial.outcome.seconds for probe in probes)
            yield f"{name}: {len(probes)} tried in {seconds:.1f} s"


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(rows[0]))]
    for cells in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def document(proof: Proof) -> dict[str, Any]:
    """The proof for programs, as `gradewright schema report` describes it."""
    noticed, mutants = proof.mutation()
    return {
        "case": proof.case,
        "target": proof.target,
        "threshold": proof.threshold,
        "declared": proof.declared,
        "replay": proof.replay,
        "samples": [_sample(proof, trial) for trial in proof.trials],
        "mutation": {"noticed": noticed, "mutants": mutants, "score": noticed / mutants if mutants else None},
        "probes": [_probe(proof, probe) for probe in proof.probes],
        "measured": proof.aspects(),
        "unmeasured": list(proof.unmeasured),
    }


def _sample(proof: Proof, trial: Trial) -> dict[str, Any]:
    return {
        "name": trial.sample.name,
        "made": trial.sample.made,
        "expected": _SAID[trial.sample.passes] if trial.sample.passes is not None else None,
        **_result(proof, trial),
        "metrics": trial.reward.metrics,
        "lacking": list(trial.lacking),
    }


def _probe(proof: Proof, probe: Probe) -> dict[str, Any]:
    return {
        "kind": probe.kind,
        "name": probe.name,
        "what": probe.what,
        "sample": probe.origin.sample.name,
        "before": probe.origin.reward.overall,
        **_result(proof, probe.trial),
        "accepted": probe.accepted or None,
        "diff": probe.diff or None,
    }


def _result(proof: Proof, trial: Trial) -> dict[str, Any]:
    return {
        "got": verdict(proof, trial),
        "state": trial.reward.state.value,
        "overall": trial.reward.overall,
        "seconds": round(trial.outcome.seconds, 3),
        "exit_code": trial.outcome.exit_code,
        "replay": trial.replay,
    }
