"""Trials and proofs that a specification describes, so that rules on them need no run.

A case with `base: trial` has a folder for each trial, called like its sample: `good/reward.json` and `good/reward.txt`
are what the grader left, read by the real reader; `good/trial.toml` says how it ended. A folder whose `trial.toml` has
`of = "good"` is that sample graded again with a change; an `expect.toml` is read for its faults. `proof.toml` says what
holds for all. Every key has a default.

    # trial.toml
    exit_code = 0    seconds = 0.1    allowed = 600    stderr = "..."    lacking = ["the network"]
    timed_out, flooded, out_of_memory = true    left_processes = 2    stale = "/logs/verifier/reward.json"
    changed, created, strayed = ["out.txt"]
    verdict = "pass"    overall = [0.4, 0.6]    metrics = {rows = 1}
    made = false        # nop, empty, missing, malformed and oracle are made by us

    # trial.toml of a changed sample, besides
    of = "good"    kind = "mutant"    change = "half:out.txt"    what = "`out.txt` breaks off in the middle"
    passes = false    # the verdict that is right after the change
    accepted = "a reason"

    # proof.toml
    target = "skillevaluator"    threshold = 0.5    case = "case-001"    declared = true
"""

import os
import tomllib
from pathlib import Path
from typing import Any

from gradewright.finding import Finding, Location
from gradewright.model import Outcome, Probe, Problem, Proof, Sample, Trial
from gradewright.prove.judge import judged
from gradewright.prove.session import Proven
from gradewright.prove.trial import outcome_of
from gradewright.read.skill.samples import read_sample
from gradewright.settings import Settings

GRADER = Location("evals/grader.py")
OURS = {"nop": False, "empty": False, "missing": False, "malformed": False, "oracle": True}


def findings(folder: Path) -> list[Finding]:
    """What the rules say about the trials in `folder`."""
    problems: list[Problem] = []
    for path in sorted(folder.glob("*/expect.toml")):
        read_sample(os.path.relpath(path.parent), "case-001", problems)
    return list(judged([Proven(proof(folder), tuple(problems))], Settings()).findings)


def proof(folder: Path) -> Proof:
    common = _toml(folder / "proof.toml")
    folders = sorted(path for path in folder.iterdir() if path.is_dir())
    told = {path.name: _toml(path / "trial.toml") for path in folders}
    trials = {name: _trial(folder / name, name, values, common) for name, values in told.items() if "of" not in values}
    probes = tuple(
        _probe(folder / name, values, trials[values["of"]], common) for name, values in told.items() if "of" in values
    )
    case, target = common.get("case", "case-001"), common.get("target", "skillevaluator")
    declared = common.get("declared", True)
    return Proof(
        case, target, common.get("threshold", 0.5), tuple(trials.values()), probes, (), "run", GRADER, declared
    )


def _probe(folder: Path, values: dict[str, Any], origin: Trial, common: dict[str, Any]) -> Probe:
    trial = _trial(folder, origin.sample.name, values, common)._replace(sample=origin.sample)
    name = values.get("change", folder.name)
    trial = trial._replace(replay=f"{origin.replay} --change {name}")
    what, accepted = values.get("what", f"{name} is done"), values.get("accepted", "")
    return Probe(values["kind"], name, what, origin, trial, accepted, values.get("passes"))


def _trial(folder: Path, name: str, values: dict[str, Any], common: dict[str, Any]) -> Trial:
    target = common.get("target", "skillevaluator")
    outcome = _outcome(values)
    reward, problems = outcome_of(str(folder), outcome, target, str(folder))
    verifier = Location(f"/logs/verifier{reward.at.path}")
    moved = (one._replace(at=one.at._replace(path=f"/logs/verifier{one.at.path}")) for one in problems)
    return Trial(
        sample=_sample(name, values),
        target=target,
        outcome=outcome,
        reward=reward._replace(at=verifier),
        problems=tuple(moved),
        changed=tuple(values.get("changed", ())),
        sandbox="bubblewrap",
        at=GRADER,
        created=tuple(values.get("created", ())),
        strayed=tuple(values.get("strayed", ())),
        stale=values.get("stale", ""),
        allowed=values.get("allowed", 600.0),
        lacking=tuple(values.get("lacking", ())),
        replay=f"gradewright run . --sample {name}",
    )


def _sample(name: str, values: dict[str, Any]) -> Sample:
    named = True if name.startswith("good") else False if name.startswith("bad") else OURS.get(name)
    passes = {"pass": True, "fail": False}.get(values.get("verdict", ""), named)
    metrics = {metric: _bounds(value) for metric, value in values.get("metrics", {}).items()}
    overall = _bounds(values["overall"]) if "overall" in values else None
    at = Location(f"evals/samples/case-001/{name}")
    return Sample("case-001", name, passes, at, overall, metrics, made=values.get("made", name in OURS))


def _bounds(value: Any) -> tuple[float, float]:
    return (value[0], value[1]) if isinstance(value, list) else (value, value)


def _outcome(values: dict[str, Any]) -> Outcome:
    flags = {name: values.get(name, False) for name in ("timed_out", "flooded", "out_of_memory")}
    ended = flags["timed_out"] or flags["flooded"]
    code = None if ended else values.get("exit_code", 0)
    left = values.get("left_processes", 0)
    return Outcome(code, "", values.get("stderr", ""), values.get("seconds", 0.1), **flags, left_processes=left)


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
