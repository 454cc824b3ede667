"""`validate --with-harbor-lint`: the findings of Harbor's linter, merged into a report.

Harbor is loaded by a Python of its own, so that its imports, prints and crashes stay there.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from gradewright.check import Checker
from gradewright.finding import Finding, Location
from gradewright.ignore import comments_in, hide
from gradewright.model import Problem, Remark, Report
from gradewright.read.data.locate import locate_all
from gradewright.read.discover import SKILL, WORKSPACE, discover, merged
from gradewright.read.walk import case_folders
from gradewright.settings import Settings

INSTALL = "pip install 'gradewright[harbor]'"
_CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lint_child.py")
_SECONDS = 120
_SECONDS_EACH = 5
_MAX_TEXT = 500
_FIELD = re.compile(r"([A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*): (.*)", re.DOTALL)
_UNKNOWN = re.compile(r"Unknown field '([^']*)'; (.*)", re.DOTALL)
_KEY = re.compile(r"\[(\d+)\]|([\w-]+)")

SAME = (
    ("invalid-task-config", "", ("TK001", "TK003", "TK005", "TK214")),
    ("unknown-config-field", "", ("TK004",)),
    ("invalid-task-files", "task configuration", ("TK002",)),
    ("invalid-task-files", "environment directory", ("TK201",)),
    ("invalid-task-files", "instruction file", ("TK101",)),
    ("invalid-task-files", "instruction is empty", ("TK102",)),
    ("invalid-task-files", "verifier script", ("TK301",)),
    ("invalid-task-files", "within the task", ("RD004", "RD005", "RD006", "RD007")),
    ("agent-image-test-leak", "", ("TK203", "TK204")),
    ("verifier-network-download", "", ("TK210",)),
    ("unpinned-python-dependency", "", ("TK211",)),
)
"""Harbor's rules, where one stands for several faults with words of its text, to those of ours for the same fault."""


class HarborMissingError(Exception):
    """Harbor is not installed beside us, or has no linter."""


def with_harbor_lint(report: Report, paths: Iterable[str], settings: Settings) -> Report:
    """`report` with what Harbor's linter says of the tasks at `paths`; raises `HarborMissingError`."""
    ours = [*report.findings, *(hidden.finding for hidden in report.hidden)]
    checker = Checker(settings)
    findings: list[Finding] = []
    for folder, remark in remarks(task_folders(paths)):
        found = locate_all(checker.judge(remark))
        findings += [finding for finding in found if not _told(remark, folder, finding.at, ours)]
    visible, hidden = hide(findings, comments_in({finding.at.path for finding in findings}), settings)
    together = sorted([*report.findings, *visible], key=lambda finding: finding.order)
    return report._replace(findings=tuple(together), hidden=(*report.hidden, *hidden))


def task_folders(paths: Iterable[str]) -> list[str]:
    """The folders of all tasks, bare ones and native cases of skills, that `paths` stand for."""
    folders: list[str] = []
    for root in merged(item for path in paths for item in discover(path)):
        if isinstance(root, Problem) or root.kind == WORKSPACE:
            continue
        folders += case_folders(root)[0] if root.kind == SKILL else [root.path]
    return [folder for folder in folders if os.path.isfile(f"{folder}/task.toml")]


def remarks(folders: list[str]) -> Iterator[tuple[str, Remark]]:
    """What Harbor's linter says, each with the folder that it says it of; raises `HarborMissingError`."""
    waiting = dict.fromkeys(folders)
    for answer in _answers(folders) if folders else ():
        if "missing" in answer:
            raise HarborMissingError(f"Harbor's linter cannot be loaded: there is no `{answer['missing']}`")
        folder = answer["folder"]
        waiting.pop(folder, None)
        for found in answer["findings"]:
            yield folder, _remark(folder, found)
        if "without_compose" in answer:
            yield folder, _unchecked(folder, "did not check the compose file: it needs Docker Compose for that")
        if "failed" in answer:
            yield folder, _unchecked(folder, f"could not check this task: it stopped with `{answer['failed']}`")
    for folder in waiting:
        yield folder, _unchecked(folder, "did not check this task in time, or crashed")


def _unchecked(folder: str, why: str) -> Remark:
    return Remark("", f"Harbor's linter {why}", Location(f"{folder}/task.toml"))


def _answers(folders: list[str]) -> Iterator[dict[str, Any]]:
    """What the other Python answers; `-P` keeps the folders that are checked out of its imports."""
    process = subprocess.Popen(
        [sys.executable, "-P", _CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        output, _ = process.communicate(json.dumps(folders).encode("ascii"), _SECONDS + _SECONDS_EACH * len(folders))
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
    finally:
        process.kill()
    for line in output.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def _remark(folder: str, found: dict[str, Any]) -> Remark:
    message = str(found["message"])[:_MAX_TEXT].strip()
    path = _as_given(folder, str(found["path"]))
    at = Location(path, found["line"] or 0, found["column"] or (1 if found["line"] else 0))
    unknown, field = _UNKNOWN.match(message), _FIELD.match(message)
    if unknown:
        at, message = _within(at, unknown[1]), f"`{unknown[1]}` is no known field; {unknown[2]}"
    elif field:
        at, message = _within(at, field[1]), f"`{field[1]}`: {_lowered(field[2])}"
    message, _, cure = message.partition("; ")
    return Remark(str(found["rule"]), _lowered(message.rstrip(".")), at, cure.rstrip("."))


def _within(at: Location, field: str) -> Location:
    if at.line or not at.path.endswith((".toml", ".yaml")):
        return at
    return at.within(*(int(number) if number else name for number, name in _KEY.findall(field)))


def _lowered(text: str) -> str:
    """`text` as it goes on within a sentence; names such as `COPY/ADD` stay as they are."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _as_given(folder: str, path: str) -> str:
    """An absolute path of Harbor's, in terms of the folder as the user gave it."""
    home = os.path.realpath(folder)
    inside = os.path.relpath(path, home).replace(os.sep, "/")
    return path if inside.startswith("../") else folder if inside == "." else f"{folder}/{inside}"


def _told(remark: Remark, folder: str, at: Location, ours: list[Finding]) -> bool:
    """Whether one of `ours` says it in our words: of the same line if Harbor names one, else of the same task."""
    codes = {code for rule, words, same in SAME if rule == remark.rule and words in remark.message for code in same}
    for finding in ours if codes else ():
        here = finding.at.path == at.path
        if finding.rule.code in codes and (
            finding.at.line == at.line if here and at.line and finding.at.line else _is_of(finding.at, folder)
        ):
            return True
    return False


def _is_of(at: Location, folder: str) -> bool:
    return at.path == folder or at.path.startswith(f"{folder}/")
