"""Plan a native Harbor case: `evals/harbor/<case>/`, its line in `dataset.toml`, and the entry and config it needs."""

import os
import re
import shlex
from typing import NamedTuple

from gradewright.contract import GRADER_FILES, ORG_NAME, RESERVED_CASE_FOLDERS, case_id_problem, collision_key
from gradewright.model import PYTHON
from gradewright.scaffold import Plan, RefusedError, Source
from gradewright.scaffold.edit import add_entry, add_task, schema_url, set_config
from gradewright.scaffold.files import MAX_REPLACED, existing, kind_of, mode_of, open_data
from gradewright.scaffold.skill import Ground, has_entry, survey
from gradewright.scaffold.template import GRADER, HARBOR_TASK, render
from gradewright.write import Change

_HARBOR = "evals/harbor"
_DEFAULT_METRIC = "task_completed"


class Options(NamedTuple):
    """What was asked for; an empty `org` is taken from `dataset.toml`, or made of the skill's name."""

    case_id: str = "case-001"
    mode: str = "custom_only"
    language: str = PYTHON
    with_config: bool = False
    org: str = ""
    force: bool = False
    source: Source = Source()


def plan_harbor_task(skill_dir: str, options: Options) -> Plan:
    """What `init-harbor-task` would do; raises RefusedError. The cases that are there already are not opened.

    With `with_config`, a case that exists is kept and only the config is set, so that the command which makes a case
    run is the one that made it.
    """
    _refuse_names(options)
    ground = survey(skill_dir)
    there = _is_there(ground.root, options.case_id)
    changes, kept = [], []
    manifest = open_data(ground.root, f"{_HARBOR}/dataset.toml", "toml", "manifest")
    owner = options.org or _owner(manifest.value if manifest else {}) or _slug(ground.name)
    config = _config(ground, options)
    if there and not options.force:
        if config is None:
            raise RefusedError(
                f"`{_HARBOR}/{options.case_id}` exists already", "replace it with `--force`, which loses what it holds"
            )
        kept.append(f"{_HARBOR}/{options.case_id}/")
    else:
        changes += _case(ground, options, owner)
    task = add_task(manifest, f"{owner}/{_slug(ground.name)}", f"{owner}/{options.case_id}")
    entry = add_entry(ground, options.case_id) if _lacks_entry(ground, options) else None
    changes += [change for change in (task, entry, config) if change]
    touched = {change.path for change in changes}
    kept += [file.path for file in (manifest, ground.dataset, ground.config) if file and file.path not in touched]
    asleep = _asleep(ground, options, seeded=entry is not None)
    notes = (*asleep, *(ground.mode_note(options.mode) if config else ()), _todo(options))
    return Plan(ground.root, tuple(changes), tuple(kept), notes, _next(skill_dir, options, asleep))


def _refuse_names(options: Options) -> None:
    """Raise RefusedError for an id or owner that a platform, or the file system of a colleague, would refuse."""
    case_id = options.case_id
    problem = case_id_problem(case_id)
    if problem is None and ".." in case_id:
        problem = "holds `..`, which Harbor refuses in the name of a task"
    if problem:
        raise RefusedError(f"the case id `{case_id}` {problem}", "choose another, such as `case-001`")
    if collision_key(case_id) in RESERVED_CASE_FOLDERS:
        names = ", ".join(f"`{name}`" for name in sorted(RESERVED_CASE_FOLDERS))
        raise RefusedError(
            f"the case id `{case_id}` is reserved in `{_HARBOR}`", f"choose another; reserved are {names}"
        )
    if options.org and (not ORG_NAME.match(f"{options.org}/x") or ".." in options.org):
        raise RefusedError(
            f"`{options.org}` is no name of an owner that Harbor accepts",
            "use ASCII letters, digits, `.`, `_` and `-`, a letter or digit first, and no `..`",
        )


def _is_there(root: str, case_id: str) -> bool:
    """Whether the folder of the case exists; raises RefusedError when one collides with it by upper and lower case."""
    kind = kind_of(root, _HARBOR)
    if kind == "missing":
        return False
    if kind != "a folder":
        raise RefusedError(f"`{_HARBOR}` is {kind}", "replace it by a folder")
    try:
        names = os.listdir(os.path.join(root, _HARBOR))
    except OSError as error:
        raise RefusedError(f"`{_HARBOR}` cannot be listed: {error.strerror}", "make it readable") from error
    for name in names:
        if name != case_id and collision_key(name) == collision_key(case_id):
            raise RefusedError(
                f"the case id `{case_id}` collides with `{_HARBOR}/{name}`",
                "choose one that differs by more than upper and lower case",
            )
    if case_id not in names:
        return False
    if (kind := kind_of(root, f"{_HARBOR}/{case_id}")) != "a folder":
        raise RefusedError(f"`{_HARBOR}/{case_id}` is {'a file' if kind == 'file' else kind}", "move it away")
    return True


def _owner(manifest: object) -> str:
    """The part before the slash of the dataset's name, empty when it has no good one."""
    table = manifest.get("dataset") if isinstance(manifest, dict) else None
    name = table.get("name") if isinstance(table, dict) else None
    return name.partition("/")[0] if isinstance(name, str) and ORG_NAME.match(name) and ".." not in name else ""


def _slug(name: str) -> str:
    """`name` as Harbor accepts it for the owner or the name of a dataset."""
    slug = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-_")[:64]
    return slug or "local"


def _case(ground: Ground, options: Options, owner: str) -> list[Change]:
    """The changes that make the case's folder, or put it in place of the one that is there."""
    answers = {
        "case_id": options.case_id,
        "org": owner,
        "language": options.language,
        "mode": options.mode,
        "skill_name": ground.name,
        "schema_url": schema_url("task"),
    }
    files = render(HARBOR_TASK, options.source, answers)
    if "task.toml" not in files:
        raise RefusedError(f"the template `{options.source.place}` makes no task.toml", "let it make a Harbor task")
    if not any(f"tests/{name}" in files for name in GRADER_FILES):
        grader = render(GRADER, Source(), {"language": options.language, "metrics": [_DEFAULT_METRIC]})
        files |= {f"tests/{name}": content for name, content in grader.items()}
    case = f"{_HARBOR}/{options.case_id}"
    old = _contents(ground.root, case)
    new = [Change(f"{case}/{name}", files[name], mode_of(name), old.get(name)) for name in sorted(files)]
    return new + [Change(f"{case}/{name}", None, expect=old[name]) for name in sorted(old.keys() - files.keys())]


def _contents(root: str, case: str) -> dict[str, bytes]:
    """All files of the case that `--force` replaces."""
    found, size = {}, 0
    home = os.path.join(root, case)
    for folder, folders, names in os.walk(home):
        for name in folders + names:
            path = os.path.relpath(os.path.join(folder, name), home).replace(os.sep, "/")
            if name in names or os.path.islink(os.path.join(folder, name)):
                content = existing(root, f"{case}/{path}")
                found[path] = content if content is not None else b""
                if (size := size + len(found[path])) > MAX_REPLACED:
                    raise RefusedError(f"`{case}` holds more than {MAX_REPLACED >> 20} MiB", "move it away")
    return found


def _config(ground: Ground, options: Options) -> Change | None:
    if not options.with_config:
        return None
    wanted = {("harbor", "task_source"): "native_harbor"}
    if ground.mode != options.mode:
        wanted["grading", "mode"] = options.mode
    return set_config(ground, wanted)


def _lacks_entry(ground: Ground, options: Options) -> bool:
    """Whether the mode that will be in force wants a dataset entry for the case, and there is none."""
    modes = {options.mode} if options.with_config or not ground.config else {options.mode, ground.mode}
    return not has_entry(ground.entries, options.case_id) and "default_plus_custom" in modes


def _asleep(ground: Ground, options: Options, *, seeded: bool) -> tuple[str, ...]:
    """Why the case, or its grader, would never run as the config stands."""
    if options.with_config:
        return ()
    where = ground.config.path if ground.config else "the missing evals/config.yml"
    if ground.task_source_with(dataset=seeded or bool(ground.dataset)) != "native_harbor":
        return (f"this case never runs: {where} has the tasks taken from the dataset",)
    if ground.mode == "default":
        return (f"this case's grader never runs: `grading.mode` is `default` in {where}",)
    return ()


def _todo(options: Options) -> str:
    case = f"{_HARBOR}/{options.case_id}"
    return f"write {case}/instruction.md, solution/solve.sh and the checks in tests/: until then it scores 0.0"


def _next(skill_dir: str, options: Options, asleep: tuple[str, ...]) -> tuple[str, ...]:
    place = shlex.quote(skill_dir)
    fix = f"gradewright init-harbor-task {place} --case-id {options.case_id} --mode {options.mode} --with-config"
    return (*((fix,) if asleep else ()), f"gradewright validate {place} --harbor-contract")
