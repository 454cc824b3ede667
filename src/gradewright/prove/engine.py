"""Grade all samples of a case, then the same samples with changes, and put together what that shows."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from gradewright.finding import Location
from gradewright.model import Probe, Proof, Sample, Trial
from gradewright.prove import CHANGERS
from gradewright.prove.change import Change
from gradewright.prove.stage import staged
from gradewright.prove.subject import Subject
from gradewright.prove.trial import run_trial
from gradewright.sandbox.protocol import Limits, Sandbox


class Plan(NamedTuple):
    """How a case is tried: in which sandbox, within which limits, by how many jobs at a time."""

    sandbox: Sandbox
    limits: Limits
    jobs: int


def prove(subject: Subject, samples: Sequence[Sample], plan: Plan, *, replay: str, at: Location) -> Proof:
    """The proof of one case from its samples; raises `SandboxError` if nothing can be run."""
    with ThreadPoolExecutor(plan.jobs) as pool:
        trials = tuple(pool.map(lambda sample: run_trial(subject, sample, plan.sandbox, plan.limits), samples))
        proof = Proof(subject.case, subject.target, subject.threshold, trials, (), (), replay, at)
        probes = tuple(pool.map(lambda pair: _probe(subject, *pair, plan), _changes(subject, proof)))
    return proof._replace(probes=probes, unmeasured=tuple(_unmeasured(proof, plan)))


def changes_of(subject: Subject, trial: Trial, *, passes: bool) -> Iterator[Change]:
    """All changes that are made to the sample of a trial."""
    with staged(subject, trial.sample) as stage:
        for changer in CHANGERS:
            yield from changer.changes(subject, trial, stage, passes)


def _changes(subject: Subject, proof: Proof) -> Iterable[tuple[Trial, Change]]:
    for trial in proof.trials:
        for change in changes_of(subject, trial, passes=proof.passes(trial)):
            yield trial, change


def _probe(subject: Subject, origin: Trial, change: Change, plan: Plan) -> Probe:
    trial = run_trial(subject, origin.sample, plan.sandbox, plan.limits, change)
    return Probe(change.kind, change.name, change.what, origin, trial)


def _unmeasured(proof: Proof, plan: Plan) -> Iterator[str]:
    if not any(trial.sample.passes for trial in proof.trials):
        yield "no sample is known to be good work, so nothing tells whether good work scores"
    for limit in plan.sandbox.health_check().missing:
        yield f"the sandbox cannot limit {limit} here"
