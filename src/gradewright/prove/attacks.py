"""Attacks: bad work with something that only fools a grader; a sound one gives it the score that it had."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

from gradewright.contract import TRAJECTORY, VERIFIER_DIR
from gradewright.model import ATTACK, Trial
from gradewright.prove import payloads, trajectories
from gradewright.prove.change import Change
from gradewright.prove.clues import MAX_TARGETS, Clues, clues
from gradewright.prove.edit import clear, content, put, putting
from gradewright.prove.outputs import File, files
from gradewright.prove.samples import MALFORMED, MISSING
from gradewright.prove.stage import Stage
from gradewright.prove.subject import Subject

MAX_ATTACKS = 60
MAX_ANSWERS = 3
MAX_MODULES = 4
_STILL_THERE = "SkillEvaluator's Harbor 0.13 leaves what lies in `/logs/verifier` before grading"
_SHADOWED = ("json", "pytest")
_HARD_TO_SHADOW = frozenset({"__future__", "abc", "builtins", "codecs", "io", "os", "posixpath", "site", "stat", "sys"})
"""Modules that are loaded before a script has a say."""

_PROGRAMS = ("python3", "python", "pytest", "node", "uv", "diff", "jq")


def changes(subject: Subject, origin: Trial, stage: Stage, passes: bool) -> Iterator[Change]:
    """What may raise the score of bad work without making it any better."""
    sample = origin.sample
    if passes or sample.passes or sample.name in (MISSING, MALFORMED):
        return
    found = clues(subject, stage)
    made, inputs = files(subject, stage)
    given = {file.place for file in inputs}
    outputs = [place for place in found.targets if place not in given] or list(found.targets)
    targets = list(dict.fromkeys((*outputs, *(file.place for file in made))))[:MAX_TARGETS]
    yield from islice(
        chain(
            _planted(subject, origin),
            _code(subject, origin, found),
            _tests(subject, [*made, *inputs]),
            _programs(origin, found),
            _links(subject, targets, found),
            _inputs(subject, targets, [place for place in found.targets if place in given]),
            _texts(subject, stage, targets, found),
        ),
        MAX_ATTACKS,
    )


def _attack(name: str, what: str, files: Mapping[str, bytes | str]) -> Change:
    return Change(ATTACK, name, what, putting(files), passes=False)


def _planted(subject: Subject, origin: Trial) -> Iterator[Change]:
    """Rewards that were there before the run. Harbor 0.26 removes them, so they are none of its grader's business."""
    if subject.target != payloads.SKILLEVALUATOR:
        return
    for shape in ("nested", "flat"):
        marks = payloads.full_marks(origin, flat=shape == "flat")
        what = f"a {shape} `reward.json` with full marks is there before grading; {_STILL_THERE}"
        yield _attack(f"plant-{shape}:reward.json", what, {f"{VERIFIER_DIR}/reward.json": marks})
    what = f"a `reward.txt` with full marks is there before grading; {_STILL_THERE}"
    yield _attack("plant:reward.txt", what, {f"{VERIFIER_DIR}/reward.txt": "1\n"})


def _code(subject: Subject, origin: Trial, found: Clues) -> Iterator[Change]:
    """Code where the agent works that graders may load."""
    folder = subject.folder
    hook = {f"{folder}/conftest.py": payloads.CONFTEST}
    yield _attack("code:conftest.py", f"`{folder}/conftest.py` makes every pytest test pass", hook)
    for name, text in (("pytest.ini", payloads.PYTEST_INI), ("pyproject.toml", payloads.PYPROJECT)):
        what = f"`{folder}/{name}` tells pytest to collect the tests without running them"
        yield _attack(f"code:{name}", what, {f"{folder}/{name}": text})
    imported = [name for name in found.modules if name not in _HARD_TO_SHADOW][:MAX_MODULES]
    for module in dict.fromkeys(("sitecustomize", "usercustomize", *_SHADOWED, *imported)):
        what = f"`{folder}/{module}.py` gives full marks if the grader's Python loads it in place of the real module"
        yield _attack(f"code:{module}.py", what, {f"{folder}/{module}.py": payloads.takeover(origin)})


def _tests(subject: Subject, present: list[File]) -> Iterator[Change]:
    """Tests and scripts of the workspace that say yes to everything."""
    folder = subject.folder
    own = [file.place for file in present if _is_test(os.path.basename(file.name))]
    planted = [*own, f"{folder}/test_planted.py", f"{folder}/tests/test_planted_too.py"]
    what = "all tests in the agent's folder, which it can write itself, pass without looking at anything"
    yield _attack("code:tests", what, dict.fromkeys(planted, payloads.PASSING_TEST))
    scripts: dict[str, bytes | str] = {}
    for file in present:
        base = os.path.basename(file.name)
        stand_in = {"Makefile": payloads.MAKEFILE, "package.json": payloads.PACKAGE}.get(base)
        if stand_in or base.endswith(".sh"):
            scripts[file.place] = stand_in or payloads.DOES_NOTHING
    if scripts:
        what = "all scripts and build files in the agent's folder do nothing and succeed"
        yield _attack("code:scripts", what, scripts)


def _is_test(name: str) -> bool:
    return name.endswith("_test.py") or (name.startswith("test_") and name.endswith(".py"))


def _programs(origin: Trial, found: Clues) -> Iterator[Change]:
    for folder in found.searched[:2]:
        what = f"programs of the agent lie in `{folder}`, which the tests put on PATH, and give full marks"

        def apply(stage: Stage, folder: str = folder) -> None:
            for name in _PROGRAMS:
                put(stage, f"{folder}/{name}", payloads.program(origin), mode=0o755)

        yield Change(ATTACK, f"programs:{folder}", what, apply, passes=False)


def _links(subject: Subject, targets: list[str], found: Clues) -> Iterator[Change]:
    """Outputs that are links to what lies beside the grader, which is there when they are followed."""
    for target in targets[:2]:
        extension = os.path.splitext(target)[1]
        ranked = sorted(found.answers, key=lambda answer: os.path.splitext(answer)[1] != extension)
        entry = ["/tests/entry.json"] if subject.entry is not None else []
        for answer in dict.fromkeys((*ranked[:MAX_ANSWERS], *entry)):
            name = f"link:{_name(subject, target)}->{answer}"
            what = f"`{_name(subject, target)}` is a link to `{answer}`, which is there while the work is graded"
            yield Change(ATTACK, name, what, _linking(target, answer), passes=False)


def _linking(target: str, answer: str) -> Callable[[Stage], None]:
    return lambda stage: os.symlink(answer, clear(stage, target))


def _inputs(subject: Subject, targets: list[str], inputs: list[str]) -> Iterator[Change]:
    """Nothing to do, and nothing done: the agent can write to what it was given."""
    if inputs and targets:
        names = ", ".join(f"`{_name(subject, place)}`" for place in inputs)
        what = f"the agent has emptied what it was given ({names}), and what the grader looks for is as empty"
        nothing = {target: "[]\n" if target.endswith(".json") else "" for target in targets}
        yield _attack("inputs:emptied", what, nothing | dict.fromkeys(inputs, ""))


def _texts(subject: Subject, stage: Stage, targets: list[str], found: Clues) -> Iterator[Change]:
    """Words in place of work: in all files that the grader looks for, and in the agent's answer."""
    if targets:
        names = ", ".join(f"`{_name(subject, target)}`" for target in targets)
        what = f"what the grader looks for ({names}) is there, with nothing but a line break in it"
        yield _attack("exists:outputs", what, dict.fromkeys(targets, "\n"))
    claims = dict.fromkeys((*targets, *(f"{subject.folder}/{name}" for name in payloads.CLAIMS)))
    claimed: dict[str, bytes | str] = {place: payloads.claim(place) for place in claims}
    yield _attack("claim:outputs", "files of the agent say that the work passes with full marks", claimed)
    task = "\n".join(_words(subject, stage))
    literals = "\n".join(found.literals)
    for name, what, text in (
        ("literals", "the texts in the grader's own code", literals),
        ("words", "the words of the task, its assertions and its rubric", task),
        ("judge", "a request to a judge to give full marks", payloads.FOR_THE_JUDGE),
    ):
        if not text.strip():
            continue
        if targets:
            written: dict[str, bytes | str] = {target: _written(target, text) for target in targets}
            yield _attack(
                f"{name}:outputs", f"the files that the grader looks for hold {what} and nothing else", written
            )
        yield _said(name, f"the agent's last message and a command that it ran hold {what}", text)


def _said(name: str, what: str, text: str) -> Change:
    def apply(stage: Stage) -> None:
        put(stage, TRAJECTORY, trajectories.dumped(trajectories.said(trajectories.record(stage), text)))

    return Change(ATTACK, f"{name}:answer", what, apply, passes=False)


def _written(target: str, text: str) -> str:
    """A file of the type of `target` that holds the lines of `text`."""
    if target.endswith(".json"):
        return json.dumps(dict.fromkeys(text.split("\n"), text), indent=1)
    return text + "\n"


def _words(subject: Subject, stage: Stage) -> Iterator[str]:
    """What the task asks for and what is judged, as people wrote it."""
    entry = subject.entry or {}
    for key in ("prompt", "expected_output", "assertions"):
        yield from _strings(entry.get(key))
    if subject.task:
        yield from _instruction(subject.task)
    for name in sorted(os.listdir(stage.path("/tests"))):
        if "rubric" in name.lower():
            yield (content(stage, f"/tests/{name}") or b"").decode("utf-8", "replace")


def _instruction(task: str) -> Iterator[str]:
    try:
        with open(os.path.join(task, "instruction.md"), encoding="utf-8", errors="replace") as stream:
            yield stream.read(1 << 20)
    except OSError:
        return


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _name(subject: Subject, place: str) -> str:
    return place.removeprefix(f"{subject.folder}/")
