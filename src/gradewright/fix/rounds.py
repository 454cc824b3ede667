"""Fix until nothing is left to fix, in memory; then publish what changed, for each root all of it or none."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import groupby
from typing import NamedTuple

from gradewright.finding import Finding, Remedy, RenameFile
from gradewright.fix.remedies import RefusedError, applied_all, opened, order
from gradewright.model import Refusal, Report
from gradewright.read.discover import Root
from gradewright.read.files import read_instead
from gradewright.write import Change, WriteError
from gradewright.write.lock import lock
from gradewright.write.plan import plan
from gradewright.write.transaction import is_staged, publish, recover

ROUNDS = 10
"""One is enough as a rule. A second one follows where a finding comes to light when another has been fixed."""


_Key = tuple[int, Remedy]


MAX_TRIES = 60
"""How often one file is parsed in a round: each try costs as much as reading it."""


class Fixes(NamedTuple):
    """What is to be changed below each root, which findings go with it, and which stay although a fix is known."""

    changes: dict[str, list[Change]]
    fixed: tuple[Finding, ...]
    refused: tuple[Refusal, ...]


class _Draft:
    """The files of all roots as they shall be."""

    def __init__(self, roots: Sequence[str]) -> None:
        self.roots = frozenset(roots)
        self.old: dict[str, bytes] = {}
        self.new: dict[str, bytes] = {}
        self.names: dict[str, str] = {}
        self.made: set[_Key] = set()

    def root_of(self, path: str) -> str:
        """The innermost root that `path` lies in; raises RefusedError if there is none."""
        folder = path
        while folder not in self.roots:
            above = os.path.dirname(folder)
            if above == folder or os.path.basename(folder) == os.pardir:
                raise RefusedError("the file lies outside of what is checked")
            folder = above or os.curdir
            if folder == os.curdir and folder not in self.roots:
                raise RefusedError("the file lies outside of what is checked")
        return folder

    def apply(self, remedies: Sequence[Remedy]) -> bool:
        """Change one file in memory, by remedies of one kind; whether it was a change. Raises RefusedError."""
        remedy = remedies[0]
        path = remedy.at.path
        if path in self.names:
            return False
        if not self.made.isdisjoint(map(_key, remedies)):
            raise RefusedError("the change did not help")
        root = self.root_of(path)
        text = opened(path)
        if isinstance(remedy, RenameFile):
            self._rename(root, path, remedy.to, text.data)
            return True
        content = applied_all(remedies, text.text).encode()
        if content == text.data:
            return False
        self.made.update(map(_key, remedies))
        if path not in self.old:
            _require_writable(root, path, text.data)
            self.old[path] = text.data
        self.new[path] = content
        return True

    def _rename(self, root: str, path: str, to: str, content: bytes) -> None:
        target = os.path.join(os.path.dirname(path), to)
        if os.path.lexists(target) or target in self.names.values():
            raise RefusedError(f"there is a `{to}` already")
        if path not in self.old:
            _require_writable(root, path, content)
            self.old[path] = self.new[path] = content
        self.names[path] = target

    def changes(self) -> dict[str, list[Change]]:
        """What differs from the disk, by root; paths are relative to it."""
        found: dict[str, list[Change]] = {}
        for path, old in self.old.items():
            root = self.root_of(path)
            name = _relative(root, path)
            own = found.setdefault(root, [])
            if path in self.names:
                mode = os.stat(path).st_mode & 0o777
                own.append(Change(_relative(root, self.names[path]), self.new[path], mode))
                own.append(Change(name, None, expect=old))
            elif self.new[path] != old:
                own.append(Change(name, self.new[path], expect=old))
        return {root: changes for root, changes in found.items() if changes}


def fixes(report: Report, roots: Sequence[Root], check: Callable[[Sequence[Root]], Report], *, unsafe: bool) -> Fixes:
    """What fixing the visible findings of `report` comes to; nothing is written.

    `check` gives the report of some of the `roots`, as they would be with the changes made so far.
    """
    draft = _Draft([_folder(root) for root in roots])
    fixed: dict[Finding, None] = {}
    refused: dict[Finding, Refusal] = {}
    read_instead(draft.new)
    try:
        for _ in range(ROUNDS):
            done = _one_round(draft, report, refused, unsafe=unsafe)
            fixed.update(dict.fromkeys(done))
            places = {draft.root_of(one.fix.remedy.at.path) for one in done if one.fix}
            touched = [root for root in roots if _folder(root) in places]
            if not touched:
                break
            report = check(touched)
    finally:
        read_instead({})
    kept = {refusal.finding for refusal in refused.values()}
    return Fixes(draft.changes(), tuple(one for one in fixed if one not in kept), tuple(refused.values()))


def _one_round(draft: _Draft, report: Report, refused: dict[Finding, Refusal], *, unsafe: bool) -> list[Finding]:
    """The findings that were fixed now."""
    hidden = {_key(one.finding.fix.remedy) for one in report.hidden if one.finding.fix}
    wanted: dict[_Key, list[Finding]] = {}
    for finding in report.findings:
        if finding.fix and (finding.fix.safe or unsafe) and _key(finding.fix.remedy) not in hidden:
            wanted.setdefault(_key(finding.fix.remedy), []).append(finding)
    done = []
    for _, group in groupby(sorted(wanted, key=_turn), key=lambda key: (key[1].at.path, key[0])):
        for key, reason in _applied(draft, list(group)):
            if reason:
                refused.update((finding, Refusal(finding, reason)) for finding in wanted[key])
            else:
                done += wanted[key]
                for finding in wanted[key]:
                    refused.pop(finding, None)
    return done


def _applied(draft: _Draft, keys: list[_Key]) -> Iterator[tuple[_Key, str]]:
    """Which of these changes, of one kind and to one file, were made, and which refused, with the reason.

    They are made together; where that is refused, each half by itself.
    """
    pending = [keys]
    for _ in range(MAX_TRIES):
        if not pending:
            return
        part = pending.pop()
        try:
            if draft.apply([remedy for _, remedy in part]):
                yield from ((key, "") for key in part)
        except RefusedError as refusal:
            if len(part) == 1:
                yield part[0], str(refusal)
            else:
                middle = len(part) // 2
                pending += [part[middle:], part[:middle]]
    yield from ((key, "too much in this file cannot be changed") for part in pending for key in part)


def _key(remedy: Remedy) -> _Key:
    """What tells remedies apart: two kinds with the same fields are equal, being tuples."""
    return order(remedy), remedy


def _turn(key: _Key) -> tuple[str, int, int, int]:
    """File by file; later lines and inner keys first, as a change moves what is below and within it."""
    kind, remedy = key
    return remedy.at.path, kind, -remedy.at.line, -len(remedy.at.keys)


def recovered(items: Iterable[object]) -> bool:
    """Undo what a killed command left half done in these roots, before anything is planned there; whether it had to.

    What cannot be undone stays; `write` tells of it.
    """
    found = False
    for root in {_folder(item) for item in items if isinstance(item, Root)}:
        if is_staged(root):
            found = True
            with suppress(WriteError), lock(root):
                recover(root)
    return found


def write(found: Fixes) -> list[tuple[str, WriteError]]:
    """Publish the changes, root after root; the roots that were left as they are, and why."""
    failures = []
    for root, changes in found.changes.items():
        try:
            with ExitStack() as stack:
                stack.enter_context(lock(root))
                recover(root)
                publish(root, changes)
        except WriteError as error:
            failures.append((root, error))
    return failures


def without(found: Fixes, failures: Iterable[tuple[str, WriteError]]) -> Fixes:
    """What is left of the fixes where some roots could not be written."""
    failed = [(root, error.message) for root, error in failures]
    reasons = {one: reason for one in found.fixed for root, reason in failed if _below(root, one.at.path)}
    fixed = tuple(one for one in found.fixed if one not in reasons)
    return found._replace(fixed=fixed, refused=(*found.refused, *(Refusal(*pair) for pair in reasons.items())))


def _require_writable(root: str, path: str, content: bytes) -> None:
    """Raise RefusedError for a file that `publish` would refuse: linked, hidden, outside, changed."""
    try:
        plan(root, [Change(_relative(root, path), content, expect=content)])
    except WriteError as error:
        raise RefusedError(error.message) from error


def _folder(root: Root) -> str:
    """The folder that a transaction for `root` works in; a workspace may be a single file."""
    return root.path if os.path.isdir(root.path) else os.path.dirname(root.path) or "."


def _relative(root: str, path: str) -> str:
    return os.path.relpath(path, root).replace(os.sep, "/")


def _below(root: str, path: str) -> bool:
    return root in (".", path) or path.startswith(root.rstrip("/") + "/")
