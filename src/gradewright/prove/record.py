"""Record a sample: gather what a piece of work is made of, as changes below the skill or task."""

import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

from gradewright.contract import case_id_problem
from gradewright.model import Problem
from gradewright.prove.samples import samples_folder
from gradewright.prove.subject import Subject
from gradewright.read.files import read_bytes
from gradewright.write import Change, WriteError

MAX_FILES = 2_000
MAX_BYTES = 64 << 20
"""Of all files of a sample together."""

_PARTS = frozenset({"workspace", "trajectory.json", "logs", "expect.toml"})
_HISTORY = frozenset({".git", ".hg", ".svn", ".jj", ".bzr"})
_VERDICTS = {True: "pass", False: "fail"}


class Recorded(NamedTuple):
    """A sample to be recorded in `folder`: its files by their place in it, and what its author should know."""

    folder: str
    files: dict[str, bytes]
    notes: tuple[str, ...]
    executable: frozenset[str] = frozenset()


class _Gathering:
    """Files of a sample, read one after the other within bounds."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.skipped: list[str] = []
        self.executable: set[str] = set()
        self._left = MAX_BYTES

    def take(self, path: str, place: str) -> None:
        """Take a file, or all below a folder; links are not followed, and pipes and devices not opened."""
        mode = os.lstat(path).st_mode
        if stat.S_ISDIR(mode):
            for name in sorted(os.listdir(path)):
                if name in _HISTORY:
                    self.skipped.append(f"{place}/{name}")
                else:
                    self.take(os.path.join(path, name), f"{place}/{name}")
        elif stat.S_ISREG(mode):
            self._read(path, place)
            if mode & stat.S_IXUSR:
                self.executable.add(place)
        else:
            self.skipped.append(place)

    def _read(self, path: str, place: str) -> None:
        data = read_bytes(path, "sample", limit=self._left)
        if data is None or isinstance(data, Problem):
            why = data.detail if data else "it has gone"
            raise WriteError(f"`{path}` cannot be recorded: {why}", _BOUNDS)
        self._left -= len(data)
        self.files[place] = data
        if len(self.files) > MAX_FILES:
            raise WriteError(f"the sample has more than {MAX_FILES:,} files", _BOUNDS)


_BOUNDS = f"record only what the grader looks at: at most {MAX_FILES:,} files and {MAX_BYTES >> 20} MiB together"


def from_folder(path: str, subject: Subject, name: str, folder: str) -> Recorded:
    """A sample from `folder`: one that has the parts of a sample and nothing else, or the state that the agent left."""
    gathered = _Gathering()
    if not os.path.isdir(folder):
        raise WriteError(f"`{folder}` is not a folder", "name the folder that the agent worked in")
    inner = sorted(os.listdir(folder))
    if inner and set(inner) <= _PARTS:
        for part in inner:
            gathered.take(os.path.join(folder, part), part)
    else:
        gathered.take(folder, "workspace")
    return _recorded(path, subject, name, gathered)


def from_trial(path: str, subject: Subject, name: str, trial: str) -> Recorded:
    """A sample from the folder of a Harbor trial: what the agent did, and its work if that was collected.

    The rewards of the trial are left out: a grader has to come to its own.
    """
    agent = os.path.join(trial, "agent")
    if not os.path.isdir(agent):
        raise WriteError(f"`{trial}` is no folder of a Harbor trial: it has no `agent/`", "name jobs/JOB/TRIAL")
    gathered = _Gathering()
    for inner in sorted(os.listdir(agent)):
        place = inner if inner == "trajectory.json" else f"logs/agent/{inner}"
        gathered.take(os.path.join(agent, inner), place)
    artifacts = os.path.join(trial, "artifacts")
    kept = os.path.join(artifacts, subject.folder.lstrip("/"))
    notes = []
    if os.path.isdir(kept):
        gathered.take(kept, "workspace")
    else:
        notes.append(f"the trial did not keep `{subject.folder}`: this shows what the agent did, not what it left")
    return _recorded(path, subject, name, gathered, notes)


def _recorded(path: str, subject: Subject, name: str, gathered: _Gathering, notes: list[str] | None = None) -> Recorded:
    problem = case_id_problem(name) or case_id_problem(subject.case)
    if problem:
        raise WriteError(f"the sample's name {problem}", "use letters, digits, `.`, `_` and `-`")
    if not gathered.files:
        raise WriteError("there is nothing to record", "name a folder with files in it")
    skipped = gathered.skipped
    told = [f"left out, because it is no regular file or belongs to version control: {place}" for place in skipped[:10]]
    told += [f"{len(skipped) - 10} more were left out"] if len(skipped) > 10 else []
    inner = os.path.relpath(os.path.join(samples_folder(path), subject.case, name), path).replace(os.sep, "/")
    return Recorded(inner, gathered.files, (*(notes or ()), *told), frozenset(gathered.executable))


def with_verdict(recorded: Recorded, name: str, passes: bool | None) -> Recorded:
    """The sample with its right verdict written down; raises WriteError if its name says something else."""
    named = True if name.startswith("good") else False if name.startswith("bad") else None
    if passes is not None and named is not None and passes != named:
        raise WriteError(f"the name `{name}` says `{_VERDICTS[named]}`", "take a name that begins with neither")
    if passes is not None and named is None and "expect.toml" not in recorded.files:
        text = f'verdict = "{_VERDICTS[passes]}"\n'
        return recorded._replace(files={**recorded.files, "expect.toml": text.encode()})
    if passes is None and named is None and "expect.toml" not in recorded.files:
        note = "nobody says whether this is good work: add `--verdict`, or a name that begins with `good` or `bad`"
        return recorded._replace(notes=(*recorded.notes, note))
    return recorded


def changes_for(path: str, recorded: Recorded, *, force: bool) -> Iterator[Change]:
    """What is to be written; with `force` in place of a sample of the same name."""
    folder = os.path.join(path, recorded.folder)
    old = dict(_present(folder, recorded.folder)) if os.path.lexists(folder) else {}
    if os.path.lexists(folder) and not force:
        raise WriteError(f"the sample `{folder}` exists already", "add --force to replace it, or take another name")
    wanted = {f"{recorded.folder}/{place}": data for place, data in recorded.files.items()}
    for place, data in wanted.items():
        mode = 0o755 if place.removeprefix(f"{recorded.folder}/") in recorded.executable else 0o644
        yield Change(place, data, mode, expect=old.get(place))
    for place in old.keys() - wanted.keys():
        yield Change(place, None, expect=old[place])


def _present(folder: str, place: str) -> Iterator[tuple[str, bytes]]:
    gathered = _Gathering()
    gathered.take(folder, place)
    if gathered.skipped:
        raise WriteError(f"`{gathered.skipped[0]}` is no regular file", "move it away")
    yield from gathered.files.items()
