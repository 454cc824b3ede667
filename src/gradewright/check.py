"""Judge what was read: nodes in, sorted findings out."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from gradewright.catalogue import RuleModule, load, matches, require_known
from gradewright.finding import Finding
from gradewright.ignore import comments_in, hide, reasonless
from gradewright.model import Grader, Node, Problem, Report, Task
from gradewright.read import walk
from gradewright.read.data.locate import locate_all
from gradewright.read.discover import SKILL, Root, discover, merged
from gradewright.read.engines import engine_problems
from gradewright.read.task.native import SOLUTION
from gradewright.rules import TABLE
from gradewright.settings import Settings

CHUNK = 250
"""Native tasks checked together: one process of each engine per chunk, and no more than these are held at once."""


class NothingToCheckError(Exception):
    """A path is not there, or holds neither a skill nor a Harbor task."""


class Checker:
    """The chosen rules, loaded when the first node of their type turns up."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._checks: dict[str, list[Callable[[Any], Iterator[Finding]]]] = {}

    def judge(self, node: Node) -> Iterator[Finding]:
        """The findings of every chosen rule on `node`, not yet located."""
        kind = type(node).__name__
        checks = self._checks.get(kind)
        if checks is None:
            checks = self._checks[kind] = [module.check for module in self._chosen(kind)]
        for check in checks:
            yield from check(node)

    def judge_all(self, nodes: Iterable[Node]) -> list[Finding]:
        return [finding for node in nodes for finding in self.judge(node)]

    def _chosen(self, kind: str) -> Iterator[RuleModule]:
        settings = self._settings
        for code, name, node in TABLE:
            if node != kind or not (settings.harbor_contract or not _needs_contract(code)):
                continue
            if settings.select and not any(matches(selector, code, name) for selector in settings.select):
                continue
            module = load(name)
            if module.RULE.targets & settings.targets:
                yield module


def _needs_contract(code: str) -> bool:
    return code[:2] in ("TK", "DM") or (code[:2] == "GR" and code[2] != "0")


class _Part(NamedTuple):
    """What is left of some native tasks after they were checked."""

    findings: list[Finding]
    briefs: list[Any]


def check_paths(paths: Iterable[str], settings: Settings) -> Report:
    """Check everything that `paths` stand for.

    Raises `UnknownRuleError` and `NothingToCheckError` for input that cannot be used.
    """
    found: list[Root | Problem] = []
    for path in paths:
        if not os.path.lexists(path):
            raise NothingToCheckError(f"{path}: there is no such file or folder")
        roots = list(discover(path))
        if not roots:
            raise NothingToCheckError(f"{path}: neither a skill with `evals/` nor a Harbor task was found here")
        found += roots
    return check_roots(merged(iter(found)), settings)


def check_roots(found: Iterable[Root | Problem], settings: Settings) -> Report:
    """Check roots that were already discovered; raises `UnknownRuleError` for settings that name a rule we lack."""
    require_known([*settings.select, *(ignore.rule for ignore in settings.ignore)])
    findings: list[Finding] = []
    counts = {"skill": 0, "task": 0}
    for item in found:
        if isinstance(item, Problem):
            findings += Checker(settings).judge(item)
            continue
        part = _check_skill(item, settings) if item.kind == SKILL else check_tasks([item.path], settings, False)
        findings += part.findings
        counts["task"] += len(part.briefs)
        counts["skill"] += item.kind == SKILL
    findings = locate_all(findings)
    comments = comments_in({finding.at.path for finding in findings})
    findings += Checker(settings).judge_all(reasonless(comments))
    visible, hidden = hide(findings, comments, settings)
    return Report(tuple(visible), tuple(hidden), counts["skill"], counts["task"])


def _check_skill(root: Root, settings: Settings) -> _Part:
    checker = Checker(settings)
    head = walk.read_head(root.path)
    findings = checker.judge_all(head.nodes())
    findings += checker.judge_all(engine_problems(head.graders))
    folders, problems = walk.case_folders(root)
    findings += checker.judge_all(problems)
    if settings.harbor_contract:
        part = _check_cases(folders, settings)
        findings += part.findings
    else:
        part = _Part([], list(walk.briefs(folders)))
    findings += checker.judge(walk.skill_node(root, head, tuple(part.briefs)))
    return _Part(findings, part.briefs)


def _check_cases(folders: list[str], settings: Settings) -> _Part:
    chunks = [folders[start : start + CHUNK] for start in range(0, len(folders), CHUNK)]
    findings: list[Finding] = []
    briefs: list[Any] = []
    for part in _each(chunks, settings):
        findings += part.findings
        briefs += part.briefs
    return _Part(findings, briefs)


def _each(chunks: list[list[str]], settings: Settings) -> Iterator[_Part]:
    jobs = settings.jobs or _default_jobs()
    if jobs == 1 or len(chunks) < 2:
        for chunk in chunks:
            yield check_tasks(chunk, settings, True)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial

    method = "fork" if "fork" in multiprocessing.get_all_start_methods() and sys.platform == "linux" else "spawn"
    with ProcessPoolExecutor(min(jobs, len(chunks)), mp_context=multiprocessing.get_context(method)) as pool:
        yield from pool.map(partial(check_tasks, settings=settings, in_skill=True), chunks)


def _default_jobs() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_tasks(folders: Iterable[str], settings: Settings, in_skill: bool) -> _Part:
    """Check native tasks one after the other, keeping only findings and light facts."""
    if not in_skill:
        settings = settings._replace(harbor_contract=True)
    checker = Checker(settings)
    findings: list[Finding] = []
    briefs: list[Any] = []
    graders: list[Grader] = []
    solutions: list[str] = []
    for folder in folders:
        for node in walk.task_nodes(folder, in_skill=in_skill):
            findings += checker.judge(node)
            if isinstance(node, Grader):
                graders.append(node)
            elif isinstance(node, Task):
                briefs.append(walk.brief_of(node))
                solutions += [f"{folder}/{SOLUTION}"] if node.solution else []
    findings += checker.judge_all(engine_problems(graders, solutions))
    return _Part(findings, briefs)
