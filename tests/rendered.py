"""Graders rendered from our templates, filled with checks, and run as a platform would run them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from gradewright.scaffold import Source
from gradewright.scaffold.template import GRADER, render

PYTHON = "python"
SHELL = "shell"
LANGUAGES = (PYTHON, SHELL)
FILES = {PYTHON: "grader.py", SHELL: "grader.sh"}
_UNWRITTEN = {PYTHON: r'raise NotWritten\(".*"\)', SHELL: r'not_written ".*"'}
_INDENT = "    "


def grader_text(language: str, metrics: list[str]) -> str:
    """The untouched grader."""
    files = render(GRADER, Source(), {"language": language, "metrics": metrics})
    assert list(files) == [FILES[language]]
    return files[FILES[language]].decode()


def filled(language: str, checks: dict[str, str]) -> str:
    """The grader with the body of each metric's check in place."""
    text = grader_text(language, list(checks))
    for body in checks.values():
        lines = body.replace("\n", "\n" + _INDENT)
        text = re.sub(_UNWRITTEN[language], lambda _, lines=lines: lines, text, count=1)
    return text


class Outcome(NamedTuple):
    """What a run left: the exit status, what it said, and the reward files (None where there is none)."""

    status: int
    stderr: str
    reward: Any
    text: str | None
    details: Any


class Bench:
    """A place to run one grader in, with the documented variables pointing into it."""

    def __init__(self, folder: Path, language: str, text: str, *, python: str = sys.executable) -> None:
        self.folder = folder
        self.workspace = folder / "work space"
        self.trajectory = folder / "agent" / "trajectory.json"
        self.entry = folder / "tests" / "entry.json"
        self.verifier = folder / "verifier"
        self.reward = self.verifier / "reward.json"
        for made in (self.workspace, self.trajectory.parent, self.entry.parent):
            made.mkdir(parents=True, exist_ok=True)
        self.grader = folder / "tests" / FILES[language]
        self.grader.write_text(text, encoding="utf-8")
        self.command = [python if language == PYTHON else "bash", str(self.grader)]

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HARBOR_WORKSPACE": str(self.workspace),
            "HARBOR_ATIF_PATH": str(self.trajectory),
            "HARBOR_ENTRY_JSON": str(self.entry),
            "HARBOR_REWARD_JSON": str(self.reward),
            "HARBOR_REWARD_TXT": str(self.verifier / "reward.txt"),
            "HARBOR_TESTS_DIR": str(self.grader.parent),
            **more,
        }

    def run(self, *arguments: str, command: list[str] | None = None, **more: str) -> Outcome:
        done = subprocess.run(
            [*(command or self.command), *arguments],
            env=self.environment(**more),
            cwd=self.workspace,
            capture_output=True,
            timeout=60,
            stdin=subprocess.DEVNULL,
        )
        left = sorted(path.name for path in self.verifier.iterdir()) if self.verifier.is_dir() else []
        assert [name for name in left if "tmp" in name or "XX" in name] == []
        return Outcome(
            done.returncode,
            done.stderr.decode(errors="replace"),
            strict_json(self.reward),
            _text(self.verifier / "reward.txt"),
            strict_json(self.verifier / "reward-details.json"),
        )


def strict_json(path: Path) -> Any:
    """The value of the file as a strict parser sees it: no NaN, no repeated key, no half of a surrogate pair."""
    text = _text(path)
    if text is None:
        return None

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(items)) == len(items)
        return dict(items)

    def constant(name: str) -> Any:
        raise AssertionError(name)

    value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    json.dumps(value, ensure_ascii=False).encode()
    return value


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None
