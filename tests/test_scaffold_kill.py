"""Kill both scaffolds at every step that changes the disk: the skill is as it was before, or as it is afterwards.

Run as a script (`test_scaffold_kill.py COMMAND FOLDER`) this file is the driver: one process that forks a child for
each step and prints how many steps there were.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SKILL_MD = "---\nname: killed\ndescription: Use when a skill is killed.\n---\n"
CONFIG = "# ours\nschema_version: 1\nharbor:\n  task_source: evals_json # for now\n"
COMMANDS = {
    "init-custom-grader": ["init-custom-grader", "--language", "shell", "--force"],
    "init-harbor-task": ["init-harbor-task", "--case-id", "two", "--with-config"],
}
CHANGING = {"os.mkdir", "os.rename", "os.link", "os.remove", "os.rmdir", "os.chmod", "os.truncate"}
MOST_STEPS = 300


def plant(skill: Path) -> None:
    (skill / "evals" / "harbor" / "one").mkdir(parents=True)
    (skill / "SKILL.md").write_text(SKILL_MD)
    (skill / "evals" / "config.yml").write_text(CONFIG)
    (skill / "evals" / "grader.py").write_text("print('mine')\n")
    (skill / "evals" / "harbor" / "one" / "task.toml").write_text("version = '1.0'\n")


def tree(skill: Path) -> dict[str, tuple[int, bytes]]:
    """Every file of the skill with its permissions and content."""
    files = [path for path in skill.rglob("*") if path.is_file()]
    return {str(path.relative_to(skill)): (path.stat().st_mode & 0o777, path.read_bytes()) for path in files}


def scaffold(command: str, skill: Path, last_step: int) -> int:
    """Run the command in a forked child that is gone at its step number `last_step`; the child's exit code."""
    from gradewright.cli.app import app

    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    steps = 0

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal steps
        writes = (
            event == "open" and len(arguments) > 2 and bool(int(str(arguments[2] or 0)) & (os.O_WRONLY | os.O_RDWR))
        )
        if (event in CHANGING or writes) and str(skill) in str(arguments[0]):
            steps += 1
            if steps == last_step:
                os._exit(99)

    sys.addaudithook(count)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        app([*COMMANDS[command], str(skill)], prog_name="gradewright")
    except SystemExit as end:
        os._exit(int(end.code or 0))
    os._exit(0)


def drive(command: str, folder: Path) -> int:
    """The number of steps at which the command was killed; raises AssertionError when a tree is neither old nor new."""
    from gradewright.write.transaction import recover

    skill = folder / "it's a skill"
    plant(skill)
    old = tree(skill)
    assert scaffold(command, skill, 0) == 0
    new = tree(skill)
    assert new != old
    for step in range(1, MOST_STEPS):
        shutil.rmtree(skill)
        plant(skill)
        code = scaffold(command, skill, step)
        recover(str(skill))
        assert tree(skill) in (old, new), f"step {step}"
        if code == 0:
            return step - 1
    raise AssertionError(f"more than {MOST_STEPS} steps")


@pytest.mark.parametrize("command", COMMANDS)
def test_killed_at_every_step(command: str, tmp_path: Path) -> None:
    driver = [sys.executable, __file__, command, str(tmp_path)]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    shown = subprocess.run(driver, capture_output=True, text=True, timeout=300, check=False, env=environment)
    assert shown.returncode == 0, shown.stderr
    assert int(shown.stdout) > 5


if __name__ == "__main__":
    print(drive(sys.argv[1], Path(sys.argv[2])))
