"""Judge what was read: nodes in, sorted findings out."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gradewright.catalogue import RuleModule, chosen, require_known
from gradewright.finding import Finding
from gradewright.ignore import comments_in, hide, reasonless
from gradewright.model import Answer, Grader, Node, Problem, Report, Task
from gradewright.read import walk
from gradewright.read.data.locate import locate_all
from gradewright.read.discover import SKILL, TASK, WORKSPACE, Root, discover, merged
from gradewright.read.engines import engine_problems
from gradewright.read.task.native import SOLUTION
from gradewright.rules import TABLE
from gradewright.settings import Settings

CHUNK = 250
"""Native tasks checked together: one process of each engine per chunk, and no more than these are held at once."""


SKILLS = 25
"""Skills checked by one process; each may have many cases."""


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
            checks = self._checks[kind] = [self._check(module) for module in self._chosen(kind)]
        for check in checks:
            yield from check(node)

    def judge_all(self, nodes: Iterable[Node]) -> list[Finding]:
        return [finding for node in nodes for finding in self.judge(node)]

    def _check(self, module: RuleModule) -> Callable[[Any], Iterator[Finding]]:
        seconds = self._settings.seconds
        return module.check if seconds is None else _timed(module, seconds)

    def _chosen(self, kind: str) -> Iterator[RuleModule]:
        for code, name, node in TABLE:
            module = chosen(code, name, self._settings) if node == kind else None
            if module:
                yield module


def _timed(module: RuleModule, seconds: dict[str, float]) -> Callable[[Any], Iterator[Finding]]:
    from time import perf_counter

    def check(node: Any) -> Iterator[Finding]:
        start = perf_counter()
        found = list(module.check(node))
        seconds[module.RULE.name] = seconds.get(module.RULE.name, 0.0) + perf_counter() - start
        return iter(found)

    return check


class _Part(NamedTuple):
    """What is left of some skills or native tasks after they were checked."""

    findings: list[Finding]
    briefs: list[Any]


def check_paths(paths: Iterable[str], settings: Settings) -> Report:
    """Check everything that `paths` stand for.

    Raises `UnknownRuleError` and `NothingToCheckError` for input that cannot be used.
    """
    found: list[Root | Problem] = []
    for path in paths:
        _require_there(path)
        roots = list(discover(path))
        if not roots:
            raise NothingToCheckError(f"{path}: neither a skill with `evals/` nor a Harbor task was found here")
        found += roots
    return check_roots(merged(iter(found)), settings)


def _require_there(path: str) -> None:
    """Raise `NothingToCheckError` for a path that is not there, or that this user may not reach."""
    try:
        os.lstat(path)
    except PermissionError as error:
        raise NothingToCheckError(f"{path}: a folder on the way to it may not be entered by you") from error
    except (OSError, ValueError) as error:
        raise NothingToCheckError(f"{path}: there is no such file or folder") from error


def check_roots(found: Iterable[Root | Problem], settings: Settings) -> Report:
    """Check roots that were already discovered; raises `UnknownRuleError` for settings that name a rule we lack."""
    require_known([*settings.select, *(ignore.rule for ignore in settings.ignore)])
    findings: list[Finding] = []
    roots: list[Root] = []
    gradings = 0
    for item in found:
        if isinstance(item, Problem):
            findings += Checker(settings).judge(item)
        elif item.kind == WORKSPACE:
            nodes = list(walk.grading_nodes(item.path))
            gradings += len({node.at.path for node in nodes})
            findings += Checker(settings).judge_all(nodes)
        else:
            roots.append(item)
    part = _joined(_each(_check_batch, list(_batches(roots)), settings))
    findings += part.findings
    findings = locate_all(findings)
    comments = comments_in({finding.at.path for finding in findings})
    findings += Checker(settings).judge_all(reasonless(comments))
    visible, hidden = hide(findings, comments, settings)
    skills = sum(root.kind == SKILL for root in roots)
    return Report(tuple(visible), tuple(hidden), skills, len(part.briefs), gradings=gradings)


def _batches(roots: list[Root]) -> Iterator[list[Root]]:
    """Skills with skills and tasks with tasks, as many together as `_check_batch` shall take at once."""
    for kind, most in ((SKILL, SKILLS), (TASK, CHUNK)):
        yield from _chunks([root for root in roots if root.kind == kind], most)


def _check_batch(roots: list[Root], settings: Settings) -> _Part:
    if roots[0].kind == TASK:
        return check_tasks([root.path for root in roots], settings, in_skill=False)
    return _joined(_check_skill(root, settings) for root in roots)


def _check_skill(root: Root, settings: Settings) -> _Part:
    checker = Checker(settings)
    head = walk.read_head(root.path)
    findings = checker.judge_all(head.nodes())
    findings += checker.judge_all(engine_problems(head.graders))
    folders, problems = walk.case_folders(root)
    findings += checker.judge_all(problems)
    if settings.harbor_contract:
        part = _check_cases(folders, settings, walk.expected_outputs(head) if folders else {})
        findings += part.findings
    else:
        part = _Part([], list(walk.briefs(folders)))
    findings += checker.judge(walk.skill_node(root, head, tuple(part.briefs)))
    return _Part(findings, part.briefs)


def _check_cases(folders: list[str], settings: Settings, expected: dict[str, Answer]) -> _Part:
    from functools import partial

    return _joined(_each(partial(check_tasks, in_skill=True, expected=expected), _chunks(folders, CHUNK), settings))


def _chunks[Item](items: list[Item], most: int) -> list[list[Item]]:
    return [items[start : start + most] for start in range(0, len(items), most)]


def _joined(parts: Iterable[_Part]) -> _Part:
    findings: list[Finding] = []
    briefs: list[Any] = []
    for part in parts:
        findings += part.findings
        briefs += part.briefs
    return _Part(findings, briefs)


def _each[Item](
    check: Callable[[list[Item], Settings], _Part], batches: list[list[Item]], settings: Settings
) -> Iterator[_Part]:
    """Check every batch, in processes of their own if there are several; a rule's time is taken in this one."""
    jobs = 1 if settings.seconds is not None else settings.jobs or _default_jobs()
    if jobs == 1 or len(batches) < 2:
        for batch in batches:
            yield check(batch, settings)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from itertools import repeat

    method = "fork" if "fork" in multiprocessing.get_all_start_methods() and sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(min(jobs, len(batches)), mp_context=context, initializer=_serve) as pool:
        try:
            yield from pool.map(check, batches, repeat(settings._replace(jobs=1)))
        except BaseException:
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def _serve() -> None:
    """Let a process of the pool leave an interrupt to the one that started it, and end with that, however it ends."""
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _default_jobs() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_tasks(
    folders: Iterable[str], settings: Settings, in_skill: bool, expected: Mapping[str, Answer] | None = None
) -> _Part:
    """Check native tasks one after the other, keeping only findings and light facts.

    `expected` holds what the dataset expects, by the id of its entry.
    """
    if not in_skill:
        settings = settings._replace(harbor_contract=True)
    checker = Checker(settings)
    findings: list[Finding] = []
    briefs: list[Any] = []
    graders: list[Grader] = []
    solutions: list[str] = []
    for folder in folders:
        for node in walk.task_nodes(folder, in_skill=in_skill, expected=expected):
            findings += checker.judge(node)
            if isinstance(node, Grader):
                graders.append(node)
            elif isinstance(node, Task):
                briefs.append(walk.brief_of(node))
                solutions += [f"{folder}/{SOLUTION}"] if node.solution else []
    findings += checker.judge_all(engine_problems(graders, solutions))
    return _Part(findings, briefs)
