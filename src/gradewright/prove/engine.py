"""Grade all samples of a case, then the same samples with changes, and put together what that shows."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from threading import Event, Thread
from typing import NamedTuple

from gradewright.finding import Location
from gradewright.model import ATTACK, KINDS, MUTANT, STRESS, Probe, Proof, Sample, Trial
from gradewright.prove.change import Change
from gradewright.prove.changers import CHANGERS
from gradewright.prove.difference import difference
from gradewright.prove.lacking import settled
from gradewright.prove.mutants import excused
from gradewright.prove.oracle import ORACLE
from gradewright.prove.repeats import again
from gradewright.prove.samples import NOP
from gradewright.prove.stage import staged
from gradewright.prove.subject import Subject
from gradewright.prove.trial import run_trial
from gradewright.prove.unmeasured import unmeasured
from gradewright.sandbox.protocol import Limits, Sandbox
from gradewright.sandbox.supervise import stop

CONTAINER = "container"
"""The name of the sandbox that runs graders in the task's own image."""


_PAUSE = 0.05
_SAID = 2000
"""Characters of each stream of a grader that are kept, from its end."""

_PATIENCE = 10
"""A changed sample gets ten times the time that it takes as it is, and ten seconds: what hangs is not waited for."""


class Watch(NamedTuple):
    """Who wants to know how far it is: `more` is told how many runs were added, `done` is called after each."""

    more: Callable[[int], None] = lambda _: None
    done: Callable[[], None] = lambda: None


class Plan(NamedTuple):
    """How a case is tried: in which sandbox, within which limits, by how many jobs at a time.

    With `quick` the samples are graded as they are, and no changes are made to them; `runs` tells how often that is
    done.
    """

    sandbox: Sandbox
    limits: Limits
    jobs: int
    quick: bool = False
    watch: Watch = Watch()
    runs: int = 2


def prove(subject: Subject, samples: Sequence[Sample], plan: Plan, *, replay: str, at: Location) -> Proof:
    """The proof of one case from its samples; raises `SandboxError` if nothing can be run."""
    plan.sandbox.prepare(subject.verifier)
    with ThreadPoolExecutor(plan.jobs) as pool:
        try:
            trials = _each(pool, lambda sample: _graded(subject, sample, plan, plan.limits), samples, plan)
            image = plan.sandbox.name == CONTAINER
            trials = settled(subject, trials, network=plan.limits.network, image=image)
            proof = Proof(
                subject.case, subject.target, subject.threshold, trials, (), (), replay, at, declared=subject.declared
            )
            changes = list(_changes(subject, proof, plan))
            probes = excused(_each(pool, lambda pair: _probe(subject, *pair, plan), changes, plan))
        except BaseException:
            _abandon(pool)
            raise
    proof = proof._replace(probes=probes)
    return proof._replace(unmeasured=tuple(unmeasured(proof, plan.sandbox, quick=plan.quick)))


def _abandon(pool: Executor) -> None:
    """End what runs and begin nothing more; a worker may be just about to start a program."""
    pool.shutdown(wait=False, cancel_futures=True)
    ended = Event()

    def keep_ending() -> None:
        stop()
        while not ended.wait(_PAUSE):
            stop()

    keeper = Thread(target=keep_ending, daemon=True)
    keeper.start()
    try:
        pool.shutdown()
    finally:
        ended.set()
        keeper.join()


def _each[Item, Result](
    pool: Executor, work: Callable[[Item], Result], items: Sequence[Item], plan: Plan
) -> tuple[Result, ...]:
    """The results in the order of the items; what has not begun never does once one of them fails."""
    plan.watch.more(len(items))

    def watched(item: Item) -> Result:
        result = work(item)
        plan.watch.done()
        return result

    return tuple(pool.map(watched, items))


def changes_of(subject: Subject, trial: Trial, *, passes: bool) -> Iterator[Change]:
    """All changes that are made to the sample of a trial."""
    with staged(subject, trial.sample) as stage:
        for changer in CHANGERS:
            yield from changer.changes(subject, trial, stage, passes)


def _changes(subject: Subject, proof: Proof, plan: Plan) -> Iterator[tuple[Trial, Change]]:
    """What is tried: everything on recorded samples, and as much of it on others as shows something new."""
    usable = [trial for trial in proof.trials if not trial.lacking and trial.ended]
    recorded = any(proof.passes(trial) and trial.sample.passes and not trial.sample.made for trial in usable)
    stressed = _stressed(proof, usable)
    for trial in usable:
        if recorded and trial.sample.made and trial.sample.passes:
            continue
        kinds = _kinds(trial.sample) - (set() if trial in stressed else {STRESS})
        if kinds and not plan.quick:
            for change in changes_of(subject, trial, passes=proof.passes(trial)):
                if change.kind in kinds:
                    yield trial, change
        if not trial.sample.made:
            yield from ((trial, change) for change in again(2 if plan.quick else 3, plan.runs))


def _stressed(proof: Proof, usable: list[Trial]) -> list[Trial]:
    """The samples with which oddities are tried: one that passes and one that fails, recorded ones if there are any."""
    judged = sorted((trial for trial in usable if _kinds(trial.sample)), key=lambda trial: trial.sample.made)
    found = [next((trial for trial in judged if proof.passes(trial) == passes), None) for passes in (True, False)]
    return [trial for trial in found if trial]


def _kinds(sample: Sample) -> set[str]:
    """What is tried on a sample: nothing on work that nobody judged, which is odd enough as it is."""
    if sample.passes is None:
        return set()
    return {ATTACK} if sample.made and sample.name not in (NOP, ORACLE) else set(KINDS)


def _graded(subject: Subject, sample: Sample, plan: Plan, limits: Limits, change: Change | None = None) -> Trial:
    """The trial with the ends of what the grader printed: a report holds thousands of them."""
    trial = run_trial(subject, sample, plan.sandbox, limits, change)
    outcome = trial.outcome
    return trial._replace(outcome=outcome._replace(stdout=outcome.stdout[-_SAID:], stderr=outcome.stderr[-_SAID:]))


def _probe(subject: Subject, origin: Trial, change: Change, plan: Plan) -> Probe:
    limits = plan.limits._replace(seconds=min(plan.limits.seconds, _PATIENCE + _PATIENCE * origin.outcome.seconds))
    trial = _graded(subject, origin.sample, plan, limits, change)
    probe = Probe(change.kind, change.name, change.what, origin, trial, passes=change.passes)
    telling = (change.kind == MUTANT and not probe.noticed) or (change.kind == ATTACK and probe.raised)
    return probe._replace(diff=difference(subject, origin.sample, change)) if telling else probe
