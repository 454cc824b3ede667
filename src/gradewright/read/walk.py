"""One pass over a skill or a task: every file is opened once, and its nodes are handed out as they are read."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gradewright.contract import GRADER_FILES, GRADING_SCRIPTS, case_id_problem
from gradewright.finding import Location
from gradewright.model import (
    UNREADABLE,
    Answer,
    Brief,
    Dataset,
    FrontMatter,
    Grader,
    Grading,
    Manifest,
    Node,
    Policy,
    Problem,
    Skill,
    Task,
)
from gradewright.model.giveaway import says_something
from gradewright.read.discover import Root
from gradewright.read.files import leads_to_folder, link_problem
from gradewright.read.grader import read_grader
from gradewright.read.skill.dataset import read_dataset
from gradewright.read.skill.folder import (
    layout,
    linked_graders,
    list_fixtures,
    read_front_matter,
    skill_links,
    unreadable_evals,
)
from gradewright.read.skill.manifest import read_manifest
from gradewright.read.skill.policy import read_policy
from gradewright.read.skill.workspace import Place, gradings_below, gradings_of_skill
from gradewright.read.task.native import read_brief, read_task


class Head(NamedTuple):
    """What a skill holds besides its native cases."""

    skill_md: str | None
    front_matter: FrontMatter | None
    dataset: Dataset | None
    policy: Policy
    graders: tuple[Grader, ...]
    manifest: Manifest | None
    fixtures: tuple[str, ...]
    problems: tuple[Problem, ...]
    gradings: tuple[Grading, ...] = ()

    def nodes(self) -> Iterator[Node]:
        """The nodes that can be judged before any native case is read."""
        yield from self.problems
        if self.dataset:
            yield self.dataset
            yield from self.dataset.cases
        yield self.policy
        yield from self.graders
        if self.manifest:
            yield self.manifest
        yield from self.gradings


def read_head(skill: str) -> Head:
    """Read SKILL.md and all of `evals/` but the native cases."""
    problems: list[Problem] = []
    evals = os.path.join(skill, "evals")
    skill_md = _skill_md(skill)
    front_matter = read_front_matter(os.path.join(skill, skill_md), problems) if skill_md else None
    problems += skill_links(skill)
    barred = unreadable_evals(skill)
    if barred:
        return _without_evals(skill_md, front_matter, Location(evals), [*problems, barred])
    problems += linked_graders(evals)
    gradings = _gradings(gradings_of_skill(skill), problems)
    graders = (read_grader(os.path.join(evals, name), problems, role="grader", native=False) for name in GRADER_FILES)
    return Head(
        skill_md=skill_md,
        front_matter=front_matter,
        dataset=read_dataset(evals, problems),
        policy=read_policy(evals, problems),
        graders=tuple(grader for grader in graders if grader),
        manifest=read_manifest(os.path.join(evals, "harbor", "dataset.toml"), problems),
        fixtures=list_fixtures(evals, problems),
        problems=tuple(problems),
        gradings=tuple(gradings),
    )


def grading_nodes(path: str) -> Iterator[Node]:
    """The grading files of a workspace, of a part of one, or the only one that `path` is."""
    for place in gradings_below(path):
        problems: list[Problem] = []
        gradings = _gradings([place], problems)
        yield from problems
        yield from gradings


def _gradings(places: Iterable[Place], problems: list[Problem]) -> list[Grading]:
    """What the grading files at `places` hold; what is wrong with them joins `problems`."""
    found = []
    for place in places:
        from gradewright.read.skill.grading import read_grading

        grading = read_grading(place.path, problems, belongs=place.belongs)
        found += [grading] if grading else []
    return found


def _without_evals(
    skill_md: str | None, front_matter: FrontMatter | None, at: Location, problems: list[Problem]
) -> Head:
    """What is left of a skill whose `evals/` may not be looked into: nothing follows from what is not seen there."""
    return Head(
        skill_md=skill_md,
        front_matter=front_matter,
        dataset=Dataset("unreadable", None, (), (), at),
        policy=Policy(None, None, None, frozenset(), (), True, at),
        graders=(),
        manifest=None,
        fixtures=(),
        problems=tuple(problems),
    )


def case_folders(root: Root) -> tuple[list[str], list[Problem]]:
    """The native case folders of a skill, in order of name, as far as the root is not restricted to some.

    A link among them that leads nowhere or back to itself is a problem, and no folder; one that leaves the skill is a
    problem too.
    """
    harbor = os.path.join(root.path, "evals", "harbor")
    try:
        with os.scandir(harbor) as entries:
            listed = sorted((entry for entry in entries if _may_be_case(root, entry.name)), key=lambda e: e.name)
    except FileNotFoundError:
        return [], []
    except OSError as error:
        if unreadable_evals(root.path):
            return [], []
        return [], [Problem(UNREADABLE, "folder", Location(harbor), error.strerror or str(error))]
    problems = [link_problem(entry.path, root.path, "task") for entry in listed if entry.is_symlink()]
    folders = [os.path.join(harbor, entry.name) for entry in listed if leads_to_folder(entry)]
    return folders, [problem for problem in problems if problem]


def _may_be_case(root: Root, name: str) -> bool:
    return not name.startswith(".") and name != "results" and (root.only is None or name in root.only)


def expected_outputs(head: Head) -> dict[str, Answer]:
    """What the dataset expects of each entry, by its id, as far as it could be recognised in another text."""
    cases = head.dataset.cases if head.dataset else ()
    return {
        str(case.id): Answer(case.expected_output, case.expected_output_at)
        for case in cases
        if case_id_problem(case.id) is None and says_something(case.expected_output)
    }


def task_nodes(folder: str, *, in_skill: bool, expected: Mapping[str, Answer] | None = None) -> Iterator[Node]:
    """Everything in one native task; the `Task` comes last. `expected` are answers by the id of a dataset's entry."""
    problems: list[Problem] = []
    task = read_task(folder, problems, in_skill=in_skill)
    answer = (expected or {}).get(str(task.entry_id))
    if answer:
        task = task._replace(answers=(*task.answers, answer))
    yield from problems
    yield from graders_of(task)
    yield task


def graders_of(task: Task) -> Iterator[Grader]:
    """The scripts of a task that take part in grading."""
    for grader in (task.grader, task.test_script, *task.helpers):
        if grader:
            yield grader
    for step in task.steps:
        yield from step.scripts


def brief_of(task: Task) -> Brief:
    """What is kept of a task once it has been checked."""
    table = (task.config or {}).get("task")
    name = table.get("name") if isinstance(table, dict) else None
    scripts = tuple(script for script in GRADING_SCRIPTS if f"tests/{script}" in task.present)
    return Brief(task.folder, task.entry_id, name, task.at, task.entry_id_at, scripts)


def briefs(folders: Iterable[str]) -> Iterator[Brief]:
    """The light facts of native cases whose scripts nobody asked about."""
    return (read_brief(folder) for folder in folders)


def skill_node(root: Root, head: Head, tasks: tuple[Brief, ...]) -> Skill:
    """The skill as a whole, once all of its parts are known."""
    return Skill(
        name=os.path.basename(os.path.abspath(root.path)),
        skill_md=head.skill_md,
        front_matter=head.front_matter,
        has_evals=os.path.isdir(os.path.join(root.path, "evals")),
        dataset=head.dataset,
        policy=head.policy,
        graders=head.graders,
        tasks=tasks,
        manifest=head.manifest,
        fixtures=head.fixtures,
        at=Location(root.path),
        complete=root.only is None and not _is_barred(os.path.join(root.path, "evals", "harbor")),
        present=layout(root.path),
        named=root.named,
    )


def _is_barred(folder: str) -> bool:
    """Whether there is such a folder, and this user may not see what it holds."""
    return os.path.isdir(folder) and not os.access(folder, os.R_OK | os.X_OK)


def _skill_md(skill: str) -> str | None:
    try:
        names = os.listdir(skill)
    except PermissionError:
        names = ["SKILL.md"] if os.path.lexists(os.path.join(skill, "SKILL.md")) else []
    except OSError:
        return None
    if "SKILL.md" in names:
        return "SKILL.md"
    return next((name for name in sorted(names) if name.lower() == "skill.md"), None)
