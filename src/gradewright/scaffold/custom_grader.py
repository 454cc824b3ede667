"""Plan a grader for a skill: `evals/grader.py` or `evals/grader.sh`, with the dataset and config it needs."""

import keyword
import re
import shlex
from typing import NamedTuple

from gradewright.contract import GRADER_FILES, RESERVED_METRICS
from gradewright.model import PYTHON
from gradewright.scaffold import Plan, RefusedError, Source
from gradewright.scaffold.edit import add_entry, set_config
from gradewright.scaffold.files import existing, kind_of, mode_of
from gradewright.scaffold.skill import Ground, survey
from gradewright.scaffold.template import GRADER, render
from gradewright.write import Change

DEFAULT_METRIC = "task_completed"

_METRIC = re.compile(r"[a-z][a-z0-9_]{0,63}\Z")
_OWN_FILES = re.compile(r"(evals\.|config\.|harbor/|results/|EVAL\.md\Z)", re.IGNORECASE)
"""Files below `evals/` that belong to the skill, which a grader's template has no business with."""


class Options(NamedTuple):
    """What was asked for; `language` is `python` or `shell`, `mode` the grading mode to set."""

    language: str = PYTHON
    mode: str = "default_plus_custom"
    metrics: tuple[str, ...] = ()
    force: bool = False
    with_config: bool = True
    source: Source = Source()


def plan_custom_grader(skill_dir: str, options: Options) -> Plan:
    """What `init-custom-grader` would do; raises RefusedError."""
    metrics = options.metrics or (DEFAULT_METRIC,)
    _refuse_metrics(metrics)
    ground = survey(skill_dir)
    _refuse_graders(ground.root, options)
    answers = {"language": options.language, "metrics": list(metrics), "skill_name": ground.name}
    files = render(GRADER, options.source, answers)
    changes = _files(ground.root, files, options)
    kept = []
    if ground.dataset is None:
        changes.append(add_entry(ground, "case-001"))
    else:
        kept.append(ground.dataset.path)
    if options.with_config:
        config = set_config(ground, {("grading", "mode"): options.mode}) if ground.mode != options.mode else None
        changes += [config] if config else []
        kept += [ground.config.path] if ground.config and not config else []
    graders = [change.path for change in changes if change.path.startswith("evals/grader.") and change.content]
    notes = [f"write the checks in {graders[0]}: until then every metric scores 0.0"]
    notes += [*_idle(ground, options), *(ground.mode_note(options.mode) if options.with_config else ())]
    return Plan(ground.root, tuple(changes), tuple(kept), tuple(notes), _next(skill_dir, ground))


def _refuse_metrics(metrics: tuple[str, ...]) -> None:
    reserved = f"reserved are {', '.join(f'`{name}`' for name in sorted(RESERVED_METRICS))}"
    for index, name in enumerate(metrics):
        if name in RESERVED_METRICS or name.lower() in RESERVED_METRICS:
            raise RefusedError(f"the platform keeps the metric name `{name}` for itself", f"choose another; {reserved}")
        if not _METRIC.match(name) or keyword.iskeyword(name):
            raise RefusedError(
                f"`{name}` is no safe metric name",
                f"use up to 64 lower-case letters, digits and `_`, a letter first, and no Python keyword; {reserved}",
            )
        if name in metrics[:index]:
            raise RefusedError(f"the metric `{name}` is named twice", "name each metric once")


def _refuse_graders(root: str, options: Options) -> None:
    wanted = "grader.py" if options.language == PYTHON else "grader.sh"
    for name in GRADER_FILES:
        kind = kind_of(root, f"evals/{name}")
        if kind == "missing":
            continue
        if kind != "file":
            raise RefusedError(f"`evals/{name}` is {kind}", "move it away")
        if name == wanted and not options.force:
            raise RefusedError(f"`evals/{name}` exists already", "replace it with `--force`, which loses what it holds")
        if not options.force:
            raise RefusedError(
                f"`evals/{name}` exists already, and of two graders only grader.py is run",
                f"put `evals/{wanted}` in its place with `--force`, which loses what it holds",
            )


def _files(root: str, files: dict[str, bytes], options: Options) -> list[Change]:
    """The changes for what the template has made, and for a grader of the other language that has to go."""
    graders = [name for name in GRADER_FILES if name in files]
    if len(graders) != 1:
        raise RefusedError(
            f"the template `{options.source.place}` makes {' and '.join(graders) or 'no grader'}",
            "let it make either grader.py or grader.sh, beside its copier.yml or in its `_subdirectory`",
        )
    changes = []
    for name, content in sorted(files.items()):
        if _OWN_FILES.match(name):
            raise RefusedError(f"the template `{options.source.place}` makes `evals/{name}`", "leave it to the skill")
        old = existing(root, f"evals/{name}")
        if old is not None and not options.force:
            raise RefusedError(f"`evals/{name}` exists already", "replace it with `--force`, which loses what it holds")
        changes.append(Change(f"evals/{name}", content, mode_of(name), old))
    other = next(name for name in GRADER_FILES if name not in graders)
    if (old := existing(root, f"evals/{other}")) is not None:
        changes.append(Change(f"evals/{other}", None, expect=old))
    return changes


def _idle(ground: Ground, options: Options) -> list[str]:
    """Why the grader would never run, if so."""
    if not options.with_config and ground.mode == "default":
        where = ground.config.path if ground.config else "the missing evals/config.yml"
        return [f"this grader never runs: `grading.mode` is `default` in {where}; set it to `{options.mode}`"]
    if ground.config and ground.task_source_with(dataset=True) == "native_harbor":
        return [f"this grader never runs: {ground.config.path} takes the tasks from evals/harbor"]
    if ground.task_source == "native_harbor" and kind_of(ground.root, "evals/harbor") != "missing":
        return ["the cases in evals/harbor no longer run: now that there is a dataset, the tasks are taken from it"]
    return []


def _next(skill_dir: str, ground: Ground) -> tuple[str, ...]:
    place = shlex.quote(skill_dir)
    if ground.task_source_with(dataset=True) == "native_harbor":
        return (f"gradewright init-harbor-task {place}", f"gradewright validate {place} --harbor-contract")
    return (f"gradewright validate {place} --harbor-contract",)
