"""A report as one page for people: no script, and nothing that is fetched from elsewhere.

Everything that comes from files, names or graders is escaped by the template.
"""

import os
from typing import Any

from gradewright import __version__
from gradewright.finding import Finding, Severity
from gradewright.model import ATTACK, KINDS, MUTANT, REPEAT, STRESS, Probe, Proof, Report, Trial
from gradewright.render import PLAIN, Style
from gradewright.render.proofs import verdict
from gradewright.render.text import place, summary
from gradewright.visible import visible

_SLOWEST = 5
_MOST_ODD = 40
_BELOW = frozenset({"surviving-mutant", "gameable-score", "fragile-grader", "unstable-score"})
"""Rules whose findings are told again below, with their case and what was changed."""

_MARKS = {"right": "✓", "wrong": "✗", "none": "✗", "unmeasured": "?", "open": "·"}


def render(report: Report, style: Style = PLAIN) -> str:  # noqa: ARG001 - the signature of all formats
    """The page as HTML, in ASCII: every other character is a reference."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader(os.path.dirname(__file__))
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["visible"] = lambda text: visible(str(text))
    environment.filters["parts"] = lambda text: visible(str(text)).split("`")
    page = environment.get_template("page.html.jinja").render(**_page(report))
    return page.encode("ascii", "xmlcharrefreplace").decode()


def _page(report: Report) -> dict[str, Any]:
    found = sorted(report.findings, key=lambda one: -one.severity)
    names = list(dict.fromkeys(trial.sample.name for proof in report.proofs for trial in proof.trials))
    return {
        "version": __version__,
        "summary": summary(report),
        "counts": [(level.label, report.count(level)) for level in sorted(Severity, reverse=True)],
        "names": names,
        "matrix": [_row(proof, names) for proof in report.proofs],
        "proofs": [_proof(proof, number) for number, proof in enumerate(report.proofs)],
        "findings": [_finding(finding) for finding in found if finding.rule.name not in _BELOW],
        "below": [_finding(finding) for finding in found if finding.rule.name in _BELOW],
        "hidden": [(_finding(one.finding), one.reason) for one in report.hidden],
    }


def _row(proof: Proof, names: list[str]) -> dict[str, Any]:
    return {
        "case": proof.case,
        "target": proof.target,
        "cells": [_cell(proof, trial) if (trial := proof.trial(name)) else None for name in names],
    }


def _cell(proof: Proof, trial: Trial) -> dict[str, Any]:
    """How a sample came out, by a word, a mark and a colour."""
    got, right = verdict(proof, trial), trial.sample.passes
    kind = "open" if right is None else "right" if got == ("pass" if right else "fail") else "wrong"
    if got == "unmeasured":
        kind = "unmeasured"
    elif got in ("none", "timed out"):
        kind = "none"
    expected = {True: "must pass", False: "must fail", None: "no verdict recorded"}[right]
    return {"kind": kind, "mark": _MARKS[kind], "got": got, "shown": trial.shown, "expected": expected}


def _proof(proof: Proof, number: int) -> dict[str, Any]:
    noticed, mutants = proof.mutation()
    survivors = [probe for probe in proof.of_kind(MUTANT) if not probe.noticed and not probe.accepted]
    raised = [probe for probe in proof.of_kind(ATTACK) if probe.raised]
    odd = [probe for probe in proof.of_kind(STRESS) if _stumbles(proof, probe)]
    aspects = proof.aspects()
    return {
        "number": number,
        "case": proof.case,
        "target": proof.target,
        "grader": proof.at.path,
        "threshold": f"{proof.threshold:g}",
        "floor": proof.threshold,
        "declared": proof.declared,
        "mutation": f"{noticed / mutants:.2f}" if mutants else "",
        "share": round(100 * noticed / mutants) if mutants else 0,
        "noticed": noticed,
        "mutants": mutants,
        "accepted": len({probe.name for probe in proof.of_kind(MUTANT) if probe.accepted}),
        "survivors": _grouped(survivors),
        "attacks": len({probe.name for probe in proof.of_kind(ATTACK)}),
        "raised": _grouped(raised),
        "odd": len(proof.of_kind(STRESS)),
        "stumbled": [{**_shown(probe), "got": verdict(proof, probe.trial)} for probe in odd[:_MOST_ODD]],
        "unlisted": max(0, len(odd) - _MOST_ODD),
        "repeats": len(proof.of_kind(REPEAT)),
        "differing": [_shown(probe) for probe in proof.of_kind(REPEAT) if probe.trial.shown != probe.origin.shown],
        "samples": [_sample(proof, trial) for trial in proof.trials],
        "timings": _timings(proof),
        "unmeasured": proof.unmeasured,
        "covered": sum(aspects.values()),
        "aspects": aspects,
    }


def _stumbles(proof: Proof, probe: Probe) -> bool:
    trial = probe.trial
    wrong = probe.passes is not None and trial.reward.overall is not None and proof.passes(trial) != probe.passes
    return trial.lost or wrong


def _grouped(probes: list[Probe]) -> list[dict[str, Any]]:
    """The same change of several samples as one, shown by the sample that gets the most."""
    groups: dict[str, list[Probe]] = {}
    for probe in probes:
        groups.setdefault(probe.name, []).append(probe)
    found = []
    for group in groups.values():
        best = max(group, key=lambda probe: probe.trial.reward.overall or 0.0)
        others = [probe.origin.sample.name for probe in group if probe is not best]
        found.append({**_shown(best), "others": others})
    return found


def _shown(probe: Probe) -> dict[str, Any]:
    return {
        "name": probe.name,
        "what": probe.what,
        "sample": probe.origin.sample.name,
        "before": probe.origin.shown,
        "after": probe.trial.shown,
        "overall": probe.trial.reward.overall or 0.0,
        "diff": probe.diff.splitlines(),
        "replay": probe.trial.replay,
    }


def _sample(proof: Proof, trial: Trial) -> dict[str, Any]:
    said = trial.outcome.stderr.strip().splitlines()
    return {
        **_cell(proof, trial),
        "name": trial.sample.name,
        "seconds": f"{trial.outcome.seconds:.2f}",
        "metrics": [(name, f"{value:g}", _reason(trial.reward.details.get(name))) for name, value in _metrics(trial)],
        "said": said[-1][:300] if said and trial.lost else "",
        "replay": trial.replay,
    }


def _metrics(trial: Trial) -> list[tuple[str, float]]:
    return list(trial.reward.metrics.items())[:50]


def _reason(detail: Any) -> str:
    reason = detail.get("reason") if isinstance(detail, dict) else detail
    return reason[:500] if isinstance(reason, str) else ""


def _timings(proof: Proof) -> dict[str, Any]:
    runs = [*proof.trials, *(probe.trial for probe in proof.probes)]
    seconds = {"samples": sum(trial.outcome.seconds for trial in proof.trials)}
    for kind in KINDS:
        seconds[kind] = sum(probe.trial.outcome.seconds for probe in proof.of_kind(kind))
    slowest = sorted(proof.probes, key=lambda probe: -probe.trial.outcome.seconds)[:_SLOWEST]
    return {
        "runs": len(runs),
        "kinds": [(kind, f"{taken:.1f}") for kind, taken in seconds.items() if taken],
        "slowest": [(f"{probe.trial.outcome.seconds:.2f}", probe.name, probe.origin.sample.name) for probe in slowest],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "level": finding.severity.label,
        "code": finding.rule.code,
        "name": finding.rule.name,
        "url": finding.rule.url,
        "place": place(finding.at),
        "message": finding.message,
        "hint": finding.hint,
        "related": [place(other) for other in finding.related],
    }
