"""Read a native Harbor task: its configuration, texts, scripts and image."""

import os
import re
from typing import Any, NamedTuple

from gradewright.contract import GRADING_SCRIPTS
from gradewright.finding import Location
from gradewright.model import Brief, Grader, Problem, Step, Task
from gradewright.read.data.document import parse
from gradewright.read.files import Text, read_text
from gradewright.read.grader import read_grader, settled
from gradewright.read.shell.facts import script_problems
from gradewright.read.task.answers import agent_image
from gradewright.read.task.harborignore import withheld
from gradewright.read.task.makers import with_known_makers
from gradewright.read.task.requirements import with_requirements
from gradewright.read.task.schema import schema_problems
from gradewright.read.task.sense import sense_problems
from gradewright.read.task.solution import does_nothing, written_answers
from gradewright.read.task.tables import step_names, table_at
from gradewright.read.task.tree import Tree, list_task
from gradewright.read.task.verifier import missing_files, network_off, verifier_image

SOLUTION = "solution/solve.sh"
_MAX_HELPERS = 50
_ENVIRONMENT_HEADER = re.compile(
    r"^[ \t]*(?:\[[ \t]*[\"']?environment[\"']?[ \t]*\][ \t\r]*(?:#.*)?|[\"']?environment[\"']?[ \t]*=.*)$", re.M
)


class _Config(NamedTuple):
    """The tables of `task.toml` (None if they cannot be had) and where a table header stands that is oddly written."""

    value: dict[str, Any] | None
    environment_header: Location | None


def read_task(folder: str, problems: list[Problem], *, in_skill: bool) -> Task:
    """The task in `folder`; everything that cannot be read or that Harbor refuses is added to `problems`."""
    tree = list_task(folder, problems)
    config = _config(folder, tree, problems)
    table = config.value or {}
    entry_id, entry_id_at = _entry_id(folder, config.value)
    environment = table_at(table, "environment")
    image = agent_image(folder, environment, tree, problems, in_skill=in_skill)
    verifier = verifier_image(folder, table, tree, image, problems)
    python = (verifier.python if verifier else None) or ""
    scripts = settled(_scripts(folder, "tests/", tree, python, problems), in_skill=in_skill)
    instruction = _content(folder, "instruction.md", "instruction", tree, problems)
    steps = tuple(_settled_step(step, in_skill) for step in _steps(folder, table, tree, python, problems))
    solution = _solution(folder, SOLUTION, tree, problems)
    task = Task(
        folder=folder,
        entry_id=entry_id,
        entry_id_at=entry_id_at,
        config=config.value,
        steps=steps,
        instruction=instruction,
        grader=_first(scripts, "grader"),
        test_script=_first(scripts, "test"),
        helpers=tuple(script for script in scripts if script.role == "helper"),
        solution=solution,
        image=image,
        in_skill=in_skill,
        present=tree.present,
        at=Location(folder),
        missing=missing_files(table, tree) if config.value is not None and tree.complete else (),
        links=tree.links,
        environment_header=config.environment_header,
        offline=network_off(table, {}, Location(f"{folder}/task.toml"), Location("")),
        verifier_image=verifier and with_requirements(verifier),
    )
    return with_known_makers(_completed(task, tree, problems))


def _completed(task: Task, tree: Tree, problems: list[Problem]) -> Task:
    """The task with what follows from its solutions and its ignore files."""
    kept_back = withheld(task.folder, tree.present)
    problems[:] = _without_weight(problems, {f"{task.folder}/{file.path}" for file in kept_back})
    shown = [text for _, text in task.instructions]
    return task._replace(
        withheld=kept_back,
        answers=written_answers(task.folder, task.solutions, tree, shown),
        idle=tuple(path for path, text in task.solutions if does_nothing(text)),
    )


def _without_weight(problems: list[Problem], kept_back: set[str]) -> list[Problem]:
    """The problems, of which Harbor does not mind those in files that are not sent."""
    return [
        problem._replace(role="task") if problem.role == "input" and problem.at.path in kept_back else problem
        for problem in problems
    ]


def _first(scripts: list[Grader], role: str) -> Grader | None:
    return next((script for script in scripts if script.role == role), None)


def read_brief(folder: str) -> Brief:
    """What skill-wide rules ask of a task, for the price of its `task.toml` alone; nothing is reported."""
    text = read_text(f"{folder}/task.toml", "task")
    value = parse(text, "toml", "task")[0] if isinstance(text, Text) else None
    entry_id, entry_id_at = _entry_id(folder, value)
    name = table_at(value or {}, "task").get("name")
    scripts = tuple(name for name in GRADING_SCRIPTS if os.path.isfile(f"{folder}/tests/{name}"))
    return Brief(folder, entry_id, name, Location(folder), entry_id_at, scripts)


def _config(folder: str, tree: Tree, problems: list[Problem]) -> _Config:
    if "task.toml" not in tree.present:
        return _Config(None, None)
    path = f"{folder}/task.toml"
    text = read_text(path, "task")
    if not isinstance(text, Text):
        if text:
            problems.append(text)
        return _Config(None, None)
    value, found = parse(text, "toml", "task")
    problems += found
    if not isinstance(value, dict):
        return _Config(None, None)
    problems += schema_problems(value, Location(path))
    problems += sense_problems(value, Location(path))
    return _Config(value, _odd_header(text) if "environment" in value else None)


def _odd_header(text: Text) -> Location | None:
    """Where `environment` begins, if that line is not plainly `[environment]`."""
    match = _ENVIRONMENT_HEADER.search(text.text)
    if not match or match[0].strip() == "[environment]":
        return None
    return Location(text.path, text.text.count("\n", 0, match.start()) + 1, 1)


def _entry_id(folder: str, config: dict[str, Any] | None) -> tuple[Any, Location]:
    value = table_at(config or {}, "metadata").get("entry_id")
    at = Location(f"{folder}/task.toml")
    if value is None or value == "":
        return os.path.basename(os.path.abspath(folder)), at
    return value, at.within("metadata", "entry_id")


def _content(folder: str, name: str, role: str, tree: Tree, problems: list[Problem]) -> str | None:
    if name not in tree.present:
        return None
    text = read_text(f"{folder}/{name}", role)
    if isinstance(text, Problem):
        problems.append(text)
        return None
    return text.text if text else None


def _solution(folder: str, name: str, tree: Tree, problems: list[Problem]) -> str | None:
    text = _content(folder, name, "script", tree, problems)
    if text:
        script = Text(f"{folder}/{name}", text, b"")
        problems += script_problems(script, "script", executed=True)
    return text


def _scripts(folder: str, tests: str, tree: Tree, python: str, problems: list[Problem]) -> list[Grader]:
    """The scripts in a folder of tests: the test script, the grader that SkillEvaluator would take, the others."""
    names = sorted(name for name in tree.present if name.startswith(tests) and name.endswith((".py", ".sh")))
    graders = [f"{tests}grader.py", f"{tests}grader.sh"]
    roles = {f"{tests}test.sh": "test"} | {name: "grader" for name in graders[:1] if name in tree.present}
    if not any(role == "grader" for role in roles.values()):
        roles[graders[1]] = "grader"
    first = [name for name in (f"{tests}test.sh", *graders) if name in tree.present]
    found = []
    for name in [*first, *[name for name in names if name not in first][:_MAX_HELPERS]]:
        script = read_grader(f"{folder}/{name}", problems, role=roles.get(name, "helper"), native=True)
        if script:
            found.append(script._replace(python=python) if python else script)
    return found


def _settled_step(step: Step, in_skill: bool) -> Step:
    """A step whose scripts know their task.

    A step may be graded by the scripts of the task too, and one that only leads on may pass for certain: what its
    scripts show is never sure.
    """
    scripts = settled(list(step.scripts), in_skill=in_skill)
    doubted = [tuple(sign._replace(certain=False) for sign in script.signs) for script in scripts]
    return step._replace(
        scripts=tuple(script._replace(alone=False, signs=signs) for script, signs in zip(scripts, doubted, strict=True))
    )


def _steps(folder: str, config: dict[str, Any], tree: Tree, python: str, problems: list[Problem]) -> tuple[Step, ...]:
    at = Location(f"{folder}/task.toml")
    steps = []
    for number, name in step_names(config):
        home = f"steps/{name}/"
        instruction = _content(folder, f"{home}instruction.md", "instruction", tree, problems)
        scripts = _scripts(folder, f"{home}tests/", tree, python, problems)
        solution = _solution(folder, f"{home}{SOLUTION}", tree, problems)
        place = at.within("steps", number)
        offline = network_off(config, config["steps"][number], at, place)
        steps.append(Step(name, instruction, tuple(scripts), place, solution, offline))
    return tuple(steps)
