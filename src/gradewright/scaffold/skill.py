"""What a scaffold finds in a skill, read without trust and refused where it could not be edited safely."""

import os
from typing import Any, NamedTuple

from gradewright.contract import CONFIG_FILES, DATASET_FILES, LEGACY_GRADING_MODES, MAX_DATASET, collision_key
from gradewright.scaffold import RefusedError
from gradewright.scaffold.files import MEND, File, kind_of, open_data, open_text


class Entries(NamedTuple):
    """The entries of a dataset: the keys that lead to their list, None where the file is one bare entry."""

    keys: tuple[str, ...] | None
    ids: tuple[str | int, ...]


class Ground(NamedTuple):
    """The skill to work on; `config` and `dataset` are None where there is no such file yet."""

    root: str
    name: str
    config: File | None
    dataset: File | None
    entries: Entries

    @property
    def mode(self) -> str:
        """The grading mode that is in force, in its present spelling."""
        mode = str(self._setting("grading", "mode") or "default")
        return LEGACY_GRADING_MODES.get(mode, mode)

    @property
    def task_source(self) -> str:
        """Where SkillEvaluator takes the tasks from: `evals_json` or `native_harbor`."""
        return self.task_source_with(dataset=bool(self.dataset))

    def task_source_with(self, *, dataset: bool) -> str:
        """Where it takes them from if there is a dataset, or none."""
        source = self._setting("harbor", "task_source") or "auto"
        if source == "auto":
            return "evals_json" if dataset else "native_harbor"
        return str(source)

    def mode_note(self, mode: str) -> tuple[str, ...]:
        """What the author of the config should know when `mode` takes the place of another one that was chosen."""
        if self.config is None or not self._setting("grading", "mode") or self.mode == mode:
            return ()
        return (f"`grading.mode` was `{self.mode}` in {self.config.path} and is now `{mode}`, for the whole skill",)

    def _setting(self, table: str, key: str) -> Any:
        return ((self.config.value.get(table) or {}) if self.config else {}).get(key)


def refuse_no_skill(skill_dir: str) -> str:
    """The full path of the skill in the folder `skill_dir`; raises RefusedError when there is none."""
    root = os.path.abspath(skill_dir)
    if not os.path.isdir(root):
        raise RefusedError(f"`{skill_dir}` is not a folder", "name the folder of a skill")
    kind = kind_of(root, "SKILL.md")
    if kind != "file":
        where = f"missing from `{skill_dir}`" if kind == "missing" else f"{kind} in `{skill_dir}`"
        raise RefusedError(f"SKILL.md is {where}", "name the folder of a skill, with SKILL.md as a regular file")
    return root


def survey(skill_dir: str) -> Ground:
    """Read the skill in the folder `skill_dir`; raises RefusedError when it is none, or not fit to be edited."""
    root = refuse_no_skill(skill_dir)
    if (kind := kind_of(root, "evals")) not in ("a folder", "missing"):
        raise RefusedError(f"`evals` is {kind}", "replace it by a folder")
    dataset = _dataset(root)
    return Ground(root, _name(root), _config(root), dataset, _entries(dataset))


def _name(root: str) -> str:
    from gradewright.read.skill.folder import read_front_matter

    open_text(root, "SKILL.md", "skill")
    front_matter = read_front_matter(os.path.join(root, "SKILL.md"), [])
    name = front_matter.name if front_matter else None
    return name.strip() if isinstance(name, str) and name.strip() else os.path.basename(os.path.realpath(root))


def _config(root: str) -> File | None:
    for name in CONFIG_FILES:
        config = open_data(root, f"evals/{name}", "yaml", "config")
        if config is None:
            continue
        value = {} if config.value is None else config.value
        if not isinstance(value, dict):
            raise RefusedError(f"`{config.path}` is not a mapping", "write `schema_version: 1` into it")
        for table in ("grading", "harbor"):
            if not isinstance(value.get(table, {}), dict | None):
                raise RefusedError(f"`{table}` in `{config.path}` is not a mapping", "mend it first")
        return config._replace(value=value)
    return None


def _dataset(root: str) -> File | None:
    for name in DATASET_FILES:
        syntax = {"json": "json", "jsonl": "jsonl"}.get(name.partition(".")[2], "yaml")
        dataset = open_data(root, f"evals/{name}", syntax, "dataset", limit=MAX_DATASET)
        if dataset is not None:
            return dataset
    return None


def _entries(dataset: File | None) -> Entries:
    if dataset is None:
        return Entries((), ())
    keys: tuple[str, ...] | None = ()
    found = dataset.value
    if isinstance(found, dict):
        keys = next(((key,) for key in ("evals", "cases") if key in found), None)
        found = found[keys[0]] if keys else [found]
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise RefusedError(f"`{dataset.path}` has no list of entries", MEND)
    ids = [entry.get("id") for entry in found]
    return Entries(keys, tuple(i for i in ids if isinstance(i, str | int) and not isinstance(i, bool)))


def has_entry(entries: Entries, case_id: str) -> bool:
    """Whether the dataset has the entry `case_id`; raises RefusedError when another one collides with it."""
    for entry in entries.ids:
        if str(entry) == case_id:
            return True
        if collision_key(entry) == collision_key(case_id):
            raise RefusedError(
                f"the id `{case_id}` collides with `{entry}` in the dataset",
                "choose one that differs by more than upper and lower case",
            )
    return False
