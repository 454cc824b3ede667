"""What the reference solution of a native case leaves behind."""

import os
import shutil
from tempfile import mkdtemp

from gradewright.finding import Location
from gradewright.model import Outcome, Sample
from gradewright.prove.stage import copy, staged
from gradewright.prove.subject import Subject
from gradewright.sandbox.protocol import Command, Limits, Sandbox

ORACLE = "oracle"
SOLUTION = "solution/solve.sh"


def oracle_sample(subject: Subject, task: str, sandbox: Sandbox, limits: Limits, folder: str) -> tuple[Sample, Outcome]:
    """Run `solution/solve.sh` of the native case in `task` and keep what it made below `folder`.

    The solution lies at `/solution`, as for Harbor's own oracle; raises `SandboxError` if it could not be started.
    """
    kept = mkdtemp(prefix="oracle-", dir=folder)
    nothing = Sample(subject.case, ORACLE, True, Location(f"{task}/{SOLUTION}"), made=True)
    solved = subject._replace(start=(*subject.start, (f"{task}/solution", "/solution")), tests=(), entry=None)
    sandbox.prepare(subject.image)
    with staged(solved, nothing) as stage:
        command = Command(("bash", f"/{SOLUTION}"), subject.folder)
        outcome = sandbox.run(command, stage.mounts, limits)
        workspace = os.path.join(kept, "workspace")
        copy(stage.path(subject.folder), workspace)
        shutil.rmtree(os.path.join(kept, "logs"), ignore_errors=True)
    return nothing._replace(workspace=workspace), outcome
