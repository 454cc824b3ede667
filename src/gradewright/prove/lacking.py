"""Tell a grader that is at fault from one that merely lacks here what its own image brings."""

import re
from collections.abc import Iterable, Iterator

from gradewright.model import Outcome, Trial
from gradewright.prove.subject import Subject

NETWORK = "the network"
WRITABLE = "a system it can write to"
NEWER = "a newer Python"
IMAGE = "what its image brings"
_TAIL = 1 << 16
"""Characters of each stream that are looked at, from its end."""

_PROGRAM = re.compile(r"(?:^|: )([\w.+-]{1,64}): (?:command )?not found$", re.M)
_STARTED = re.compile(r"(?:FileNotFoundError: |/usr/bin/env: ).{0,40}['\u2018]([\w.+-]{1,64})['\u2019]", re.M)
_MODULE = re.compile(r"No module named '?([A-Za-z_]\w{0,63})")
_OFFLINE = re.compile(
    r"Could not resolve host|[Tt]emporary failure (?:in name resolution|resolving)|Network is unreachable"
    r"|Name or service not known|[Ff]ailed to lookup address|dns error|EAI_AGAIN"
)
_OLD = re.compile(r"^SyntaxError: |^ImportError: cannot import name .* from '(?!__main__)\w+' \(/usr/", re.M)
"""What a Python says that is older than the script: whether it is right, a check of the syntax tells."""

_READ_ONLY = re.compile(r"Read-only file system|are you root\?|Unable to acquire the dpkg")


def lacks(outcome: Outcome) -> tuple[str, ...]:
    """What a script says it did not find, in words; each of them may be the sample's own fault."""
    text = outcome.stderr[-_TAIL:] + "\n" + outcome.stdout[-_TAIL:]
    found = [f"the program `{name}`" for name in (*_PROGRAM.findall(text), *_STARTED.findall(text))]
    found += [f"the Python module `{name}`" for name in _MODULE.findall(text)]
    found += [NETWORK] if _OFFLINE.search(text) else []
    found += [NEWER] if _OLD.search(text) else []
    found += [WRITABLE] if _READ_ONLY.search(text) else []
    return tuple(dict.fromkeys(found))


def settled(subject: Subject, trials: Iterable[Trial], *, network: bool, image: bool) -> tuple[Trial, ...]:
    """The trials with what was `lacking`, which is nothing where good work passes here and other work does not.

    A complaint beside that is one about the sample, or about something that the grader can do without. `network` and
    `image` tell whether the sandbox gives these to the grader.
    """
    trials = tuple(trials)
    passed = [trial.sample.passes for trial in trials if _passes(trial, subject.threshold)]
    failed = [trial.sample.passes for trial in trials if not _passes(trial, subject.threshold)]
    if True in passed and False in failed:
        return tuple(trial._replace(lacking=()) for trial in trials)
    known = ((NETWORK,) if subject.fetches and not network else ()) + (() if subject.whole or image else (IMAGE,))
    return tuple(trial._replace(lacking=tuple(dict.fromkeys((*trial.lacking, *known)))) for trial in trials)


def remedies(lacking: Iterable[str]) -> Iterator[str]:
    """How to get what is lacking."""
    names = set(lacking)
    if NETWORK in names:
        yield "`--network`"
    if names - {NETWORK}:
        yield "a sandbox with the task's image (`--sandbox container`)"


def _passes(trial: Trial, threshold: float) -> bool:
    return trial.reward.overall is not None and trial.reward.overall >= threshold
