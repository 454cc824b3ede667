"""Run one scaffold command for a benchmark: on a small new skill, or adding a case to a given one."""

import sys
import tempfile
import time
from pathlib import Path


def main(command: str, skill: str = "") -> int:
    """Run `command` in this process, as the installed command would."""
    from gradewright.__main__ import main as gradewright

    with tempfile.TemporaryDirectory() as folder:
        case = ["--case-id", f"case-{time.time_ns()}"] if command == "init-harbor-task" else []
        sys.argv = ["gradewright", command, skill or new_skill(Path(folder)), *case]
        return gradewright()


def new_skill(folder: Path) -> str:
    """The path of a skill that has nothing but its SKILL.md."""
    skill = folder / "small"
    skill.mkdir()
    (skill / "SKILL.md").write_text("---\nname: small\ndescription: Use when a small skill is needed.\n---\n")
    return str(skill)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
