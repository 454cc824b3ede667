"""Run one scaffold command on a fresh copy of a small skill, so that a benchmark can repeat it."""

import sys
import tempfile
from pathlib import Path


def main(command: str) -> int:
    """Run `command` in this process, as the installed command would."""
    with tempfile.TemporaryDirectory() as folder:
        skill = Path(folder) / "small"
        skill.mkdir()
        (skill / "SKILL.md").write_text("---\nname: small\ndescription: Use when a small skill is needed.\n---\n")
        sys.argv = ["gradewright", command, str(skill)]
        from gradewright.__main__ import main as gradewright

        return gradewright()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
