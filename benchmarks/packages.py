"""Validate every skill and Harbor task inside published packages and count the findings, to see who is accused of what.

`python benchmarks/packages.py` takes the packages below; `python benchmarks/packages.py NAME...` others. They are
downloaded with pip, unpacked and read; nothing of them is installed or executed.
"""

import json
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

PACKAGES = (
    "harbor", "harbor-rewardkit", "harborforge", "harness-arena", "inspect-harbor", "aeval-harbor",
    "agent-sandbox-harbor",
    "braintrust-harbor", "platoon-textcraft", "pergamon-bench", "reef-eval", "tide-eval", "touchstone-bench", "swegen",
    "tasksmith", "terminal-bench", "graded", "agent-exam", "agent-skill-eval", "agent-crucible", "skillbench",
    "agent-skills-library", "claude-data-skills", "clawbio", "bitranox-skills", "geepers-agents", "adclaw", "mmo",
    "mult-agentes", "ru-legal-skills-mcp", "pyskillet",
)  # fmt: skip
"""Published packages that carry skills or Harbor tasks."""


def unpacked(package: str, folder: Path) -> Path | None:
    """The contents of the newest wheel of `package`; None if it cannot be had."""
    target = folder / package
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest"]
    if subprocess.run([*command, str(target), package], capture_output=True, check=False).returncode:
        return None
    for archive in list(target.iterdir()):
        if archive.suffix == ".whl":
            zipfile.ZipFile(archive).extractall(target / "files")
        else:
            with tarfile.open(archive) as source:
                source.extractall(target / "files", filter="data")
        archive.unlink()
    return target / "files"


def report(folder: Path) -> dict[str, Any]:
    """What `gradewright validate` says of everything below `folder`; nothing where there is neither skill nor task."""
    command = [sys.executable, "-m", "gradewright", "validate", str(folder), "--harbor-contract", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return dict(json.loads(done.stdout)) if done.returncode in (0, 1) else {}


def main(packages: list[str]) -> None:
    found: Counter[tuple[str, str, str]] = Counter()
    read: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        for package in packages:
            files = unpacked(package, Path(folder))
            answer = report(files) if files else {}
            read["packages"] += files is not None
            read.update({key: answer["summary"][key] for key in ("skills", "tasks") if answer})
            for one in answer.get("findings", ()):
                found[one["severity"], one["code"], one["name"]] += 1
                if one["severity"] == "error":
                    place = Path(one["path"]).relative_to(folder)
                    print(f"{place}:{one['line'] or ''} {one['code']} {one['message']}")
    print(f"\n{read['packages']} packages, {read['skills']} skills, {read['tasks']} tasks")
    for (severity, code, name), count in sorted(found.items()):
        print(f"| {severity} | `{code}` {name} | {count} |")


if __name__ == "__main__":
    main(sys.argv[1:] or list(PACKAGES))
