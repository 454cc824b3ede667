"""Scripts in real sandboxes: what they see, what they cannot reach, and that every limit holds."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from boxes import LIMITS, alive, run

from gradewright.sandbox import cgroup
from gradewright.sandbox.bubblewrap import Bubblewrap
from gradewright.sandbox.process import Process

pytestmark = pytest.mark.sandbox


def test_it_works_and_says_what_it_cannot_hold() -> None:
    health = Bubblewrap().health_check()
    assert health.works, health
    assert set(health.missing) <= {"memory", "processes"}
    if cgroup.available() == ("memory", "processes"):
        assert health.missing == ()


def test_places_and_streams(tmp_path: Path) -> None:
    outcome = run("echo out; echo error >&2; echo 0.5 > reward.txt; exit 3", tmp_path)
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (3, "out\n", "error\n")
    assert (tmp_path / "reward.txt").read_text() == "0.5\n"
    assert (outcome.timed_out, outcome.flooded, outcome.out_of_memory, outcome.left_processes) == (False,) * 3 + (0,)


@pytest.mark.parametrize("script", ["kill -9 $$", "kill -9 -1", "exec kill -9 $PPID"])
def test_a_killed_script_has_no_good_exit_code(script: str, tmp_path: Path) -> None:
    assert run(script, tmp_path).exit_code != 0


def test_this_machine_is_out_of_reach(tmp_path: Path) -> None:
    (tmp_path.parent / "beside").write_text("private")
    outcome = run(f"cat {tmp_path.parent}/beside /etc/shadow; touch /usr/x /etc/x /bin/x; ls /home /work", tmp_path)
    assert "private" not in outcome.stdout and outcome.stdout == ""
    assert outcome.stderr.count("Read-only file system") == 3


def test_there_is_no_network_unless_it_is_asked_for(tmp_path: Path) -> None:
    assert run("ls /sys/class/net 2>/dev/null; cat /proc/net/route | wc -l", tmp_path).stdout == "1\n"
    with_network = run("cat /proc/net/dev | wc -l", tmp_path, LIMITS._replace(network=True)).stdout
    assert int(with_network) == len(Path("/proc/net/dev").read_text().splitlines())


def test_the_environment_is_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_PRIVATE_KEY", "marker-value")
    assert "marker-value" not in run("env; cat /proc/*/environ", tmp_path).stdout


def test_time_is_limited(tmp_path: Path) -> None:
    outcome = run("sleep 1234.5", tmp_path, LIMITS._replace(seconds=0.5))
    assert (outcome.exit_code, outcome.timed_out) == (None, True)
    assert 0.5 <= outcome.seconds < 5
    assert not alive("1234.5")


def test_output_is_limited(tmp_path: Path) -> None:
    outcome = run("yes", tmp_path)
    assert (outcome.exit_code, outcome.flooded, len(outcome.stdout)) == (None, True, LIMITS.output)
    assert run("yes >&2", tmp_path).flooded


def test_a_stream_that_just_fits_is_no_flood(tmp_path: Path) -> None:
    outcome = run(f"head -c {LIMITS.output} /dev/zero", tmp_path)
    assert (outcome.exit_code, outcome.flooded, len(outcome.stdout)) == (0, False, LIMITS.output)


def test_file_size_is_limited(tmp_path: Path) -> None:
    outcome = run("head -c 10G /dev/zero > large", tmp_path)
    assert outcome.exit_code != 0
    assert (tmp_path / "large").stat().st_size <= LIMITS.file_size


def test_memory_is_limited(tmp_path: Path) -> None:
    outcome = run("""python3 -c 'print(len(bytearray(b"x") * 3_000_000_000))'""", tmp_path)
    assert outcome.exit_code != 0 and outcome.stdout == ""
    assert run("python3 -c 'print(len(bytes(30_000_000)))'", tmp_path).stdout == "30000000\n"


@pytest.mark.skipif("processes" in Bubblewrap().health_check().missing, reason="this machine cannot limit processes")
def test_a_fork_bomb_ends(tmp_path: Path) -> None:
    outcome = run("bomb() { sleep 4321.5 & bomb & bomb; }; bomb; wait", tmp_path, LIMITS._replace(seconds=3))
    assert outcome.seconds < 10
    assert not alive("4321.5")


def test_nothing_is_left_running(tmp_path: Path) -> None:
    outcome = run("setsid nohup sleep 5678.5 > /dev/null 2>&1 < /dev/null & sleep 5678.5 & echo done", tmp_path)
    assert (outcome.exit_code, outcome.stdout, outcome.left_processes) == (0, "done\n", 2)
    assert outcome.seconds < 5
    assert not alive("5678.5")


def test_no_group_is_left_at_the_end_of_the_process() -> None:
    process = subprocess.Popen([sys.executable, "-c", ASK], stdout=subprocess.DEVNULL)
    assert process.wait() == 0
    assert not list(Path("/sys/fs/cgroup").glob(f"**/gradewright-{process.pid}-*"))


ASK = """
import json
from gradewright.sandbox.bubblewrap import Bubblewrap
health = Bubblewrap().health_check()
print(json.dumps(health._asdict()))
"""


def health_below(*words: str) -> dict[str, object]:
    """The health check's answer in a process started by `words`."""
    command = [*words, sys.executable, "-c", ASK]
    environment = {**os.environ, "COVERAGE_PROCESS_START": ""}
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has privileges to drop")
def test_without_privileges() -> None:
    outside = ["bwrap", "--dev-bind", "/", "/", "--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL"]
    health = health_below(*outside)
    assert health["works"], health


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has capabilities to drop")
def test_as_root_without_capabilities_it_says_what_is_missing() -> None:
    health = health_below("setpriv", "--bounding-set=-all", "--inh-caps=-all")
    assert health["works"] or "ordinary user" in str(health["remedy"]), health


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can forbid user namespaces")
def test_where_user_namespaces_are_forbidden_it_says_so() -> None:
    forbid = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    health = health_below("unshare", "--user", "--map-root-user", "sh", "-c", forbid, "sh")
    assert not health["works"]
    assert health["reason"]
    assert "user namespaces" in str(health["remedy"])


def test_without_bubblewrap_it_says_how_to_get_it() -> None:
    health = health_below("env", "PATH=/nowhere")
    assert not health["works"]
    assert "apt-get install bubblewrap" in str(health["remedy"])


def test_a_plain_process_takes_its_places_from_the_variables(tmp_path: Path) -> None:
    script = 'echo "$HARBOR_REWARD_TXT"; echo 1 > "$HARBOR_REWARD_TXT"; pwd'
    outcome = run(script, tmp_path, sandbox=Process())
    assert (outcome.exit_code, outcome.stdout) == (0, f"{tmp_path}/reward.txt\n{tmp_path}\n")
    assert (tmp_path / "reward.txt").read_text() == "1\n"


def test_a_plain_process_keeps_to_time_output_and_file_size(tmp_path: Path) -> None:
    assert run("sleep 6789.5", tmp_path, LIMITS._replace(seconds=0.5), Process()).timed_out
    assert not alive("6789.5")
    assert run("yes", tmp_path, sandbox=Process()).flooded
    run("head -c 1G /dev/zero > large", tmp_path, sandbox=Process())
    assert (tmp_path / "large").stat().st_size <= LIMITS.file_size
