"""Kill, interrupt and starve a transaction at every step: the old tree or the new one must remain.

Run as a script (`test_write_faults.py SCENARIO FAULT`) this file is the driver, one process without threads, that
forks a child for each step; a step is any call of the operating system that changes the disk.
"""

import errno
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from gradewright.write import STAGING_PREFIX, Change, WriteError
from gradewright.write.transaction import publish, recover

Tree = dict[str, tuple[int, bytes]]

OLD = {
    "SKILL.md": b"---\nname: s\n---\n",
    "evals/config.yml": b"schema_version: 1\n",
    "evals/grader.py": b"print()\n",
    "evals/harbor/dataset.toml": b'[dataset]\nname = "a/b"\n',
    "evals/harbor/case-001/task.toml": b"version = '1.0'\n",
    "evals/harbor/case-001/tests/test.sh": b"#!/bin/sh\n",
    "evals/harbor/case-001/tests/old/deep.txt": b"x\n",
}


def new(path: str, content: bytes = b"new\n", mode: int = 0o644) -> Change:
    return Change(path, content, mode)


def replaced(path: str, content: bytes = b"replaced\n", mode: int = 0o644) -> Change:
    return Change(path, content, mode, OLD[path])


def removed(path: str) -> Change:
    return Change(path, None, expect=OLD[path])


CASE = ["task.toml", "instruction.md", "environment/Dockerfile", "tests/test.sh", "solution/solve.sh"]
SCENARIOS = {
    "new-case": [
        replaced("evals/harbor/dataset.toml", b'[dataset]\nname = "a/b"\n[[tasks]]\nname = "a/case-002"\n'),
        *(new(f"evals/harbor/case-002/{name}", mode=0o755) for name in CASE),
        replaced("evals/config.yml", b"schema_version: 1\ngrading:\n  mode: custom_only\n"),
    ],
    "other-language": [new("evals/grader.sh", mode=0o755), removed("evals/grader.py"), replaced("evals/config.yml")],
    "replace-case": [
        replaced("evals/harbor/case-001/task.toml", mode=0o755),
        new("evals/harbor/case-001/environment/Dockerfile"),
        removed("evals/harbor/case-001/tests/test.sh"),
        removed("evals/harbor/case-001/tests/old/deep.txt"),
    ],
}
STEPS = {"os.mkdir", "os.rename", "os.link", "os.remove", "os.rmdir", "os.chmod", "os.chown", "os.truncate"}


def tree(root: str) -> Tree:
    """Every file and folder below `root` with its permissions and content."""
    found: Tree = {}
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            path = os.path.join(folder, name)
            content = b"" if name in folders else Path(path).read_bytes()
            found[os.path.relpath(path, root)] = (stat.S_IMODE(os.lstat(path).st_mode), content)
    return found


def plant(root: str) -> None:
    for path, content in OLD.items():
        target = Path(root, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    Path(root, "evals/grader.py").chmod(0o750)


class Fault:
    """Does `act` before the `at`-th step of this process, and before each later one if `lasting`."""

    def __init__(self, at: int, act: str, *, lasting: bool = False) -> None:
        self.at, self.act, self.lasting, self.count = at, act, lasting, 0

    def install(self) -> None:
        fsync = os.fsync
        sys.addaudithook(self.on_audit)

        def counted(descriptor: int) -> None:
            self.step()
            fsync(descriptor)

        os.fsync = counted  # type: ignore[assignment]

    def on_audit(self, event: str, args: tuple[object, ...]) -> None:
        writing = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
        if event in STEPS or writing:
            self.step()

    def step(self) -> None:
        self.count += 1
        if self.count == self.at or (self.lasting and self.count > self.at):
            self.strike()

    def strike(self) -> None:
        if self.act == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.act == "terminate":
            os.kill(os.getpid(), signal.SIGTERM)
        if self.act == "interrupt":
            raise KeyboardInterrupt
        if self.act == "full":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def child(work: str, fault: Fault, todo: str, changes: list[Change]) -> int:
    """Run `todo` in a child under `fault`: 0 done, 1 refused with WriteError, 2 interrupted, below 0 by a signal."""
    pid = os.fork()
    if pid == 0:
        code = 3
        try:
            fault.install()
            if todo == "publish":
                publish(work, changes)
            else:
                recover(work)
            code = 0
        except WriteError as error:
            code = 1 if error.hint and "`" + STAGING_PREFIX not in error.message else 4
        except KeyboardInterrupt:
            code = 2
        finally:
            os._exit(code if fault.count >= fault.at or code else 100)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Trial:
    """One scenario, its tree before and after, and what was seen to go wrong."""

    def __init__(self, scenario: str) -> None:
        self.changes = SCENARIOS[scenario]
        self.home = tempfile.mkdtemp()
        self.failures: list[str] = []
        self.steps = 0
        self.root = self.fresh()
        self.old = tree(self.root)
        publish(self.root, self.changes)
        self.new = tree(self.root)

    def fresh(self) -> str:
        root = os.path.join(self.home, "a skill's \u00e9")
        shutil.rmtree(root, ignore_errors=True)
        plant(root)
        return root

    def expect(self, what: str, *trees: Tree) -> None:
        if tree(self.root) not in trees:
            self.failures.append(f"{what}: {sorted(tree(self.root))}")

    def coherent(self, what: str) -> None:
        """Before any recovery: a listed case is whole, and every file holds its old or its new content."""
        seen = {path: entry for path, entry in tree(self.root).items() if not path.startswith(STAGING_PREFIX)}
        torn = [path for path, entry in seen.items() if entry not in (self.old.get(path), self.new.get(path))]
        listed = b"case-002" in seen["evals/harbor/dataset.toml"][1]
        if torn or (listed and any(f"evals/harbor/case-002/{name}" not in seen for name in CASE)):
            self.failures.append(f"{what}: incoherent {torn}")


def killed(trial: Trial) -> None:
    for at in range(1, 1000):
        trial.root = trial.fresh()
        trial.steps = at
        code = child(trial.root, Fault(at, "kill"), "publish", trial.changes)
        trial.coherent(f"killed at {at}")
        half = tree(trial.root)
        recover(trial.root)
        trial.expect(f"killed at {at}", trial.old, trial.new)
        if code == 100:
            return trial.expect("not killed", trial.new)
        if any("journal" in path for path in half) and at % 3 == 0:
            killed_again(trial, at)
    return None


def killed_again(trial: Trial, first: int) -> None:
    for at in range(1, 1000):
        trial.root = trial.fresh()
        child(trial.root, Fault(first, "kill"), "publish", trial.changes)
        code = child(trial.root, Fault(at, "kill"), "recover", [])
        recover(trial.root)
        trial.expect(f"killed at {first}, recovery killed at {at}", trial.old, trial.new)
        if code == 100:
            return


def stopped(trial: Trial, act: str, *, lasting: bool) -> None:
    for at in range(1, 1000):
        trial.root = trial.fresh()
        trial.steps = at
        code = child(trial.root, Fault(at, act, lasting=lasting), "publish", trial.changes)
        what = f"{act} at {at} ended with {code}"
        if code in (0, 100) and not lasting:
            recover(trial.root)
            trial.expect(what, trial.new)
        elif code == 1 and not lasting:
            trial.expect(what, trial.old)
        elif code in (3, 4):
            trial.failures.append(what)
        elif code == -signal.SIGTERM:
            trial.expect(what, trial.old, trial.new)
        recover(trial.root)
        trial.expect(f"{what}, recovered", trial.old, trial.new)
        if code == 100:
            return


FAULTS = {
    "killed": killed,
    "terminated": lambda trial: stopped(trial, "terminate", lasting=False),
    "interrupted": lambda trial: stopped(trial, "interrupt", lasting=False),
    "disk-full-once": lambda trial: stopped(trial, "full", lasting=False),
    "disk-full-for-good": lambda trial: stopped(trial, "full", lasting=True),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_old_tree_or_the_new_one_remains(scenario: str, fault: str) -> None:
    run = subprocess.run(
        [sys.executable, __file__, scenario, fault], capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stderr
    outcome = json.loads(run.stdout)
    assert outcome["failures"] == []
    assert outcome["steps"] > 15


def main(scenario: str, fault: str) -> None:
    trial = Trial(scenario)
    try:
        FAULTS[fault](trial)
    finally:
        shutil.rmtree(trial.home, ignore_errors=True)
    print(json.dumps({"steps": trial.steps, "failures": trial.failures}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
