"""Find what can be graded in a skill or a Harbor task, put together as the platform that grades it does."""

import os
from collections.abc import Iterator
from typing import Any

from gradewright.contract import FIXTURES_PLACE, GRADER_FILES, PASS_THRESHOLD, VERIFIER_SECONDS, WORKSPACE
from gradewright.model import Case, Policy, Task
from gradewright.model.install import download
from gradewright.prove.subject import Subject
from gradewright.read.discover import SKILL, TASK, Root, discover
from gradewright.read.task.native import read_task
from gradewright.read.task.start import Start, read_start
from gradewright.read.walk import Head, case_folders, read_head

HARBOR, SKILLEVALUATOR = "harbor", "skillevaluator"
TARGETS = (HARBOR, SKILLEVALUATOR)
_STARTERS = {".py": "python3", ".sh": "bash"}
_LEGACY = {"question": "prompt", "ground_truth": "expected_output", "expected_behavior": "assertions"}
"""Under both names a grader finds the same in its entry."""


class NothingToGradeError(Exception):
    """There is no grader, or no case of that name; the message says so."""


def subjects_of(path: str, *, target: str | None = None, case: str | None = None) -> Iterator[Subject]:
    """What is graded below `path`, a skill or a Harbor task: by `target`, or where None by each platform that does it.

    Raises `NothingToGradeError` if there is nothing of the kind, or no case called `case`.
    """
    root = next((found for found in discover(path) if isinstance(found, Root) and found.kind in (SKILL, TASK)), None)
    if root is None:
        raise NothingToGradeError(f"{path}: neither a skill with `evals/` nor a Harbor task was found here")
    targets = (target,) if target else TARGETS
    found = list(_of_skill(root, targets) if root.kind == SKILL else _of_task(root.path, None, None, targets))
    if not found:
        raise NothingToGradeError(f"{path}: there is no grader that {' or '.join(targets)} would run")
    wanted = [subject for subject in found if case in (None, subject.case)]
    if not wanted:
        names = ", ".join(f"`{name}`" for name in dict.fromkeys(subject.case for subject in found))
        raise NothingToGradeError(f"{path}: there is no case `{case}`; the cases are {names}")
    yield from wanted


def _of_skill(root: Root, targets: tuple[str, ...]) -> Iterator[Subject]:
    head = read_head(root.path)
    folders, _ = case_folders(root)
    if SKILLEVALUATOR in targets and head.graders and head.dataset and _source(head, folders) != "native_harbor":
        for case in head.dataset.cases:
            yield _of_entry(root.path, head, case)
    for folder in folders:
        yield from _of_task(folder, head, root.path, targets)


def _source(head: Head, folders: list[str]) -> Any:
    wanted = head.policy.task_source
    return wanted if wanted != "auto" else "evals_json" if head.dataset or not folders else "native_harbor"


def _of_entry(skill: str, head: Head, case: Case) -> Subject:
    """A dataset entry, graded by the skill's own grader."""
    grader = os.path.basename(head.graders[0].at.path)
    return Subject(
        case=str(case.id),
        target=SKILLEVALUATOR,
        words=(_STARTERS[os.path.splitext(grader)[1]], f"/tests/{grader}"),
        tests=((head.graders[0].at.path, f"/tests/{grader}"),),
        start=tuple(_fixtures(os.path.join(skill, "evals"), case)),
        folder=WORKSPACE,
        entry=_entry(case, head.policy, os.path.basename(os.path.abspath(skill))),
        threshold=_threshold(head.policy.pass_threshold),
        grader=head.graders[0].at.path,
        fetches=any(download(run) for run in head.graders[0].runs),
    )


def _of_task(folder: str, head: Head | None, skill: str | None, targets: tuple[str, ...]) -> Iterator[Subject]:
    """A native case, graded by its test script under Harbor and by its grader, if it has one, under SkillEvaluator."""
    task = read_task(folder, [], in_skill=skill is not None)
    start = read_start(folder, WORKSPACE)
    given = head.policy.pass_threshold if head else None
    if HARBOR in targets and task.test_script:
        yield _native(task, "test.sh", HARBOR, start, None, given)
    grader = next((script for script in GRADER_FILES if f"tests/{script}" in task.present), None)
    if SKILLEVALUATOR in targets and head and skill and (grader or task.test_script):
        script = grader or "test.sh"
        case = _entry_of(task, head)
        entry = _entry(case, head.policy, os.path.basename(os.path.abspath(skill))) if case else {"id": task.entry_id}
        yield _native(task, script, SKILLEVALUATOR, start, entry, given)


def _native(task: Task, script: str, target: str, start: Start, entry: dict[str, Any] | None, given: Any) -> Subject:
    """A native case, graded by one of the scripts in its `tests/`."""
    image = _image(task)
    return Subject(
        case=os.path.basename(os.path.abspath(task.folder)),
        target=target,
        words=(_STARTERS[os.path.splitext(script)[1]], f"/tests/{script}"),
        tests=((f"{task.folder}/tests", "/tests"),),
        start=start.files,
        folder=start.folder,
        entry=entry,
        threshold=_threshold(given),
        grader=f"{task.folder}/tests/{script}",
        task=task.folder,
        allowed=_seconds(task),
        folders=start.folders,
        whole=start.whole and "tests/Dockerfile" not in task.present,
        fetches=any(download(run) for found in task.scripts for run in found.runs),
        declared=target == SKILLEVALUATOR or given is not None,
        image=image,
        verifier=f"{task.folder}/tests" if "tests/Dockerfile" in task.present else image,
    )


def _image(task: Task) -> str:
    """The folder that the agent's image is built from, or the name of one that is ready."""
    environment = task.config.get("environment") if task.config else None
    named = environment.get("docker_image") if isinstance(environment, dict) else None
    return named if isinstance(named, str) and named else f"{task.folder}/environment"


def _seconds(task: Task) -> float:
    """How long the platform waits for the verifier; both take Harbor's own default."""
    verifier = task.config.get("verifier") if task.config else None
    given = verifier.get("timeout_sec") if isinstance(verifier, dict) else None
    return float(given) if isinstance(given, int | float) and given > 0 else VERIFIER_SECONDS


def _entry_of(task: Task, head: Head) -> Case | None:
    cases = head.dataset.cases if head.dataset else ()
    return next((case for case in cases if str(case.id) == str(task.entry_id)), None)


def _entry(case: Case, policy: Policy, skill: str) -> dict[str, Any]:
    """What SkillEvaluator writes into `entry.json` (section 2 of the contract), for the arm that has the skill."""
    entry = {str(key): value for key, value in case.entry.items()}
    values = {"prompt": case.prompt, "expected_output": case.expected_output, "assertions": case.assertions}
    return entry | {
        **{legacy: values[name] for legacy, name in _LEGACY.items()},
        "expected_skill": case.entry.get("expected_skill", skill),
        "has_skill": True,
        "grading_mode": policy.mode,
        "custom_grader": True,
        "skill_workspace_mode": "isolated",
        "workspace_skill_names": [skill],
    }


def _fixtures(evals: str, case: Case) -> Iterator[tuple[str, str]]:
    """The entry's fixtures and where the agent finds them; without `files` the whole pool is staged."""
    if case.fixtures is None:
        pool = os.path.join(evals, "files")
        if os.path.isdir(pool):
            yield pool, FIXTURES_PLACE
        return
    for fixture in case.fixtures:
        if fixture.state == "found":
            inner = fixture.path.removeprefix("./").removeprefix("evals/")
            yield os.path.join(evals, inner), f"{FIXTURES_PLACE}/{inner.removeprefix('files/')}"


def _threshold(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else PASS_THRESHOLD


def one_subject(path: str, *, target: str | None, case: str | None) -> Subject:
    """The subject that is meant; raises `NothingToGradeError`, also where there are several cases and none is named."""
    found = list(subjects_of(path, target=target, case=case))
    names = list(dict.fromkeys(subject.case for subject in found))
    if len(names) > 1:
        listed = ", ".join(f"`{name}`" for name in names[:20])
        raise NothingToGradeError(f"{path}: which of the {len(names)} cases? Name one with `--case`: {listed}")
    return found[0]
