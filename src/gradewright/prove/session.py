"""Prove all cases of a skill or a task, from whatever samples there are."""

import os
import shlex
from collections.abc import Iterator
from itertools import chain
from tempfile import TemporaryDirectory
from typing import NamedTuple

from gradewright.contract import case_id_problem
from gradewright.finding import Location
from gradewright.model import Problem, Proof, Sample, Trial
from gradewright.prove.change import Change
from gradewright.prove.engine import Plan, changes_of, prove
from gradewright.prove.image import with_image
from gradewright.prove.oracle import ORACLE, SOLUTION, oracle_sample
from gradewright.prove.repeats import again
from gradewright.prove.samples import UnknownSampleError, find_sample, made_samples, samples_folder
from gradewright.prove.subject import Subject
from gradewright.prove.subjects import subjects_of
from gradewright.prove.trial import run_trial
from gradewright.read.skill.samples import read_sample

_MOST_RUNS = 1000
NO_ORACLE = "the reference solution"


class UnknownChangeError(Exception):
    """No change of this name is made to the sample; the message says so."""


class Proven(NamedTuple):
    """A proof, and what is wrong with the files of its samples."""

    proof: Proof
    problems: tuple[Problem, ...]


def cases(path: str, *, target: str | None, case: str | None, samples: str | None) -> list[Subject]:
    """What is to be proved; raises `NothingToGradeError`, and `UnknownSampleError` if `samples` is no folder."""
    if samples is not None and not os.path.isdir(samples):
        raise UnknownSampleError(f"{samples}: there is no such folder of samples")
    return list(subjects_of(path, target=target, case=case))


def prove_case(path: str, subject: Subject, plan: Plan, *, folder: str | None = None) -> Proven:
    """Grade every sample of a case; `folder` holds samples, or folders of samples by case, in place of the usual one.

    Raises `SandboxError` if nothing can be run.
    """
    problems: list[Problem] = []
    with TemporaryDirectory(prefix="gradewright-samples-") as made:
        subject = with_image(subject, plan.sandbox, made)
        samples = {sample.name: sample for sample in made_samples(subject, made)}
        why = ""
        if os.path.isfile(f"{subject.task}/{SOLUTION}"):
            oracle, why = _oracle(subject, plan, made)
            samples |= {ORACLE: oracle} if oracle else {}
        samples |= {sample.name: sample for sample in _recorded(path, subject, folder, samples, problems)}
        words = ["gradewright", "run", path, "--case", subject.case, "--target", subject.target]
        replay = shlex.join([*words, "--network"] if plan.limits.network else words)
        proof = prove(subject, list(samples.values()), plan, replay=replay, at=Location(subject.grader))
    told = (*proof.unmeasured, *([f"{NO_ORACLE}: {why}"] if why else []))
    return Proven(_with_replays(proof._replace(unmeasured=told), path), tuple(problems))


def _recorded(
    path: str, subject: Subject, folder: str | None, made: dict[str, Sample], problems: list[Problem]
) -> Iterator[Sample]:
    """The recorded samples; one with the name of one of ours takes its place, and its verdict if it has none."""
    for sample in _read(path, subject, folder, problems):
        known = made.get(sample.name)
        yield sample._replace(passes=known.passes) if known and sample.passes is None else sample


def _read(path: str, subject: Subject, folder: str | None, problems: list[Problem]) -> Iterator[Sample]:
    if case_id_problem(subject.case):
        return
    root = folder or samples_folder(path)
    inner = os.path.join(root, subject.case)
    holder = inner if folder is None or os.path.isdir(inner) else folder
    for name in sorted(os.listdir(holder)) if os.path.isdir(holder) else ():
        place = os.path.join(holder, name)
        if os.path.isdir(place) and not os.path.islink(place) and not name.startswith("."):
            yield read_sample(place, subject.case, problems)


def _oracle(subject: Subject, plan: Plan, made: str) -> tuple[Sample | None, str]:
    """What the solution leaves behind, or why that cannot be told here."""
    sample, outcome = oracle_sample(subject, subject.task, plan.sandbox, plan.limits, made)
    if outcome.exit_code == 0:
        return sample, ""
    how = "it took too long" if outcome.timed_out else f"it ended with exit status {outcome.exit_code}"
    said = outcome.stderr.strip().splitlines()
    return None, f"{how} here" + (f" (`{said[-1][:100]}`)" if said else "")


def _with_replays(proof: Proof, path: str) -> Proof:
    """The proof with the command that runs each of its trials once more."""

    def command(trial: Trial, change: str = "") -> Trial:
        name = _named(path, trial.sample)
        words = ["--sample", name, *(["--change", change] if change else [])]
        return trial._replace(replay=f"{proof.replay} {shlex.join(words)}")

    return proof._replace(
        trials=tuple(command(trial) for trial in proof.trials),
        probes=tuple(
            probe._replace(origin=command(probe.origin), trial=command(probe.trial, probe.name))
            for probe in proof.probes
        ),
    )


def _named(path: str, sample: Sample) -> str:
    """How the sample is named on the command line: by its name, or by its folder if it lies elsewhere."""
    usual = os.path.join(samples_folder(path), sample.case, sample.name)
    return sample.name if sample.made or sample.at.path in (usual, sample.name) else sample.at.path


def grade(path: str, subject: Subject, sample: str, plan: Plan, change: str = "") -> Trial:
    """Grade one sample once, with the change of that name made to it.

    Raises `UnknownSampleError`, `UnknownChangeError`, and `SandboxError` if it could not be started.
    """
    with TemporaryDirectory(prefix="gradewright-samples-") as made:
        subject = with_image(subject, plan.sandbox, made)
        found = _find(path, subject, sample, plan, made)
        plan.sandbox.prepare(subject.verifier)
        trial = run_trial(subject, found, plan.sandbox, plan.limits)
        if not change:
            return trial
        return run_trial(subject, found, plan.sandbox, plan.limits, _change(subject, trial, change))


def _find(path: str, subject: Subject, name: str, plan: Plan, made: str) -> Sample:
    if name != ORACLE or not os.path.isfile(f"{subject.task}/{SOLUTION}"):
        return find_sample(path, subject, name, made)
    oracle, why = _oracle(subject, plan, made)
    if oracle is None:
        raise UnknownSampleError(f"case `{subject.case}`: {NO_ORACLE} leaves no sample: {why}")
    return oracle


def solved(subject: Subject, plan: Plan, folder: str) -> str:
    """The workspace that the reference solution leaves, in `folder`; raises `UnknownSampleError` if there is none."""
    if not os.path.isfile(f"{subject.task}/{SOLUTION}"):
        raise UnknownSampleError(f"case `{subject.case}` has no `{SOLUTION}`")
    sample, why = _oracle(with_image(subject, plan.sandbox, folder), plan, folder)
    if sample is None or sample.workspace is None:
        raise UnknownSampleError(f"case `{subject.case}`: {NO_ORACLE} leaves no sample: {why}")
    return sample.workspace


def _change(subject: Subject, trial: Trial, name: str) -> Change:
    passes = trial.reward.overall is not None and trial.reward.overall >= subject.threshold
    for change in chain(changes_of(subject, trial, passes=passes), again(2, _MOST_RUNS)):
        if change.name == name:
            return change
    raise UnknownChangeError(f"sample `{trial.sample.name}` of case `{subject.case}` has no change `{name}`")
