"""The processes of a check: none of them outlives the command, and an interrupt is told once."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = """
import os, sys, time
from gradewright import check
from gradewright.failure import guarded
from gradewright.settings import Settings

def slow(batch, settings):
    open(f"{sys.argv[1]}/{os.getpid()}", "w").close()
    time.sleep(120)

def main():
    return len(list(check._each(slow, [[1], [2], [3]], Settings(jobs=2))))

if __name__ == "__main__":
    sys.exit(guarded(main))
"""
SECONDS = 20


def with_usual_signals() -> None:
    """In the child: whoever runs the tests may have some signals ignored, as `nohup` does."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def lives(pid: int) -> bool:
    """Whether the process is there and is more than an entry that nobody has asked about."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize("everyone", [False, True], ids=["only the command", "all, as a terminal does"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_process_outlives_the_command(tmp_path: Path, number: signal.Signals, everyone: bool) -> None:
    (tmp_path / "slow.py").write_text(SCRIPT)
    pids = tmp_path / "pids"
    pids.mkdir()
    command = subprocess.Popen(
        [sys.executable, str(tmp_path / "slow.py"), str(pids)],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=with_usual_signals,
    )
    end = time.monotonic() + SECONDS
    while len(list(pids.iterdir())) < 2 and time.monotonic() < end:
        time.sleep(0.02)
    workers = [int(path.name) for path in pids.iterdir()]
    assert len(workers) == 2
    (os.killpg if everyone else os.kill)(command.pid, number)
    errors = command.communicate(timeout=SECONDS)[1]
    assert (command.returncode, errors) == ((130, "interrupted\n") if number == signal.SIGINT else (-number, ""))
    while any(map(lives, workers)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(map(lives, workers))
