"""Small cases with graders of any quality, for tests of what is done to samples."""

import json
import shutil
import textwrap
from pathlib import Path

from gradewright.finding import Location
from gradewright.model import Sample, Trial
from gradewright.prove.change import Change
from gradewright.prove.engine import changes_of
from gradewright.prove.subject import Subject
from gradewright.prove.trial import run_trial
from gradewright.sandbox.bubblewrap import Bubblewrap
from gradewright.sandbox.protocol import Limits

LIMITS = Limits(seconds=2, memory=192 << 20)
START = {
    "input/data.csv": "name,count\na,1\nb,2\nc,3\n",
    "app.py": "def total(counts):\n    return 0\n",
    "check.sh": "#!/bin/sh\ngrep -q done state.txt\n",
}
GOOD = {
    "app.py": "def total(counts):\n    return sum(counts)\n",
    "out/notes.txt": "first: 1\nsecond: 2\nthird: 3\n",
    "out/result.json": json.dumps(
        {"total": 6, "items": [{"name": "a", "count": 10}, {"name": "b", "count": 20}]}, indent=1
    ),
    "out/table.csv": "name,count,price\na,1,2.50\nb,2,3.50\nc,3,4.50\n",
}
ENTRY = {"id": "case", "prompt": "Sum up the widgets", "expected_output": "six widgets", "assertions": ["names them"]}
TRAJECTORY = {
    "schema_version": "ATIF-v1.6",
    "agent": {"name": "test", "version": "1"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "Sum up the widgets"},
        {
            "step_id": 2,
            "source": "agent",
            "message": "",
            "tool_calls": [{"tool_call_id": "1", "function_name": "bash", "arguments": {"command": "python3 app.py"}}],
            "observation": {"results": [{"source_call_id": "1", "content": "6"}]},
        },
        {"step_id": 3, "source": "agent", "message": "The total is 6."},
    ],
}
PRELUDE = '''\
import json, os, stat, sys

FOLDER = "/workspace"
TRAJECTORY = "/logs/agent/trajectory.json"


def data(name, limit=1 << 20):
    """The bytes of a regular file where nothing is a link; nothing of what is none, or too large."""
    path = os.path.join(FOLDER, name)
    if os.path.realpath(os.path.dirname(path)) != os.path.dirname(path):
        return b""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW), "rb") as stream:
            regular = stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
            found = stream.read(limit + 1) if regular else b""
    except OSError:
        return b""
    return found if len(found) <= limit else b""


def value(name, limit=1 << 20):
    try:
        return json.loads(data(name, limit))
    except (ValueError, RecursionError):
        return None


def steps():
    """The steps of the agent."""
    record = value(TRAJECTORY, 64 << 20)
    found = record.get("steps") if isinstance(record, dict) else None
    found = found if isinstance(found, list) else []
    return [step for step in found if isinstance(step, dict) and step.get("source") == "agent"]


def answer():
    texts = []
    for step in steps():
        message = step.get("message")
        parts = message if isinstance(message, list) else [{"text": message}]
        texts.append("".join(str(part.get("text") or "") for part in parts if isinstance(part, dict)))
    return next((text for text in reversed(texts) if text.strip()), "")


def read(name):
    """Without any care."""
    with open(os.path.join(FOLDER, name)) as stream:
        return stream.read()


def give(score):
    for name in ("reward.json", "reward.txt"):
        path = "/logs/verifier/" + name
        if os.path.lexists(path):
            os.unlink(path)
    with open("/logs/verifier/reward.json", "x") as stream:
        json.dump({"overall": float(score), "custom_metrics": {"work": float(score)}}, stream)


'''
CHECKS = {name: text for name, text in GOOD.items() if name != "app.py"} | {"app.py": GOOD["app.py"]}
SOUND = (
    f"GOOD = {CHECKS!r}\n"
    "right = sum(data(name) == text.encode() for name, text in GOOD.items())\n"
    "called = [call for step in steps() for call in step.get('tool_calls') or [] if isinstance(call, dict)]\n"
    "commands = [call.get('arguments') for call in called]\n"
    "right += answer() == 'The total is 6.'\n"
    "right += {'command': 'python3 app.py'} in commands\n"
    "give(right / 6)\n"
)
"""Looks at everything, and stumbles over nothing."""


class Bench:
    """One case in a folder: graders, samples, and the changes made to them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.start = folder / "start"
        self.libraries: tuple[tuple[str, str], ...] = ()
        write(self.start, START)
        write(folder / "good", GOOD)
        write(folder, {"trajectory.json": json.dumps(TRAJECTORY)})

    def subject(self, text: str, script: str = "grader.py", others: dict[str, str] | None = None) -> Subject:
        """The case with a grader whose own part is `text`."""
        code = PRELUDE + textwrap.dedent(text) if script.endswith(".py") else textwrap.dedent(text)
        shutil.rmtree(self.folder / "tests", ignore_errors=True)
        write(self.folder / "tests", {script: code, **(others or {})})
        words = ("python3" if script.endswith(".py") else "bash", f"/tests/{script}")
        tests = ((f"{self.folder}/tests", "/tests"),)
        start = ((str(self.start), "/workspace"), *self.libraries)
        return Subject("case", "skillevaluator", words, tests, start, "/workspace", ENTRY, 0.5)

    def sample(self, *, good: bool) -> Sample:
        if not good:
            return Sample("case", "bad", False, Location("bad"))
        trajectory = str(self.folder / "trajectory.json")
        return Sample("case", "good", True, Location("good"), workspace=f"{self.folder}/good", trajectory=trajectory)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def graded(subject: Subject, sample: Sample, change: Change | None = None, limits: Limits = LIMITS) -> Trial:
    return run_trial(subject, sample, Bubblewrap(), limits, change)


def changes(subject: Subject, origin: Trial, kind: str) -> dict[str, Change]:
    passes = (origin.reward.overall or 0.0) >= subject.threshold
    found = [change for change in changes_of(subject, origin, passes=passes) if change.kind == kind]
    assert len({change.name for change in found}) == len(found)
    return {change.name: change for change in found}
