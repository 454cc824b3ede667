"""One shell starts many scripts: none of them may reach into the run of another, or outlive the caller."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from boxes import LIMITS, alive, run

from gradewright.sandbox import cgroup, launcher, supervise
from gradewright.sandbox.protocol import SandboxError

AMOUNTS = {"memory": 64 << 20, "processes": 40}
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif("memory" not in cgroup.available(), reason="no control groups can be made here"),
]


def ended(shell: launcher.Launcher, script: str, seconds: float = 10, output: int = 10_000) -> supervise.Ended:
    """A script without any sandbox around it."""
    return shell.run(["/bin/sh", "-c", script], seconds=seconds, output=output)[0]


def test_scripts_that_end_badly_do_not_harm_the_next(tmp_path: Path) -> None:
    hog = """python3 -c 'print(len(bytearray(b"x") * 3_000_000_000))'"""
    for script in (hog, "yes", hog, "setsid sh -c 'while :; do echo late; done' & exit 3", "kill -9 -1", "exit 7"):
        run(script, tmp_path)
        outcome = run("echo out; echo error >&2; exit 5", tmp_path)
        assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (5, "out\n", "error\n"), script
        assert not outcome.out_of_memory


def test_want_of_memory_is_told_of_the_run_that_had_it(tmp_path: Path) -> None:
    outcomes = [run(f"head -c {size} /dev/zero | tail -c 1 | wc -c", tmp_path) for size in (1, 1 << 30, 1)]
    hog = "x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done"
    outcomes = [run(script, tmp_path) for script in ("true", hog, "true")]
    assert [outcome.out_of_memory for outcome in outcomes] == [False, True, False]


def test_the_modes_of_a_stream_are_of_one_run() -> None:
    with launcher.launcher(AMOUNTS, ENVIRONMENT) as shell:
        ended(shell, "python3 -c 'import os; os.set_blocking(1, False)'")
        assert ended(shell, "python3 -c 'import os; print(os.get_blocking(1))'").stdout == b"True\n"


def test_a_script_knows_nothing_of_the_control_socket() -> None:
    with launcher.launcher(AMOUNTS, ENVIRONMENT) as shell:
        assert ended(shell, "ls /proc/self/fd").stdout.split() == [b"0", b"1", b"2", b"3"]
        assert b"socket" not in ended(shell, "ls -l /proc/$$/fd").stdout


def test_jobs_have_shells_of_their_own() -> None:
    def job(number: int) -> bytes:
        with launcher.launcher(AMOUNTS, ENVIRONMENT) as shell:
            return ended(shell, f"sleep 0.1; echo {number}; exit {number}").stdout

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(job, range(12))) == [b"%d\n" % number for number in range(12)]


def test_a_shell_is_used_again_if_it_is_sound() -> None:
    with launcher.launcher(AMOUNTS, ENVIRONMENT) as shell:
        ended(shell, "exit 1")
    with launcher.launcher(AMOUNTS, ENVIRONMENT) as again:
        assert again is shell
        os.kill(again._process.pid, signal.SIGKILL)
        again._process.wait()
        with pytest.raises(SandboxError, match="has ended"):
            ended(again, "true")
    with launcher.launcher(AMOUNTS, ENVIRONMENT) as another:
        assert another is not shell
        assert ended(another, "echo works").stdout == b"works\n"


def test_stop_ends_what_other_threads_wait_for(tmp_path: Path) -> None:
    timer = threading.Timer(0.5, supervise.stop)
    timer.start()
    outcome = run("sleep 7890.5", tmp_path)
    assert outcome.exit_code not in (0, None)
    assert outcome.seconds < 5
    assert not alive("7890.5")
    assert run("echo works", tmp_path).stdout == "works\n"


CALL = f"""
from gradewright.sandbox.bubblewrap import Bubblewrap
from gradewright.sandbox.protocol import Command, Limits
Bubblewrap().run(Command(("/bin/sh", "-c", "sleep 8901.5 & sleep 8901.5"), "/"), (), Limits({LIMITS.seconds}))
"""


def test_a_script_does_not_outlive_a_caller_that_is_killed() -> None:
    caller = subprocess.Popen([sys.executable, "-c", CALL])
    until = time.monotonic() + 10
    while not alive("8901.5") and time.monotonic() < until:
        time.sleep(0.05)
    assert alive("8901.5")
    caller.kill()
    caller.wait()
    while alive("8901.5") and time.monotonic() < until:
        time.sleep(0.05)
    assert not alive("8901.5")
    for folder in Path("/sys/fs/cgroup").glob(f"**/gradewright-{caller.pid}-*"):
        folder.rmdir()
