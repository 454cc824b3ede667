"""What the user wants checked: command-line choices over `gradewright.toml` or `[tool.gradewright]`."""

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from gradewright.finding import TARGETS

FILE = "gradewright.toml"
COMMAND_LINE = "command line"
BASELINE = "baseline"
TARGET_CHOICES = ("skillevaluator", "harbor", "both")
_MAX_BYTES = 1 << 20
_KEYS = ("target", "select", "ignore", "strict", "harbor-contract", "jobs", "baseline")
_IGNORE_KEYS = ("rule", "paths", "reason")


class SettingsError(Exception):
    """The settings file cannot be used; the message says why and where."""


class Ignore(NamedTuple):
    """Findings of `rule` (a code, a name or the start of a code) are hidden, in `paths` or everywhere.

    `source` is who says so: `settings` or `command line`.
    """

    rule: str
    reason: str
    paths: tuple[str, ...] = ()
    source: str = "settings"


class Settings(NamedTuple):
    """Everything that changes what a check reports.

    `select` and the rules of `ignore` are codes, names or starts of codes (`GR`, `GR1`). `paths` of an ignore are
    shell patterns relative to `base`, the folder of the settings file. `jobs` is the number of processes; 0 chooses.
    `baseline` is the file of known findings, absolute, or empty. `seconds`, where it is not None, takes the time that
    each rule needed, by name.
    """

    target: str = "both"
    select: tuple[str, ...] = ()
    ignore: tuple[Ignore, ...] = ()
    harbor_contract: bool = False
    strict: bool = False
    jobs: int = 0
    base: str = "."
    baseline: str = ""
    seconds: dict[str, float] | None = None

    @property
    def targets(self) -> frozenset[str]:
        return TARGETS if self.target == "both" else frozenset({self.target})


def load(paths: Iterable[str]) -> Settings:
    """The settings in force for `paths`: of the nearest folder, at or above all of them, that has any.

    Raises `SettingsError` for a file that does not parse or holds an unknown key, a wrong type or an ignore without
    a reason.
    """
    folder = _common_folder([os.path.abspath(path) for path in paths] or [os.getcwd()])
    while True:
        for name in (FILE, "pyproject.toml"):
            path = os.path.join(folder, name)
            table = _table(path) if os.path.lexists(path) else None
            if table is not None:
                return _settings(table, path, folder)
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return Settings()
        folder = parent


def _common_folder(paths: list[str]) -> str:
    try:
        common = os.path.commonpath(paths)
    except ValueError:
        return os.getcwd()
    return common if os.path.isdir(common) else os.path.dirname(common)


def _table(path: str) -> dict[str, Any] | None:
    import tomllib

    try:
        document = tomllib.loads(_text(path))
    except (OSError, ValueError, RecursionError) as error:
        if os.path.basename(path) != FILE:
            return None
        raise SettingsError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if os.path.basename(path) == FILE:
        return document
    tool = document.get("tool")
    table = tool.get("gradewright") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{path}: `tool.gradewright` must be a table")
    return table


def _text(path: str) -> str:
    """The file's text; raises OSError or ValueError, also for what is no regular file or too large for settings."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise ValueError("it is not a regular file")
    with open(path, "rb") as stream:
        data = stream.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise ValueError(f"it is larger than {_MAX_BYTES >> 20} MiB")
    return data.decode("utf-8-sig")


def _settings(table: dict[str, Any], path: str, folder: str) -> Settings:
    for key in table:
        if key not in _KEYS:
            raise SettingsError(f"{path}: unknown key `{key}`; the keys are {_listed(_KEYS)}")
    target = table.get("target", "both")
    if target not in TARGET_CHOICES:
        raise SettingsError(f"{path}: `target` must be one of {_listed(TARGET_CHOICES)}")
    jobs = table.get("jobs", 0)
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 0:
        raise SettingsError(f"{path}: `jobs` must be an integer of 0 or more")
    baseline = table.get("baseline", "")
    if not isinstance(baseline, str):
        raise SettingsError(f"{path}: `baseline` must be the name of a file")
    return Settings(
        target=target,
        select=_texts(table.get("select", []), "select", path),
        ignore=_ignores(table.get("ignore", []), path),
        harbor_contract=_flag(table, "harbor-contract", path),
        strict=_flag(table, "strict", path),
        jobs=jobs,
        base=folder,
        baseline=os.path.join(folder, baseline) if baseline else "",
    )


def _ignores(value: Any, path: str) -> tuple[Ignore, ...]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise SettingsError(f"{path}: `ignore` must be a list of tables, written [[ignore]] with `rule` and `reason`")
    found = []
    for number, item in enumerate(value, 1):
        for key in item:
            if key not in _IGNORE_KEYS:
                raise SettingsError(f"{path}: ignore {number}: unknown key `{key}`; use {_listed(_IGNORE_KEYS)}")
        rule, reason = item.get("rule"), item.get("reason")
        if not isinstance(rule, str) or not rule:
            raise SettingsError(f"{path}: ignore {number}: `rule` must name a rule")
        if not isinstance(reason, str) or not reason.strip():
            raise SettingsError(f"{path}: ignore {number} ({rule}): write a `reason`; it is shown in every report")
        found.append(Ignore(rule, reason.strip(), _texts(item.get("paths", []), "paths", path)))
    return tuple(found)


def _texts(value: Any, key: str, path: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SettingsError(f"{path}: `{key}` must be a list of texts")
    return tuple(value)


def _flag(table: dict[str, Any], key: str, path: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise SettingsError(f"{path}: `{key}` must be true or false")
    return value


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
